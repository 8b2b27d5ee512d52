from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.domains.number_style import DECIMAL_MARKS, THOUSANDS_SIGNS, NumberStyle

if TYPE_CHECKING:
    from decimal import Decimal

STYLES = [
    NumberStyle(decimal=decimal, thousands=thousands)
    for decimal in DECIMAL_MARKS
    for thousands in THOUSANDS_SIGNS
    if not thousands or thousands not in decimal
]


@given(
    number=st.decimals(-(10**9), 10**9, places=2),
    style=st.sampled_from(STYLES),
    grouped=st.booleans(),
)
def test_what_is_written_is_read(number: Decimal, style: NumberStyle, grouped: bool) -> None:
    text = f"{number:,}" if grouped and style.thousands else f"{number}"
    written = text.replace(",", "x").replace(".", style.decimal[0]).replace("x", style.thousands)
    assert style.parse(written) == number


@pytest.mark.parametrize("text", ["1.2345,6", "12.34.567", "1,2,3", "", "eins", "1.5 kg", ",", "."])
def test_what_is_no_number(text: str) -> None:
    assert NumberStyle(decimal=",", thousands=".").parse(text) is None


def test_intervals_read_decimal_commas() -> None:
    built = Intervals(
        widths=(10,), fractional=True, decimal=",", thousands=".", low=0, high=2000
    ).build(["1.234,5", "7"], column="cost")
    assert [built.domain.leaves[leaf] for leaf in built.locate(["1.234,5", "7"])] == [
        "[1234, 1235)",
        "[7, 8)",
    ]
    # The labels that a release has are read as well.
    assert built.locate(["[1234, 1235)"])[0] == 1234


def test_signs_that_cannot_be() -> None:
    with raises(SettingsError, code="unknown-choice", key="decimal"):
        NumberStyle(decimal=";")
    with raises(SettingsError, code="conflicting-settings", key="thousands"):
        Intervals(decimal=",", thousands=",")
