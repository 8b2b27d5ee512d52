"""Statements, partitions, criteria and microaggregation on Spark: the same to the last row."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.odd_tables import released
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError, SourceError
from sfumato.microdata.missing import MissingPolicy
from sfumato.search.methods.nsga_ii import NsgaIISettings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

SAME = ("cell_codes", "cell_sizes", "entry_starts", "entry_codes", "entry_counts")
WARDS = ("onco'logy", "surgery", "surgery", None)
# Who was in oncology: the released rows tell. Two people by their names: they do not.
BY_WARD = sf.ConfidentialStatement(protect="HIV = +", where='ward = "onco\'logy"')
BY_NAME = sf.ConfidentialStatement(protect="HIV = -", where='name in {"patient 3", "patient 11"}')
BY_AGE = sf.ConfidentialStatement(
    protect="not HIV = +", where="age in {21, 22, 23} and not ward = surgery"
)


def patients(path: Path, rows: int = 240) -> Path:
    """Write rows about patients, with gaps: numbers of age as numbers, and wards as texts."""
    rng = random.Random(11)
    ages = [min(59, int(rng.triangular(20, 60, 25))) for _ in range(rows)]
    values = {
        "name": [f"patient {number}" for number in range(rows)],
        "age": pa.array([None if rng.random() < 0.05 else float(age) for age in ages]),
        "zip": [rng.choice(["241", "242", "105"]) + str(rng.randint(0, 9)) for _ in range(rows)],
        "HIV": ["+" if rng.random() < 0.3 else "-" for _ in range(rows)],
        "ward": [rng.choice(WARDS) for _ in range(rows)],
    }
    pq.write_table(pa.table(values), path)
    return path


def study(path: Path, engine: object = None, **others: object) -> sf.Study:
    return sf.Study(
        source=path,
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(widths=(5, 10, 20), low=20, high=59)),
            sf.quasi_identifying("zip", sf.Prefixes(), constrained=True),
            sf.sensitive("HIV"),
            sf.insensitive("ward"),
        ],
        **({} if engine is None else {"engine": engine}),  # type: ignore[arg-type]
        **{"suppression": sf.limited(0.1), **others},  # type: ignore[arg-type]
    )


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is asked of both engines."""

    study: dict[str, object]
    search: dict[str, object]
    release: dict[str, str]
    ending: str
    verified: str


CASES = {
    "partitions, statistics, rules about names": Case(
        study={"space": "partitions", "statements": [BY_WARD, BY_NAME]},
        search={
            "method": "nsga-ii",
            "settings": NsgaIISettings(population=16, generations=6, start="lattice"),
        },
        release={"values": "microaggregated"},
        ending="csv",
        verified="secure",
    ),
    "levels, statistics as numbers, a rule that the rows tell": Case(
        study={"statements": [BY_WARD], "missing": sf.MissingValues(policy=MissingPolicy.DROP)},
        search={},
        release={"values": "microaggregated"},
        ending="parquet",
        verified="secure",
    ),
    "stars beside statistics, ages": Case(
        study={"statements": [BY_WARD, BY_AGE]},
        search={},
        release={"values": "microaggregated", "suppressed_rows": "star"},
        ending="parquet",
        verified="secure",
    ),
    "minimal recodings, classes kept by a criterion": Case(
        study={
            "suppression": sf.limited(0.1, failing=True),
            "criteria": ["k>=3", "distinct-l>=2"],
            "statements": [BY_WARD, BY_NAME],
        },
        search={"method": "breadth-first"},
        release={},
        ending="csv",
        verified="distinct-l",
    ),
}


@pytest.mark.filterwarnings("ignore::sfumato.errors.Notice")
@pytest.mark.parametrize(
    ("chosen", "name"),
    # Every case once, on one of the two kinds of sessions: Spark takes long over small tables.
    [("classic" if place % 2 == 0 else "connect", name) for place, name in enumerate(CASES)],
)
def test_counts_front_and_released_rows(
    request: pytest.FixtureRequest, tmp_path: Path, chosen: str, name: str
) -> None:
    case, engine = CASES[name], request.getfixturevalue(chosen)
    path = patients(tmp_path / "patients.parquet")
    asked = {"objectives": ["secure", "sf", "k", "loss"], **case.study}
    here, there = study(path, **asked), study(path, engine, **asked)
    for array in SAME:
        assert np.array_equal(getattr(here.count_table, array), getattr(there.count_table, array))
    front = here.search(**case.search).front  # type: ignore[arg-type]
    assert there.search(**case.search).front == front  # type: ignore[arg-type]
    kept = [s for s in front if s.values["k"] >= 3 and s.values["secure"] == 1]
    solution = max(kept, key=lambda each: each.suppressed)
    if "star" in case.release.values():
        assert solution.suppressed > 0
    mine, theirs = tmp_path / f"here.{case.ending}", tmp_path / f"there.{case.ending}"
    private = tmp_path / "private.json"
    expected = here.release(solution, mine, **case.release)  # type: ignore[arg-type]
    found = there.release(
        solution,
        theirs,
        private_certificate=private,
        **case.release,  # type: ignore[arg-type]
    )
    assert released(theirs) == released(mine)
    assert found.metrics == expected.metrics
    assert found.verified == expected.verified
    assert any(case.verified in each for each in found.verified)
    assert (found.statistics, found.alone) == (expected.statistics, expected.alone)
    assert bool(found.statistics) == ("values" in case.release)
    whole = there.audit(theirs, private_certificate=private).whole_table
    assert whole is not None
    assert whole["k"] == solution.values["k"]


def test_numbers_stay_numbers(classic: sf.SparkEngine, tmp_path: Path) -> None:
    path = patients(tmp_path / "patients.parquet")
    there = study(path, classic, missing=sf.MissingValues(policy=MissingPolicy.DROP))
    there.release({"age": 3, "zip": 4}, tmp_path / "out.parquet", values="microaggregated")
    assert pq.read_table(tmp_path / "out.parquet").schema.field("age").type == pa.float64()


def test_statements_with_a_minimum_level_and_the_guard(
    classic: sf.SparkEngine, tmp_path: Path
) -> None:
    path = patients(tmp_path / "patients.parquet")

    def with_minimum(engine: object, **others: object) -> sf.Study:
        plain = study(path, engine, statements=[BY_WARD], **others)
        attributes = list(plain.attributes)
        attributes[1] = replace(attributes[1], minimum_level=2)
        return sf.Study(
            **{
                name: getattr(plain, name)
                for name in ("source", "statements", "suppression", "engine", "most_combinations")
            },
            attributes=attributes,
        )

    here, there = with_minimum(None), with_minimum(classic)
    for array in SAME:
        assert np.array_equal(getattr(here.count_table, array), getattr(there.count_table, array))
    with raises(SourceError, code="too-many-combinations"):
        _ = with_minimum(classic, most_combinations=20).count_table
    with raises(SettingsError, code="conflicting-settings", key="where"):
        sf.Study(source=path, attributes=there.attributes, statements=[BY_AGE]).count_table  # noqa: B018
