from __future__ import annotations

import pytest
from tests.raised import raises

from sfumato.errors import HierarchyError
from sfumato.hierarchies.builders import Dates, HierarchyBuilder, Intervals
from sfumato.hierarchies.builders.coverage import Hints, check_covers
from sfumato.hierarchies.hierarchy import Hierarchy

COUNTRIES = Hierarchy.from_rows(
    [("Germany", "*"), ("France", "*"), ("01234", "*"), ("7", "*")], name="country.csv"
)


def test_covered_values_pass() -> None:
    check_covers(COUNTRIES, ["France", "7"], column="country", add_to="country.csv")
    check_covers(COUNTRIES, [], column="country", add_to="country.csv")


def test_a_value_that_is_not_covered_is_refused() -> None:
    with raises(HierarchyError, code="value-not-in-hierarchy", column="country") as caught:
        check_covers(COUNTRIES, ["France", "Peru"], column="country", add_to="country.csv")
    # A value of the data is in the text, so that it can be found, and in no field.
    assert "'Peru'" in str(caught.value)
    assert caught.value.found is caught.value.expected is caught.value.suggestion is None


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (" France ", " ('France' with other blanks?)"),
        ("FRANCE", " ('France' in other case?)"),
        ("Frence", " ('France' misspelt?)"),
        ("1234", " ('01234' in other digits?)"),
        ("7.0", " ('7' in other digits?)"),
        ("Peru", ""),
    ],
)
def test_hints(value: str, hint: str) -> None:
    assert Hints(COUNTRIES.domain).about(value) == hint


def test_every_value_is_counted_and_ten_are_named() -> None:
    values = [f"No. {number}" for number in range(13)]
    with raises(HierarchyError, code="value-not-in-hierarchy") as caught:
        check_covers(COUNTRIES, values, column="country", add_to="country.csv")
    assert [value in str(caught.value) for value in values[9:]] == [True, False, False, False]
    assert "13" in str(caught.value)


@pytest.mark.parametrize(
    ("builder", "span", "value", "hint"),
    [
        (Intervals(), ["17", "90"], "91", "outside 17 to 90"),
        (Intervals(), ["17", "90"], "old", "not a number"),
        (
            Intervals(),
            ["17", "90"],
            "17.5",
            "not whole; fractional = true or a finer unit would take it",
        ),
        (Intervals(unit=5, high=90), ["17", "90"], "91", "outside 15 to 90"),
        (Intervals(unit=5), ["17", "90"], "96", "outside 15 to 95"),
        (Dates(), ["1999-01-01", "1999-12-31"], "2000-01-01", "outside 1999-01-01 to 1999-12-31"),
        (Dates(), ["1999-01-01", "1999-12-31"], "soon", "not an ISO date"),
        (Dates(format="%d.%m.%Y"), ["01.01.1999"], "soon", "not a date as '%d.%m.%Y'"),
    ],
)
def test_hints_for_numbers_and_dates(
    builder: HierarchyBuilder, span: list[str], value: str, hint: str
) -> None:
    hierarchy = builder.build(span, column="country").with_missing("?")
    check_covers(hierarchy, [*span, "?"], column="country", add_to="country.csv")
    assert Hints(hierarchy.domain).about(value) == f" ({hint})"
