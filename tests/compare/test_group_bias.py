"""Gains by group: groups add up, and none is small enough to point at somebody."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.compare.curves.gainers import gainers
from sfumato.compare.curves.group_bias import GroupBias, group_bias, grouping, told
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.errors import SettingsError

FINE = {"age": 1, "zip": 1, "sex": 0}
OTHER = {"age": 2, "zip": 0, "sex": 1}


@pytest.fixture(scope="module")
def comparison() -> sf.Comparison:
    return study_of_people().compare(FINE, OTHER)


def columns(comparison: sf.Comparison) -> list[str]:
    table = comparison.first.table
    return [*table.names, *table.columns]


@pytest.mark.parametrize("fewest", [1, 3, 10, 60])
def test_groups_add_up_and_are_large_enough(comparison: sf.Comparison, fewest: int) -> None:
    for pair in comparison.vectors.values():
        everybody = gainers(*pair)
        for column in columns(comparison):
            groups = group_bias(*pair, column, fewest=fewest)
            assert sum(group.rows for group in groups) == everybody.rows
            assert all(group.rows >= fewest for group in groups)
            mean = sum(group.rows * group.first_mean for group in groups) / everybody.rows
            total = (pair[0].values * pair[0].counts).sum()
            assert mean == pytest.approx(total / everybody.rows)
            for group in groups:
                parts = (group.better_off, group.worse_off, group.unchanged)
                assert all(part is None or part == 0 or part >= fewest for part in parts)
                assert parts.count(None) != 1
                known = sum(part for part in parts if part is not None)
                assert known == group.rows if None not in parts else known <= group.rows
            if fewest == 1:
                assert sum(group.better_off or 0 for group in groups) == everybody.better_off
                assert sum(group.worse_off or 0 for group in groups) == everybody.worse_off


def test_the_same_as_gainers_by_value(comparison: sf.Comparison) -> None:
    pair = comparison.vectors["class-size"]
    ours = group_bias(*pair, "sex")
    theirs = comparison.gainers_by_value("class-size", "sex")
    assert [(g.value, g.rows, g.better_off, g.worse_off) for g in ours] == [
        (g.value, g.rows, g.better_off, g.worse_off) for g in theirs
    ]


def test_a_column_of_many_values_is_shown_by_its_hierarchy(comparison: sf.Comparison) -> None:
    table = comparison.first.table
    hierarchy = table.hierarchies[table.names.index("age")]
    few = grouping(table, "age", most=hierarchy.block_count(1))
    assert set(few.labels) <= set(hierarchy.labels[1])
    assert not set(few.labels) & set(hierarchy.labels[0])


def rare(counts: dict[str, int]) -> tuple[GroupBias, ...]:
    import pandas as pd

    rng = random.Random(1)
    rows = [value for value, number in counts.items() for _ in range(number)]
    study = sf.Study(
        source=pd.DataFrame({"age": [str(rng.randrange(20, 40)) for _ in rows], "ill": rows}),
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=20, high=39, widths=(5, 10))),
            sf.sensitive("ill"),
        ],
    )
    found = study.compare({"age": 1}, {"age": 2}, properties="class-size", comparators="min")
    return group_bias(*found.vectors["class-size"], "ill", fewest=10)


def test_rare_values_are_put_together() -> None:
    groups = rare({"flu": 40, "cold": 30, "gout": 6, "mumps": 5})
    assert [(g.value, g.values, g.rows) for g in groups] == [
        ("cold", 1, 30),
        ("flu", 1, 40),
        ("", 2, 11),
    ]


def test_one_rare_value_takes_another_with_it() -> None:
    groups = rare({"flu": 40, "cold": 30, "gout": 6})
    assert [(g.value, g.values, g.rows) for g in groups] == [("flu", 1, 40), ("", 2, 36)]


@given(st.tuples(*[st.integers(0, 40)] * 3), st.integers(1, 20))
def test_what_is_told_gives_no_small_number_away(parts: tuple[int, int, int], fewest: int) -> None:
    shown = told(parts, fewest)
    hidden = [part for part, said in zip(parts, shown, strict=True) if said is None]
    if any(0 < part < fewest for part in parts) and sum(parts) >= fewest:
        assert len(hidden) >= 2
        assert sum(hidden) >= fewest
    else:
        assert not hidden or sum(parts) < fewest


def test_errors_teach(comparison: sf.Comparison) -> None:
    pair = comparison.vectors["class-size"]
    with raises(SettingsError, code="unknown-column", column="hat"):
        group_bias(*pair, "hat")
    plain = PropertyVector.of_rows([1, 2], name="class-size")
    with raises(SettingsError, code="unknown-column", column="sex"):
        group_bias(plain, plain, "sex")
