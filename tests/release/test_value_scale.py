"""Texts become positions as their domains read them, and back."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

import sfumato as sf
from sfumato.engines.messages.block_statistics import (
    Statistic,
    mean_position,
    median_position,
    mode_position,
)
from sfumato.release.microaggregation.microaggregation import default_statistic
from sfumato.release.microaggregation.value_scale import DateScale, LeafScale, NumberScale, scale_of

counted = st.dictionaries(st.integers(-50, 50), st.integers(1, 9), min_size=1, max_size=20)


def scaled(
    hierarchy: sf.Hierarchy, texts: list[str], statistic: Statistic = Statistic.MEDIAN
) -> tuple[object, list[int]]:
    scale, positions = scale_of(
        texts, domain=hierarchy.domain, statistic=statistic, digits=2, column="c"
    )
    return scale, [positions[text] for text in texts]


def test_numbers_are_read_as_intervals_read_them() -> None:
    hierarchy = sf.Intervals(widths=(5,), low=0, high=2000, unit=0.5).build([], column="c")
    texts = ["39", "39.0", " 39 ", "1e3", "+0.25", "39.500", "-0"]
    assert (hierarchy.locate(texts) >= 0).all()
    assert scaled(hierarchy, texts) == (
        NumberScale(decimals=3, digits=2),
        [39000, 39000, 39000, 1000000, 250, 39500, 0],
    )


def test_a_number_of_endless_digits_is_cut_off() -> None:
    hierarchy = sf.Intervals(widths=(5,), low=0, high=10, unit=0.5).build([], column="c")
    scale, positions = scaled(hierarchy, ["1e-999999", "1"])
    assert scale == NumberScale(decimals=50, digits=2)
    assert positions == [0, 10**50]


def test_dates_are_days_if_all_of_them_tell_the_day() -> None:
    months = sf.Dates(levels=("month", "year"), first="1998-01-01", last="1999-12-31")
    hierarchy = months.build([], column="c")
    days = ["1998-03-14", "1999-01-01T08:00"]
    assert scaled(hierarchy, days) == (
        DateScale(unit="day"),
        [date(1998, 3, 14).toordinal(), date(1999, 1, 1).toordinal()],
    )
    scale, positions = scaled(hierarchy, [*days, "1998-04"])
    assert scale == DateScale(unit="month")
    assert positions == [1998 * 12 + 2, 1999 * 12, 1998 * 12 + 3]


def test_dates_in_a_format_of_their_own() -> None:
    hierarchy = sf.Dates(format="%d.%m.%Y").build(["14.03.1998"], column="c")
    scale, positions = scaled(hierarchy, ["14.03.1998", "1998-03-14"])
    assert scale == DateScale(unit="day")
    assert [DateScale(unit="day").write(p) for p in positions] == ["1998-03-14"] * 2


def test_categories_have_their_place_and_a_mean_only_as_numbers() -> None:
    hierarchy = sf.Flat().build(["17", "9", "012"], column="c")
    scale, positions = scaled(hierarchy, ["17", "17.0", "9", "012"])
    assert isinstance(scale, LeafScale)
    assert [scale.leaves[p] for p in positions] == ["17", "17", "9", "012"]
    scale, positions = scaled(hierarchy, ["17", "012"], Statistic.MEAN)
    assert (scale, positions) == (NumberScale(decimals=0, digits=2), [17, 12])
    with raises(sf.ReleaseError, code="not-a-number", column="c"):
        scaled(sf.Flat().build(["a"], column="c"), ["a"], Statistic.MEAN)


@pytest.mark.parametrize(
    ("builder", "values", "default"),
    [
        (sf.Intervals(), ["1", "2"], "mean"),
        (sf.Dates(), ["2020-01-01"], "median"),
        (sf.Prefixes(), ["24126", "24127"], "mode"),
        (sf.Prefixes(), ["A1", "B2"], "mode"),
        (sf.Flat(), ["F", "M"], "mode"),
        (sf.Flat(), ["1", "2"], "mode"),
        (sf.Flat(), ["2024-01-01", "2024-01-02"], "mode"),
    ],
)
def test_default_statistics(builder: sf.Flat, values: list[str], default: str) -> None:
    hierarchy = builder.build(values, column="c")
    assert default_statistic(hierarchy.domain) == default
    assert default_statistic(hierarchy.with_missing("?").domain) == default


@given(rows=counted)
def test_statistics_against_a_list_of_rows(rows: dict[int, int]) -> None:
    every = sorted(position for position, count in rows.items() for _ in range(count))
    assert mean_position(rows) == Fraction(sum(every), len(every))
    assert median_position(rows) == every[(len(every) - 1) // 2]
    assert mode_position(rows) == max(every, key=lambda p: (every.count(p), -p))


@given(
    position=st.integers(-(10**20), 10**20), decimals=st.integers(0, 12), digits=st.integers(0, 12)
)
def test_numbers_are_written_and_read_back(position: int, decimals: int, digits: int) -> None:
    scale = NumberScale(decimals=decimals, digits=digits)
    text = scale.write(position)
    assert Decimal(text) == Decimal(position) / 10**decimals
    assert scale.read(text) == scale.number(position)
    mean = Fraction(position, 7)
    written = Fraction(scale.write_mean(mean))
    assert abs(written - mean / 10**decimals) * 10**digits <= Fraction(1, 2)
