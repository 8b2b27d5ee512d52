"""Studies with a person key: from a file of visits to a verified release that counts people."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SourceError
from sfumato.search.local.loss_bound import loss_bounds
from sfumato.search.methods.local.peeling import PeelingSettings
from sfumato.search.methods.local.top_down import TopDownSettings
from sfumato.sources.source import source_of
from sfumato.study.matched_tables import match_tables

if TYPE_CHECKING:
    from pathlib import Path

SEXES = sf.Flat(values=("f", "m"))
AGES = sf.Intervals(widths=(10, 20), low=20, high=59)


def visits(
    seed: int = 1, *, people: int = 60, rows: int = 160, moving: float = 0.1
) -> pd.DataFrame:
    """Return visits of people, of whom a share has moved: their age changed between visits."""
    rng = random.Random(seed)
    known = [
        (rng.choice("fm"), rng.randrange(20, 60), rng.random() < moving) for _ in range(people)
    ]
    made = []
    for _ in range(rows):
        number = rng.randrange(people)
        sex, age, moves = known[number]
        made.append(
            {
                "patient": f"SECRET-{number:03}",
                "sex": sex,
                "age": str(min(59, age + rng.randrange(12)) if moves else age),
                "illness": rng.choice(["flu", "flu", "asthma", "hiv", "none"]),
                "note": rng.choice("abc"),
            }
        )
    return pd.DataFrame(made)


def study(table: pd.DataFrame, *, person: bool = True, **settings: object) -> sf.Study:
    """Return a study of visits."""
    given = {
        "objectives": ("k", "distinct-l", "loss"),
        "suppression": sf.limited(0.1),
    } | settings
    return sf.Study(
        source=table,
        attributes=(
            sf.identifying("patient", person=person),
            sf.quasi_identifying("sex", SEXES),
            sf.quasi_identifying("age", AGES),
            sf.sensitive("illness"),
            sf.insensitive("note"),
        ),
        **given,  # type: ignore[arg-type]
    )


def one_woman() -> pd.DataFrame:
    """Return a table in which one class is one woman with all her six diagnoses."""
    rows = [("W", "f", "33", illness) for illness in ("a", "b", "c", "d", "e", "f")]
    rows += [(f"M{n}", "m", "33", "abc"[n % 3]) for n in range(6)]
    return pd.DataFrame(rows, columns=["patient", "sex", "age", "illness"]).assign(note="a")


def test_one_woman_with_six_diagnoses_is_one_person() -> None:
    bottom = {"sex": 0, "age": 0}
    by_rows = study(one_woman(), person=False).evaluate(bottom)
    by_people = study(one_woman()).evaluate(bottom)
    assert by_rows.values["k"] == 6
    assert by_rows.values["distinct-l"] == 3
    assert by_people.values["k"] == 1
    # All people of her class, which is she, have every one of her values in common.
    assert by_people.values["distinct-l"] == 1


@pytest.mark.parametrize("moving", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("rows", ["drop", "star"])
@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_a_release_counts_people(tmp_path: Path, moving: float, rows: str, format_: str) -> None:
    table = visits(moving=moving)
    own = study(table)
    front = own.search(method="sweep").front
    solution = max(front, key=lambda each: each.values["k"] if each.values["k"] < 20 else 0)
    path = tmp_path / f"released.{format_}"
    released = own.release(
        solution, path, suppressed_rows=rows, private_certificate=tmp_path / "private.json"
    )
    assert {"k", "distinct-l", "the number of people"} <= set(released.verified)
    written = pd.read_csv(path, dtype=str) if format_ == "csv" else pd.read_parquet(path)
    assert "patient" not in written
    public = json.loads(released.certificate_path.read_text())
    private = json.loads((tmp_path / "private.json").read_text())
    assert public["counts"] == private["counts"] == "people"
    assert private["people"] == table["patient"].nunique()
    assert "k" in private["recomputed_from_the_source_by_sql"]
    assert "k" not in private["recomputed_from_the_file_by_sql"]
    assert public["metrics"]["k"] == solution.values["k"] == _least_people(own, solution, table)
    for text in (json.dumps(public), json.dumps(private), path.read_bytes().decode("latin-1")):
        assert "SECRET" not in text


def _least_people(own: sf.Study, solution: sf.Solution, table: pd.DataFrame) -> int:
    """Return the fewest people of a class that is kept, by sets."""
    people = _people_by_class(own, table, dict(solution.levels))
    return int(people[people >= solution.threshold].min())


def _people_by_class(own: sf.Study, table: pd.DataFrame, node: dict[str, int]) -> pd.Series:
    """Return the people of every class under a node, by sets."""
    blocks = [
        [
            int(own.hierarchies[name].levels[level][leaf])
            for leaf in own.hierarchies[name].locate(list(table[name]))
        ]
        for name, level in node.items()
    ]
    return table["patient"].groupby(blocks).nunique()


def test_a_file_alone_does_not_tell_what_counts_people(tmp_path: Path) -> None:
    own = study(visits())
    path = tmp_path / "released.csv"
    released = own.release(
        own.search(method="sweep").front[0], path, private_certificate=tmp_path / "private.json"
    )
    assert "k" in released.metrics
    audit = own.audit(path)
    assert "k" not in audit.metrics
    assert "people" in audit.not_measured["k"]
    assert "people" in audit.not_measured["distinct-l"]
    assert "dm" in audit.metrics


@pytest.mark.parametrize("certified", [False, True])
def test_an_audit_leaves_undecided_what_only_the_person_key_tells(
    tmp_path: Path, *, certified: bool
) -> None:
    table = visits()
    own = study(table, require=("k>=2", "distinct-l>=2", "t<=0.9"))
    path, private = tmp_path / "released.csv", tmp_path / "private.json"
    own.release(own.search(method="sweep").front[0], path, private_certificate=private)
    audit = own.audit(path, private_certificate=private if certified else None)
    assert audit.undecided == ("k>=2", "distinct-l>=2", "t<=0.9") == tuple(audit.requirements)
    assert audit.unmet == ()
    assert audit.passes
    # Of the source people are counted. It fails for its key too, which is identifying.
    source = own.audit(table)
    assert source.undecided == ()
    assert "k>=2" in source.unmet
    assert not source.passes
    # No class has more people than rows: too few of them are too few people.
    few = own.audit(pd.read_csv(path, dtype=str).drop_duplicates(["sex", "age"]))
    assert few.unmet == ("k>=2", "distinct-l>=2")
    assert few.undecided == ("t<=0.9",)
    assert not few.passes


def test_a_row_without_a_key_is_refused_without_telling_any_key() -> None:
    table = visits()
    table.loc[3, "patient"] = None
    table.loc[4, "patient"] = ""
    with raises(SourceError, code="missing-person", column="patient", found="2") as caught:
        _ = study(table).count_table
    assert "SECRET" not in str(caught.value)


def test_a_key_of_several_columns_whatever_their_order() -> None:
    table = visits()
    table["hospital"] = [str(int(each[-3:]) % 2) for each in table["patient"]]
    table["number"] = [str(int(each[-3:]) // 2) for each in table["patient"]]
    split = table.drop(columns="patient")

    def counted(*names: str) -> sf.Study:
        return sf.Study(
            source=split,
            attributes=(
                *(sf.identifying(name, person=True) for name in names),
                sf.quasi_identifying("sex", SEXES),
                sf.quasi_identifying("age", AGES),
                sf.sensitive("illness"),
                sf.insensitive("note"),
            ),
            objectives=("k", "loss"),
        )

    one, other = counted("hospital", "number"), counted("number", "hospital")
    assert one.count_table.units == other.count_table.units == table["patient"].nunique()
    bottom = {"sex": 1, "age": 1}
    expected = study(visits(), objectives=("k", "loss"), suppression=sf.Suppression())
    assert one.evaluate(bottom).values["k"] == expected.evaluate(bottom).values["k"]


SMALL: dict[str, object] = {
    "nsga-ii": sf.NsgaIISettings(population=12, generations=4),
    "peeling": PeelingSettings(largest_k=9),
    "top-down": TopDownSettings(largest_k=9),
    "ruin-and-recreate": sf.RuinAndRecreateSettings(largest_k=9, steps=200),
}


@pytest.mark.parametrize("moving", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(
    ("space", "method"),
    [
        ("lattice", "branch-and-bound"),
        ("partitions", "nsga-ii"),
        ("admissible", "sweep"),
        ("local", "peeling"),
        ("local", "top-down"),
        ("local", "ruin-and-recreate"),
    ],
)
def test_solutions_of_all_spaces_have_the_people_that_they_promise(
    tmp_path: Path, space: str, method: str, moving: float
) -> None:
    own = study(visits(moving=moving, rows=120, people=50), space=space, objectives=("k", "loss"))
    front = own.search(method=method, settings=SMALL.get(method)).front
    for number in {0, len(front) // 2, len(front) - 1}:
        released = own.release(front[number], tmp_path / f"{number}.csv", ledger=False)
        assert released.promised["k"] == front[number].values["k"]
        assert "k" in released.verified


@pytest.mark.parametrize("moving", [0.0, 1.0])
def test_no_local_recoding_loses_less_than_its_bound(moving: float) -> None:
    own = study(visits(moving=moving), space="local", objectives=("k", "loss"))
    bounds = loss_bounds(own.problem, 9)
    by_rows = study(visits(moving=moving), person=False, space="local", objectives=("k", "loss"))
    rows = loss_bounds(by_rows.problem, 9)
    for each in own.search(settings=SMALL["ruin-and-recreate"]).front:
        k = int(each.values["k"])
        if k in bounds.loss:
            assert each.values["loss"] >= bounds.loss[k]
    # There are fewer people than rows, and they are farther away.
    assert all(bounds.loss[k] >= rows.loss[k] - 1e-6 for k in bounds.loss)


def test_minimal_recodings_are_refused_where_criteria_are_not_inherited() -> None:
    several = study(visits(moving=0.5), criteria=("distinct-l>=2",), suppression=sf.Suppression())
    with raises(sf.SettingsError, code="not-inherited", key="criteria"):
        several.search(method="incognito")
    by_k = study(visits(moving=0.5), criteria=("k>=3",), suppression=sf.Suppression())
    minimal = by_k.search(method="incognito").front
    assert minimal
    assert all(each.values["k"] >= 3 for each in minimal)
    alone = study(visits(moving=0.0), criteria=("distinct-l>=2",), suppression=sf.Suppression())
    assert alone.search(method="breadth-first").front


@pytest.mark.parametrize("moving", [0.0, 0.5])
def test_criteria_hold_for_people(moving: float) -> None:
    own = study(visits(moving=moving), criteria=("k>=4", "frequency-l>=1.1"))
    for each in own.search(method="sweep").front:
        found = own.evaluate(each)
        assert found.meets
        assert found.values["k"] >= 4
        assert found.values["frequency-l"] >= 1.1
        assert found.suppressed <= 16


def test_comparisons_count_people(tmp_path: Path) -> None:
    table = visits(moving=0.3).assign(row=lambda each: [str(n) for n in range(len(each))])
    own = study(
        table,
        unlisted_insensitive=True,
        objectives=("k", "loss"),
        suppression=sf.Suppression(),
    )
    node = {"sex": 0, "age": 2}
    other = table.drop(columns="patient").assign(age="*")
    other.to_csv(tmp_path / "other.csv", index=False)
    matched = match_tables(own, [source_of(tmp_path / "other.csv")], key="row", labels=["other"])
    (theirs,) = matched.anonymizations
    assert theirs.k == int(table.groupby("sex")["patient"].nunique().min())
    assert own.evaluate(node).values["k"] == _people_by_class(own, table, node).min()


def test_a_key_counts_by_its_original_values() -> None:
    table = visits(moving=1.0)
    own = sf.Study(
        source=table,
        attributes=(
            sf.identifying("patient", person=True),
            sf.quasi_identifying("sex", SEXES),
            # Counted by tens of years, and part of the key by single years.
            sf.quasi_identifying("age", AGES, minimum_level=1, person=True),
            sf.sensitive("illness"),
            sf.insensitive("note"),
        ),
        statements=(
            sf.ConfidentialStatement(protect="illness = hiv", where='patient = "SECRET-001"'),
        ),
        objectives=("k", "secure", "loss"),
    )
    assert own.count_table.units == len(table[["patient", "age"]].drop_duplicates())
    assert own.evaluate({"sex": 1, "age": 3}).values["k"] == own.count_table.units


def test_a_table_with_its_key_tells_whom_its_rows_are_about() -> None:
    table = visits(moving=0.5)
    audit = study(table).audit(table)
    assert audit.metrics["k"] == table.groupby(["sex", "age"])["patient"].nunique().min()
    assert audit.identifying == ("patient",)
