from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders import Dates
from sfumato.hierarchies.domains.date_unit import UNITS


def test_a_leap_day_and_a_decade_border() -> None:
    dates = Dates().build(["1999-12-31", "2000-02-29", "2000-03-01"], column="birth")
    assert dates.leaf_count == 1 + 31 + 29 + 1
    leaf = int(dates.locate(["2000-02-29"])[0])
    path = [names[codes[leaf]] for names, codes in zip(dates.labels, dates.levels, strict=True)]
    assert path == ["2000-02-29", "2000-02", "2000-Q1", "2000", "2000s", "*"]
    assert dates.labels[4] == ("1990s", "2000s")
    assert dates.block_sizes(1).tolist() == [1, 31, 29, 1]


def test_the_first_level_is_the_unit_of_the_domain() -> None:
    dates = Dates(levels=("month", "year"), first="1998-11-15", last=date(1999, 2, 1))
    hierarchy = dates.build(["1998-11-01", "1999-02", "1999-02-28T10:00:00"], column="visit")
    assert hierarchy.labels == (
        ("1998-11", "1998-12", "1999-01", "1999-02"),
        ("1998", "1999"),
        ("*",),
    )
    assert hierarchy.levels[1].tolist() == [0, 0, 1, 1]


@given(
    days=st.lists(st.dates(date(1850, 1, 1), date(2050, 1, 1)), min_size=1, max_size=5).filter(
        lambda days: (max(days) - min(days)).days < 3000
    )
)
def test_labels_agree_with_the_calendar(days: list[date]) -> None:
    hierarchy = Dates().build(sorted({day.isoformat() for day in days}), column="day")
    for day in days:
        leaf = int(hierarchy.locate([day.isoformat()])[0])
        found = [
            names[codes[leaf]]
            for names, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
        ]
        assert found == [
            day.strftime("%Y-%m-%d"),
            day.strftime("%Y-%m"),
            f"{day.year}-Q{(day.month + 2) // 3}",
            day.strftime("%Y"),
            f"{day.year - day.year % 10}s",
            "*",
        ]


def test_another_format() -> None:
    dates = Dates(levels=("month",), format="%m/%y").build(["03/98", "05/98"], column="visit")
    assert dates.domain.leaves == ("1998-03", "1998-04", "1998-05")


@pytest.mark.parametrize(
    ("format_given", "values", "other"),
    [
        (None, ["1998-03-14", "14.03.1998"], "%d.%m.%Y"),
        (None, ["03/14/1998"], "%m/%d/%Y"),
        (None, ["soon"], None),
        ("%d.%m.%Y", ["03/14/98"], "%m/%d/%y"),
    ],
)
def test_dates_that_are_not_read(
    format_given: str | None, values: list[str], other: str | None
) -> None:
    with raises(
        HierarchyError, code="not-a-date", column="visit", key="format", found=repr(format_given)
    ) as caught:
        Dates(format=format_given).build(values, column="visit")
    assert caught.value.suggestion == other


def test_iso_dates_are_read_beside_another_format() -> None:
    assert Dates(format="%d.%m.%Y").build(["1998-03-14T00:00"], column="visit").leaf_count == 1


def test_declared_domains_hold() -> None:
    declared = Dates(first="1998-01-01", last="1998-12-31")
    assert declared.build([], column="visit").leaf_count == 365
    with raises(HierarchyError, code="value-not-in-hierarchy", column="visit"):
        declared.build(["1999-01-01"], column="visit")
    with raises(HierarchyError, code="outside-domain", column="visit"):
        Dates(first="1998-01-01").build(["1997-01-01"], column="visit")
    with raises(HierarchyError, code="no-values", column="visit"):
        Dates(first="1998-01-01").build([], column="visit")


def test_settings_are_checked() -> None:
    with raises(SettingsError, code="unknown-choice", key="levels", found="'week'", expected=UNITS):
        Dates(levels=("day", "week"))  # type: ignore[arg-type]
    with raises(SettingsError, code="wrong-order", key="levels", found="'year', 'month'"):
        Dates(levels=("year", "month"))
    with raises(SettingsError, code="wrong-order", key="levels", found="'year', 'year'"):
        Dates(levels=("year", "year"))
    with raises(SettingsError, code="wrong-order", key="levels", found="empty"):
        Dates(levels=())
    with raises(SettingsError, code="not-a-date", key="first", found="'soon'"):
        Dates(first="soon")
    with raises(SettingsError, code="conflicting-settings", key="first", found="1999-01-01"):
        Dates(first="1999-01-01", last="1998-01-01")
    assert Dates(first="01.02.1998", last="1998-03-01", format="%d.%m.%Y").build([], column="x")
