"""Count tables that would not fit are refused before they are counted, with what would help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 4_000


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(11)
    path: Path = tmp_path_factory.mktemp("guard") / "people.parquet"
    pd.DataFrame(
        {
            "income": rng.integers(0, 1000, ROWS).astype(str),
            "age": rng.integers(20, 60, ROWS),
            "sex": rng.choice(["F", "M"], ROWS),
            "illness": rng.choice(["flu", "gout"], ROWS),
        }
    ).to_parquet(path)
    return path


def study(file: Path, most: int, *, income: int = 0, age: int = 0) -> sf.Study:
    return sf.Study(
        source=file,
        attributes=[
            sf.quasi_identifying(
                "income", sf.Intervals(widths=(10, 100), low=0, high=999), minimum_level=income
            ),
            sf.quasi_identifying(
                "age", sf.Intervals(widths=(5, 20), low=20, high=59), minimum_level=age
            ),
            sf.quasi_identifying("sex", sf.Flat(values=("F", "M"))),
            sf.sensitive("illness"),
        ],
        most_combinations=most,
    )


def combinations(counted: sf.Study) -> int:
    return int(counted.count_table.entry_counts.shape[0])


def test_no_more_rows_than_allowed_are_not_even_estimated(file: Path) -> None:
    assert study(file, ROWS).count_table.rows == ROWS


def test_one_minimum_level_that_helps_is_named_and_helps(file: Path) -> None:
    with raises(
        SourceError, code="too-many-combinations", key="most_combinations", found="2500"
    ) as error:
        _ = study(file, 2_500).count_table
    # What would help is worded for people, and must be true.
    said = str(error.value)
    assert "'income' (about " in said
    offers = re.findall(
        r"minimum-level = (\d) of column '(\w+)'(?: \(or unit = (\d+)\))?, about", said
    )
    assert offers
    for level, name, _ in offers:
        minimum_levels = {"income": 0, "age": 0, name: int(level)}
        if name == "sex":
            continue
        assert combinations(study(file, 2_500, **minimum_levels)) <= 2_500 * 1.05
    assert ("2", "income", "100") in offers


def test_minimum_levels_that_help_together_are_named_and_help(file: Path) -> None:
    with raises(SourceError, code="too-many-combinations", found="30") as error:
        _ = study(file, 30).count_table
    said = str(error.value)
    found = {
        name: int(level)
        for level, name in re.findall(r"minimum-level = (\d) of column '(\w+)'", said)
    }
    # The minimum level of sex, whose two values are left out here, halves what comes out.
    halved = 2 if found.pop("sex", None) else 1
    assert combinations(study(file, 1_000_000, **found)) / halved <= 30 * 1.05
    assert found


def test_too_many_sensitive_values_are_told(file: Path) -> None:
    with raises(SourceError, code="too-many-combinations", found="1") as error:
        _ = study(file, 1).count_table
    # No minimum level helps, so that none is named.
    assert "minimum-level" not in str(error.value)


def test_a_csv_file_is_estimated_by_its_size_first(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "people.csv"
    pd.read_parquet(file).to_csv(path, index=False)
    counted = sf.DuckDBEngine()
    source = sf.CsvFile(path=path)
    most = counted.rows_at_most(source)
    assert most is not None
    assert most >= ROWS
    (about,) = counted.combinations(source, ["income", "age"], [{}])
    exact = pd.read_csv(path)[["income", "age"]].drop_duplicates().shape[0]
    assert about == pytest.approx(exact, rel=0.1)


@pytest.mark.parametrize("most", [0, -1, 2.5, "many"])
def test_a_bound_is_a_whole_number(file: Path, most: int) -> None:
    with pytest.raises(SettingsError, match="most_combinations"):
        study(file, most)


def test_people_in_several_combinations_count_against_the_limit() -> None:
    """Eight combinations, and 300 people in four of them each: 1,200 pairs are held."""
    people, visits = 300, 4
    rows = [(person, visit) for person in range(people) for visit in range(visits)]
    table = pd.DataFrame(
        {
            "person": [f"p{person}" for person, _ in rows],
            "age": [30 + visit % 2 for _, visit in rows],
            "sex": ["FM"[person % 2] for person, _ in rows],
            "illness": [("flu", "gout")[visit // 2] for _, visit in rows],
        }
    )

    def of(most: int, *, person: bool, level: int = 0) -> sf.Study:
        ages = sf.Intervals(widths=(2,), low=30, high=31)
        return sf.Study(
            source=table,
            attributes=[
                sf.identifying("person", person=person),
                sf.quasi_identifying("age", ages, minimum_level=level),
                sf.quasi_identifying("sex", sf.Flat(values=("F", "M"))),
                sf.sensitive("illness"),
            ],
            most_combinations=most,
        )

    assert combinations(of(8, person=False)) == 8
    with raises(
        SourceError, code="too-many-combinations", key="most_combinations", found="1199"
    ) as error:
        _ = of(1199, person=True).count_table
    assert "1,200 of them are by 300 people" in str(error.value)
    assert of(1200, person=True).count_table.units == people
    # What the remedy says helps: half of the pairs where ages are not told apart.
    assert of(600, person=True, level=1).count_table.units == people
