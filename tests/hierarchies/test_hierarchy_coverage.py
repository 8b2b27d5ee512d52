from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.errors import HierarchyError
from sfumato.hierarchies.builders import Dates, HierarchyBuilder, Intervals
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.hierarchy import Hierarchy

if TYPE_CHECKING:
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain

COUNTRIES = Hierarchy.from_rows(
    [("Germany", "*"), ("France", "*"), ("01234", "*"), ("7", "*")], name="country.csv"
)


def complaint(hierarchy: PartitionedDomain, *values: str) -> str:
    with pytest.raises(HierarchyError) as caught:
        check_covers(hierarchy, values, column="country", where="country.csv")
    return str(caught.value)


def test_covered_values_pass() -> None:
    check_covers(COUNTRIES, ["France", "7"], column="country", where="country.csv")
    check_covers(COUNTRIES, [], column="country", where="country.csv")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (" France ", "('France' with other blanks?)"),
        ("FRANCE", "('France' in other case?)"),
        ("Frence", "('France' misspelt?)"),
        ("1234", "('01234' in other digits?)"),
        ("7.0", "('7' in other digits?)"),
        ("Peru", "'Peru'; add it to country.csv"),
    ],
)
def test_hints(value: str, hint: str) -> None:
    assert hint in complaint(COUNTRIES, "France", value)


def test_every_value_is_counted_and_ten_are_named() -> None:
    message = complaint(COUNTRIES, *(f"No. {number}" for number in range(13)))
    assert "has 13 values that its hierarchy lacks" in message
    assert "'No. 9', … and 3 more; add them to country.csv" in message


@pytest.mark.parametrize(
    ("builder", "span", "value", "hint"),
    [
        (Intervals(), ["17", "90"], "91", "(outside 17 to 90)"),
        (Intervals(), ["17", "90"], "old", "(no number)"),
        (Intervals(), ["17", "90"], "17.5", "(not whole; a finer unit would take it)"),
        (Intervals(unit=5, high=90), ["17", "90"], "91", "(outside 15 to 90)"),
        (Intervals(unit=5), ["17", "90"], "96", "(outside 15 to 95)"),
        (Dates(), ["1999-01-01", "1999-12-31"], "2000-01-01", "(outside 1999-01-01 to 1999-12-31)"),
        (Dates(), ["1999-01-01", "1999-12-31"], "soon", "(no ISO date)"),
        (Dates(format="%d.%m.%Y"), ["01.01.1999"], "soon", "(no date as '%d.%m.%Y')"),
    ],
)
def test_hints_for_numbers_and_dates(
    builder: HierarchyBuilder, span: list[str], value: str, hint: str
) -> None:
    hierarchy = builder.build(span, column="country").with_missing("?")
    check_covers(hierarchy, [*span, "?"], column="country", where="country.csv")
    assert hint in complaint(hierarchy, value)
