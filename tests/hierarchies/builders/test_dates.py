from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders import Dates


def test_a_leap_day_and_a_decade_border() -> None:
    dates = Dates().build(["1999-12-31", "2000-02-29", "2000-03-01"], column="birth")
    assert dates.leaf_count == 1 + 31 + 29 + 1
    leaf = int(dates.locate(["2000-02-29"])[0])
    path = [names[codes[leaf]] for names, codes in zip(dates.labels, dates.levels, strict=True)]
    assert path == ["2000-02-29", "2000-02", "2000-Q1", "2000", "2000s", "*"]
    assert dates.labels[4] == ("1990s", "2000s")
    assert dates.block_sizes(1).tolist() == [1, 31, 29, 1]


def test_the_first_level_is_the_granule() -> None:
    dates = Dates(levels=("month", "year"), first="1998-11-15", last=date(1999, 2, 1))
    hierarchy = dates.build(["1998-11-01", "1999-02", "1999-02-28T10:00:00"], column="visit")
    assert hierarchy.labels == (
        ("1998-11", "1998-12", "1999-01", "1999-02"),
        ("1998", "1999"),
        ("*",),
    )
    assert hierarchy.levels[1].tolist() == [0, 0, 1, 1]


@settings(deadline=None)
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
    ("format_given", "values", "message"),
    [
        (
            None,
            ["1998-03-14", "14.03.1998"],
            "1 value that ISO .*: '14.03.1998'; format='%d.%m.%Y'",
        ),
        (None, ["03/14/1998"], "format='%m/%d/%Y' would read them"),
        (None, ["soon"], "give the strptime format"),
        ("%d.%m.%Y", ["03/14/98"], "that format='%d.%m.%Y' does not read .* format='%m/%d/%y'"),
        ("%d.%m.%Y", ["1998-03-14T00:00"], ""),
    ],
)
def test_dates_that_are_not_read(format_given: str | None, values: list[str], message: str) -> None:
    if not message:
        Dates(format=format_given).build(values, column="visit")
        return
    with pytest.raises(HierarchyError, match=message):
        Dates(format=format_given).build(values, column="visit")


def test_declared_domains_hold() -> None:
    declared = Dates(first="1998-01-01", last="1998-12-31")
    assert declared.build([], column="visit").leaf_count == 365
    with pytest.raises(HierarchyError, match=r"'1999-01-01' .outside 1998-01-01 to 1998-12-31"):
        declared.build(["1999-01-01"], column="visit")
    with pytest.raises(HierarchyError, match="declare first and last around"):
        Dates(first="1998-01-01").build(["1997-01-01"], column="visit")
    with pytest.raises(HierarchyError, match="declare first and last"):
        Dates(first="1998-01-01").build([], column="visit")


def test_settings_are_checked() -> None:
    with pytest.raises(SettingsError, match="not 'week'"):
        Dates(levels=("day", "week"))  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match=r"fine to coarse.* not 'year', 'month'"):
        Dates(levels=("year", "month"))
    with pytest.raises(SettingsError, match="each once"):
        Dates(levels=("year", "year"))
    with pytest.raises(SettingsError, match="not none"):
        Dates(levels=())
    with pytest.raises(SettingsError, match="first must be a date such as"):
        Dates(first="soon")
    with pytest.raises(SettingsError, match="1999-01-01 comes after 1998-01-01"):
        Dates(first="1999-01-01", last="1998-01-01")
    assert Dates(first="01.02.1998", last="1998-03-01", format="%d.%m.%Y").build([], column="x")
