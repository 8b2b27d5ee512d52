"""What the levels of a recoding mean to a person."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.recoding.recoding import Page
from sfumato.study.runs.run import RunColumn
from sfumato.views.run.column_view import values_become

CODES = RunColumn(
    name="code",
    weight=1.0,
    leaf_count=1700,
    pages=(
        Page(key=0, blocks=1700, examples=()),
        Page(key=1, blocks=1500, examples=tuple("abcdef")),
        Page(key=2, blocks=5, examples=tuple("abcde")),
        Page(key=3, blocks=4, examples=tuple("abcd")),
        Page(key=4, blocks=1, examples=("*",)),
    ),
)


def test_examples_of_labels() -> None:
    attribute = sf.quasi_identifying("code", sf.Flat())
    assert [values_become(CODES, level, attribute) for level in range(5)] == [
        "unchanged",
        "a, b, c, d, … and 1,496 more",
        "a, b, c, d, … and 1 more",
        "a, b, c, d",
        "*",
    ]


@pytest.mark.parametrize(
    ("builder", "said"),
    [
        (sf.Dates(levels=("day", "year")), "unchanged"),
        (sf.Dates(levels=("day", "year"), format="%d.%m.%Y"), "unchanged, in ISO form"),
        (sf.Dates(levels=("month", "year")), "unchanged, by the month"),
        (sf.Intervals(), "unchanged"),
        (sf.Intervals(unit=500, widths=(1000,)), "unchanged, in intervals of 500"),
        (sf.Prefixes(), "unchanged"),
    ],
)
def test_how_the_finest_values_are_written(
    builder: sf.Dates | sf.Intervals | sf.Prefixes, said: str
) -> None:
    assert values_become(CODES, 0, sf.quasi_identifying("code", builder)) == said
