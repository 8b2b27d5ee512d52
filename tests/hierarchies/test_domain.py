from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.domains.date_unit import UNITS
from sfumato.hierarchies.domains.domain import (
    CategoryDomain,
    DateDomain,
    Domain,
    MissingDomain,
    NumberDomain,
)

if TYPE_CHECKING:
    from decimal import Decimal

EXAMPLES: list[Domain] = [
    CategoryDomain(values=("b", "a", "ü;")),
    CategoryDomain(values=("1", "2", "10"), ordered=True),
    NumberDomain(low=17, count=74),
    NumberDomain(low=-2, count=5, fractional=True),
    NumberDomain.spanning(low=10, high=90, unit=5),
    NumberDomain(low="-0.3", unit="0.1", count=12),
    DateDomain(first=date(1999, 12, 30), last=date(2000, 3, 2), unit="day"),
    DateDomain(first=date(1999, 12, 30), last=date(2000, 3, 2), unit="month"),
    DateDomain(first=date(1999, 12, 30), last=date(2000, 3, 2), unit="quarter"),
    DateDomain(first=date(1999, 12, 30), last=date(2000, 3, 2), unit="year", format="%d.%m.%Y"),
    DateDomain(first=date(1989, 12, 30), last=date(2020, 3, 2), unit="decade"),
    MissingDomain(known=NumberDomain(low=0, count=3), label="?"),
]


@pytest.mark.parametrize("domain", EXAMPLES, ids=repr)
def test_every_leaf_is_found_by_its_own_label(domain: Domain) -> None:
    codes = domain.locate(domain.leaves)
    assert codes.dtype == np.int32
    assert codes.tolist() == list(range(len(domain.leaves)))
    assert domain.locate(["no such value"]).tolist() == [-1]
    assert domain.locate([]).tolist() == []


def test_texts_match_exactly() -> None:
    domain = CategoryDomain(values=("39", "Größe"))
    assert domain.locate(["39", "39.0", "größe", "Größe"]).tolist() == [0, -1, -1, 1]


def test_ordered_texts_match_as_numbers_too() -> None:
    domain = CategoryDomain(values=("9", "39", "100"), ordered=True)
    assert domain.locate(["39.0", " 39", "1e2", "nan", "40"]).tolist() == [1, 1, 2, -1, -1]


def test_a_leading_zero_makes_a_code_not_a_number() -> None:
    domain = CategoryDomain(values=("01234", "24126"), ordered=True)
    assert domain.locate(["01234", "1234", "24126.0"]).tolist() == [0, -1, 1]


def test_two_spellings_of_a_number_leave_a_third_undecided() -> None:
    domain = CategoryDomain(values=("39", "39.0"), ordered=True)
    assert domain.locate(["39", "39.0", "39.00"]).tolist() == [0, 1, -1]


def test_a_category_domain_lists_every_repeated_value() -> None:
    with raises(HierarchyError, code="duplicate", key="values", found="'a', 'b'"):
        CategoryDomain(values=("a", "b", "a", "b", "c"))
    with raises(HierarchyError, code="no-values", key="values"):
        CategoryDomain(values=())


def test_adult_age_has_74_leaves() -> None:
    age = NumberDomain.spanning(low=17, high=90)
    assert (age.count, age.leaves[0], age.leaves[-1]) == (74, "17", "90")
    assert age.locate(["16", "17", "90", "90.0", "90.5", "17.5", "91"]).tolist() == [
        *(-1, 0, 73, 73),
        *(-1, -1, -1),
    ]


def test_moea_age_at_unit_5_has_15_bits() -> None:
    age = NumberDomain.spanning(low=10, high=90, unit=5)
    assert age.count - 1 == 15
    assert age.locate(["10", "14.9", "15", "85", "90", "90.01"]).tolist() == [0, 0, 1, 15, 15, -1]


def test_a_high_inside_a_unit_takes_the_whole_unit() -> None:
    age = NumberDomain.spanning(low=10, high=92, unit=5)
    assert (age.count, age.leaves[-1]) == (17, "[90, 95)")
    assert age.locate(["94", "95"]).tolist() == [16, -1]


def test_one_unit_where_low_is_high() -> None:
    assert NumberDomain.spanning(low=10, high=10, unit=5).leaves == ("[10, 15)",)
    assert NumberDomain.spanning(low=10, high=10).leaves == ("10",)


def test_a_tenth_is_a_tenth() -> None:
    domain = NumberDomain.spanning(low=0, high=1, unit=0.1)
    assert domain.count == 10
    assert domain.leaves[3] == "[0.3, 0.4)"
    assert domain.leaves[-1] == "[0.9, 1]"
    assert domain.locate(["0.3", "0.29999999999999999999999999999999999999", "1"]).tolist() == [
        *(3, 2, 9)
    ]


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "-Infinity", "1e999", "1_0", "ten", "1,5", "sNaN", "0x10"]
)
def test_what_is_not_a_number_is_outside(text: str) -> None:
    assert NumberDomain(low=0, unit=5, count=10).locate([text]).tolist() == [-1]


@given(
    low=st.decimals(-1000, 1000, places=2),
    unit=st.decimals("0.01", 50, places=2),
    count=st.integers(1, 60),
    value=st.decimals(-1200, 4000, places=4),
)
def test_numbers_lie_in_the_interval_that_holds_them(
    low: Decimal, unit: Decimal, count: int, value: Decimal
) -> None:
    domain = NumberDomain(low=low, unit=unit, count=count, fractional=True)
    expected = (Fraction(value) - Fraction(low)) // Fraction(unit)
    found = int(domain.locate([str(value)])[0])
    assert found == (expected if 0 <= expected < count else -1)


@pytest.mark.parametrize(
    ("settings", "code", "key", "found"),
    [
        ({"low": 5, "high": 1}, "conflicting-settings", "low", "5"),
        ({"low": 0, "high": 1, "unit": 0}, "out-of-range", "unit", "0"),
        ({"low": 0, "high": float("nan")}, "not-a-number", "high", "nan"),
        ({"low": True, "high": 1}, "not-a-number", "low", "True"),
        ({"low": 0, "high": 10**12}, "out-of-range", "unit", "1"),
    ],
)
def test_number_domains_teach(settings: dict[str, float], code: str, key: str, found: str) -> None:
    with raises(SettingsError, code=code, key=key, found=found):
        NumberDomain.spanning(**settings)  # type: ignore[arg-type]


def test_a_unit_is_above_zero() -> None:
    with raises(SettingsError, code="out-of-range", key="unit", found="-1"):
        NumberDomain(low=0, unit=-1, count=3)


def test_a_leap_year_has_366_days() -> None:
    domain = DateDomain(first=date(2000, 1, 1), last=date(2000, 12, 31))
    assert len(domain.leaves) == 366
    found = domain.locate(["2000-02-29", "2000-03-01", "2000-12-31T23:59:59+02:00", "2001-01-01"])
    assert found.tolist() == [59, 60, 365, -1]
    assert domain.locate(["2001-02-29", "2000-1-1", "2000", "2000-01"]).tolist() == [-1] * 4


def test_dates_in_another_format() -> None:
    domain = DateDomain(
        first=date(1998, 1, 1), last=date(1998, 12, 31), unit="month", format="%d.%m.%Y"
    )
    assert domain.locate(["14.03.1998", "1998-04", "03/14/1998"]).tolist() == [2, 3, -1]


@given(
    first=st.dates(date(1, 1, 1), date(9000, 1, 1)),
    days=st.integers(0, 4000),
    data=st.data(),
)
def test_dates_keep_their_order(first: date, days: int, data: st.DataObject) -> None:
    last = first + timedelta(days=days)
    unit = data.draw(st.sampled_from(UNITS))
    domain = DateDomain(first=first, last=last, unit=unit)
    inside = sorted(data.draw(st.lists(st.dates(first, last), max_size=5)))
    codes = domain.locate([first.isoformat(), *(day.isoformat() for day in inside)])
    assert codes.min() == 0
    assert (np.diff(codes) >= 0).all()
    assert domain.locate([last.isoformat()]).tolist() == [len(domain.leaves) - 1]


def test_date_domains_teach() -> None:
    with raises(SettingsError, code="conflicting-settings", key="first", found="2001-01-01"):
        DateDomain(first=date(2001, 1, 1), last=date(2000, 1, 1))
    with raises(SettingsError, code="unknown-choice", key="unit", found="'week'", expected=UNITS):
        DateDomain(first=date(2000, 1, 1), last=date(2001, 1, 1), unit="week")  # type: ignore[arg-type]


def test_missing_values_have_the_last_leaf() -> None:
    domain = MissingDomain(known=CategoryDomain(values=("a",)), label="?")
    assert domain.leaves == ("a", "?")
    assert not domain.ordered
    with raises(HierarchyError, code="taken-label", key="label", found="'a'"):
        MissingDomain(known=CategoryDomain(values=("a",)), label="a")
    with raises(HierarchyError, code="duplicate", key="label", found="'!'"):
        MissingDomain(known=domain, label="!")
