"""Sampling weights by cell against pandas, and weights that are none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError, SourceError
from sfumato.risk.population_models.benedetti_franconi import individual_risks

CATEGORY = sf.MissingPolicy.CATEGORY
ROWS = pd.DataFrame(
    {
        "age": ["20", "20", "21", "21", "21", "22"],
        "town": ["A", "A", "A", "B", "B", "B"],
        "ill": ["flu", "gout", "flu", "flu", "gout", "flu"],
        "weight": ["10.5", "1", "3", "2.25", "4", "100"],
    }
)


def study_of(rows: pd.DataFrame, *, missing: sf.MissingPolicy = CATEGORY) -> sf.Study:
    return sf.Study(
        source=rows,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=20, high=23, widths=(2,))),
            sf.quasi_identifying("town", sf.Flat(values=("A", "B"))),
            sf.sensitive("ill"),
            sf.insensitive("weight"),
        ],
        missing=sf.MissingValues(policy=missing),
        population=sf.Population(weights="weight"),
    )


@pytest.mark.parametrize("level", [0, 1])
def test_individual_risks_are_those_of_the_sums_of_weights(level: int) -> None:
    found = study_of(ROWS).risk({"age": level, "town": 0})
    rows = ROWS.assign(weight=ROWS["weight"].astype(float))
    age = rows["age"].astype(int) // (2 if level else 1)
    for side, ages in ((found.before, rows["age"]), (found.after, age)):
        assert side is not None
        assert side.individual is not None
        groups = rows.groupby([ages, rows["town"]])["weight"].agg(["size", "sum"])
        risks = individual_risks(groups["size"].to_numpy(), groups["sum"].to_numpy())
        expected = float((risks * groups["size"]).sum())
        assert side.individual.expected == pytest.approx(expected)
        assert side.individual.mean == pytest.approx(expected / 6)
        assert side.individual.highest == pytest.approx(risks.max())
        above = int(groups["size"][np.greater(risks, 0.2)].sum())
        assert side.individual.above[0.2] == above


@pytest.mark.parametrize(
    ("weight", "found"),
    [("0.99", "'0.99'"), ("-3", "'-3'"), ("many", "'many'"), ("nan", "'nan'"), (None, "a missing")],
)
def test_weights_below_one_are_refused(weight: str | None, found: str) -> None:
    rows = pd.DataFrame({**ROWS, "weight": [*ROWS["weight"][:5], weight]})
    with raises(SourceError, code="weights-below-one", column="weight", key="weights") as raised:
        study_of(rows).risk()
    assert str(raised.value.found).startswith(found)


def test_weights_of_rows_do_not_go_with_people() -> None:
    study = sf.Study(
        source=ROWS.assign(who=["1", "2", "3", "4", "5", "5"]),
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=23, widths=(2,))),
            sf.insensitive("town"),
            sf.sensitive("ill"),
            sf.insensitive("weight"),
        ],
        population=sf.Population(weights="weight"),
    )
    with raises(SettingsError, code="conflicting-settings", key="weights", column="weight"):
        study.risk()


def test_rows_that_are_left_out_have_weights_that_nobody_counts() -> None:
    rows = pd.DataFrame({**ROWS, "age": ["20", None, "21", "21", "21", "22"]})
    with raises(SettingsError, code="conflicting-settings", key="weights"):
        study_of(rows, missing=sf.MissingPolicy.DROP).risk()


def test_a_column_of_weights_that_is_not_there() -> None:
    with raises(SourceError, code="unknown-column"):
        study_of(ROWS.drop(columns="weight").assign(other="1")).risk()


def test_a_sampling_fraction_is_a_weight_that_all_have() -> None:
    study = sf.Study(
        source=ROWS,
        attributes=study_of(ROWS).attributes,
        population=sf.Population(size=30),
    )
    found = study.risk().before
    assert found.individual is not None
    sizes = ROWS.groupby(["age", "town"]).size().to_numpy().astype(np.int64)
    risks = individual_risks(sizes, (sizes * 5).astype(np.float64))
    assert found.individual.highest == pytest.approx(risks.max())
    assert found.individual.expected == pytest.approx(float((risks * sizes).sum()))
    assert found.uniques is not None
    assert found.uniques.fraction == pytest.approx(0.2)
