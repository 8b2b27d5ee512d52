from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders import Intervals

if TYPE_CHECKING:
    from sfumato.hierarchies.domains.exact_number import Number


def test_adult_age() -> None:
    age = Intervals(widths=(5, 10, 20, 40), low=17, high=90).build(["39", "50"], column="age")
    assert age.leaf_count == 74
    assert age.height == 5
    assert age.labels[1][0] == "[15, 20)"
    assert age.labels[1][-1] == "[90, 95)"
    assert age.labels[4] == ("[0, 40)", "[40, 80)", "[80, 120)")
    path = [names[codes[22]] for names, codes in zip(age.labels, age.levels, strict=True)]
    assert path == ["39", "[35, 40)", "[30, 40)", "[20, 40)", "[0, 40)", "*"]


def test_moea_age_of_35_is_in_the_second_block() -> None:
    age = Intervals(widths=(20,), unit=5, low=10, high=90, origin=10).build([], column="age")
    assert age.leaf_count - 1 == 15
    assert age.levels[1][age.locate(["35"])[0]] + 1 == 2


def test_the_data_span_the_domain_unless_declared() -> None:
    age = Intervals(widths=(10,), unit=5).build(["17", "88", "23"], column="age")
    assert (age.domain.leaves[0], age.domain.leaves[-1]) == ("[15, 20)", "[85, 90)")
    assert age.labels[1][-1] == "[80, 90)"
    below = Intervals(widths=(10,)).build(["-3", "4"], column="change")
    assert below.domain.leaves[0] == "-3"
    assert below.labels[1] == ("[-10, 0)", "[0, 10)")


def test_fractions_make_intervals_of_whole_units() -> None:
    dose = Intervals(widths=(2,), fractional=True).build(["0.5", "3", "4"], column="dose")
    assert dose.domain.leaves == ("[0, 1)", "[1, 2)", "[2, 3)", "[3, 4)", "[4, 5)")
    assert dose.labels[1] == ("[0, 2)", "[2, 4)", "[4, 6)")
    assert dose.locate(["0.5", "4", "5.1"]).tolist() == [0, 4, -1]


def test_fractions_are_declared() -> None:
    """One fraction, perhaps of somebody who is suppressed, must not change the labels of all."""
    for builder in (Intervals(), Intervals(low=0, high=9)):
        with raises(HierarchyError, code="not-whole", column="dose", key="fractional"):
            builder.build(["3", "0.5"], column="dose")
    declared = Intervals(low=0, high=9, fractional=True)
    assert declared.build(["3"], column="dose") == declared.build(["3", "0.5"], column="dose")


def test_the_levels_of_an_open_domain_do_not_tell_how_far_it_reaches() -> None:
    near = Intervals(widths=(5, 10, 40)).build(["21", "38"], column="age")
    far = Intervals(widths=(5, 10, 40)).build(["21", "38", "97"], column="age")
    assert near.height == far.height == 4
    assert [names[0] for names in near.labels] == [names[0] for names in far.labels]
    assert near.labels[3] == ("[0, 40)",)


def test_the_last_interval_is_closed_whatever_occurs_below_it() -> None:
    builder = Intervals(widths=(10,), unit=5, high=90)
    for values in (["90"], ["90", "20"]):
        hierarchy = builder.build(values, column="age")
        assert hierarchy.domain.leaves[-1] == "[85, 90]"
        assert hierarchy.labels[1][-1] == "[80, 90]"


def test_a_unit_of_a_tenth() -> None:
    dose = Intervals(widths=(0.2, 0.6), unit=0.1).build(["0.3", "1.45"], column="dose")
    assert dose.domain.leaves[0] == "[0.3, 0.4)"
    assert dose.labels[1][:2] == ("[0.2, 0.4)", "[0.4, 0.6)")
    assert dose.labels[2] == ("[0, 0.6)", "[0.6, 1.2)", "[1.2, 1.8)")


def test_a_width_that_makes_one_block_is_left_to_the_top() -> None:
    age = Intervals(widths=(50, 100, 1000), low=17, high=90).build([], column="age")
    assert [len(names) for names in age.labels] == [74, 2, 1]


def test_a_width_that_merges_nothing_stays_a_level() -> None:
    age = Intervals(widths=(5, 10), unit=5, low=10, high=90).build([], column="age")
    assert [len(names) for names in age.labels] == [16, 16, 8, 1]


def test_huge_widths_do_not_overflow() -> None:
    hierarchy = Intervals(widths=(10**30,)).build(["-1", "1"], column="x")
    assert hierarchy.levels[1].tolist() == [0, 1, 1]


@given(
    values=st.lists(st.decimals(-50, 50, places=1), min_size=1, max_size=6),
    unit=st.sampled_from(["0.1", "0.5", "1", "3"]),
    factors=st.lists(st.integers(2, 4), max_size=3),
    origin=st.decimals(-5, 5, places=1),
)
def test_every_number_lies_in_its_labels(
    values: list[Decimal], unit: str, factors: list[int], origin: Decimal
) -> None:
    widths = [Decimal(unit)]
    for factor in factors:
        widths.append(widths[-1] * factor)
    builder = Intervals(widths=tuple(widths[1:]), unit=unit, origin=origin, fractional=True)
    texts = sorted({str(value) for value in values})
    hierarchy = builder.build(texts, column="x")
    for text, leaf in zip(texts, hierarchy.locate(texts).tolist(), strict=True):
        for names, codes in zip(hierarchy.labels[:-1], hierarchy.levels, strict=False):
            label = names[codes[leaf]]
            if not label.startswith("["):
                assert Decimal(label) == Decimal(text)
                continue
            start, end = map(Decimal, label[1:-1].split(", "))
            assert start <= Decimal(text) <= end
            assert label.endswith("]") or Decimal(text) < end


@pytest.mark.parametrize(
    ("widths", "unit", "found", "suggestion"),
    [
        ((7,), 5, "7", "5"),
        ((5, 12), 1, "12", "10"),
        ((5, 5), 1, "5", "10"),
        ((10, 5), 1, "5", "20"),
        ((0.25,), 0.1, "0.25", "0.2"),
        ((-5,), 1, "-5", "1"),
        ((0,), 1, "0", "1"),
    ],
)
def test_widths_that_do_not_nest(
    widths: tuple[Number, ...], unit: Number, found: str, suggestion: str
) -> None:
    with raises(
        SettingsError, code="not-a-multiple", key="widths", found=found, suggestion=suggestion
    ):
        Intervals(widths=widths, unit=unit)


def test_other_settings_are_checked() -> None:
    with raises(SettingsError, code="out-of-range", key="unit", found="0", expected="above 0"):
        Intervals(unit=0)
    with raises(SettingsError, code="conflicting-settings", key="low", found="90"):
        Intervals(low=90, high=17)
    with raises(SettingsError, code="not-a-number", key="origin", found="'here'"):
        Intervals(origin="here")
    with raises(SettingsError, code="not-a-number", key="widths", found="'wide'"):
        Intervals(widths=("wide",))


def test_values_that_do_not_fit() -> None:
    with raises(HierarchyError, code="not-a-number", column="age"):
        Intervals().build(["1", "x", ""], column="age")
    with raises(HierarchyError, code="value-not-in-hierarchy", column="age"):
        Intervals(low=17, high=90).build(["16", "91"], column="age")
    with raises(HierarchyError, code="outside-domain", column="age"):
        Intervals(low=17).build(["16"], column="age")
    with raises(HierarchyError, code="no-values", column="age"):
        Intervals(low=17).build([], column="age")
    with raises(SettingsError, code="out-of-range", column="income", key="unit"):
        Intervals().build(["0", "1e12"], column="income")
