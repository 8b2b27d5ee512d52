"""The numbers that values of a domain stand for: of numbers themselves, of dates their days."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.domains.date_unit import (
    DateUnit,
    period_start,
    read_day,
    read_period,
)
from sfumato.hierarchies.domains.domain import (
    CategoryDomain,
    DateDomain,
    MissingDomain,
    NumberDomain,
)
from sfumato.hierarchies.domains.exact_number import grid_line, parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Floats
    from sfumato.hierarchies.domains.domain import Domain


class ValueKind(enum.StrEnum):
    """What values are: numbers and dates have distances, categories have none."""

    NUMBER = "number"
    DATE = "date"
    CATEGORY = "category"


@dataclass(frozen=True, kw_only=True, eq=False)
class LeafNumbers:
    """The least and the greatest number under every leaf; NaN for missing values.

    Dates are days since 0001-01-01. A leaf that is one value has that number as both ends.
    """

    kind: ValueKind
    low: Floats
    high: Floats


def leaf_numbers(domain: Domain) -> LeafNumbers | None:
    """Return the numbers of the leaves of a domain; None if they are categories.

    >>> found = leaf_numbers(NumberDomain(low=20, count=3))
    >>> found.kind, found.low.tolist(), found.high.tolist()
    (<ValueKind.NUMBER: 'number'>, [20.0, 21.0, 22.0], [20.0, 21.0, 22.0])
    >>> leaf_numbers(NumberDomain(low=20, unit=5, count=2)).high.tolist()
    [25.0, 30.0]
    """
    if isinstance(domain, MissingDomain):
        known = leaf_numbers(domain.known)
        if known is None:
            return None
        return LeafNumbers(
            kind=known.kind,
            low=np.append(known.low, np.nan),
            high=np.append(known.high, np.nan),
        )
    if isinstance(domain, NumberDomain):
        lines = np.array(
            [
                float(grid_line(place, origin=domain.exact_low, unit=domain.exact_unit))
                for place in range(domain.count + 1)
            ]
        )
        high = lines[:-1] if domain.whole else lines[1:]
        return LeafNumbers(kind=ValueKind.NUMBER, low=lines[:-1], high=high)
    if isinstance(domain, DateDomain):
        numbers = range(domain.first_number, domain.first_number + len(domain.leaves))
        ends = [_days(number, domain.unit) for number in numbers]
        return _of_ends(ValueKind.DATE, ends)
    assert isinstance(domain, CategoryDomain), "there is no other domain"
    return text_numbers(domain.values) if domain.ordered else None


def text_numbers(texts: Sequence[str]) -> LeafNumbers | None:
    """Return the numbers of texts that are all numbers, or all ISO dates; None otherwise.

    >>> text_numbers(["9", "10.5"]).low.tolist(), text_numbers(["a", "1"])
    ([9.0, 10.5], None)
    """
    numbers = [parse_number(text) for text in texts]
    if numbers and None not in numbers:
        values = [(float(number), float(number)) for number in numbers if number is not None]
        return _of_ends(ValueKind.NUMBER, values)
    days = [read_day(text) for text in texts]
    if days and None not in days:
        values = [(float(day.toordinal()), float(day.toordinal())) for day in days if day]
        return _of_ends(ValueKind.DATE, values)
    return None


def value_number(text: str, domain: Domain) -> float | None:
    """Return the number of a value as the source has it; None if its text alone does not tell."""
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if isinstance(known, DateDomain):
        day = read_day(text, format=known.format) or read_day(text)
        if day is not None:
            return float(day.toordinal())
        period = read_period(text, unit=known.unit, format=known.format)
        return None if period is None else sum(_days(period, known.unit)) / 2
    number = parse_number(text)
    if number is not None:
        return float(number)
    day = read_day(text) if isinstance(known, CategoryDomain) and known.ordered else None
    return None if day is None else float(day.toordinal())


def _days(number: int, unit: DateUnit) -> tuple[float, float]:
    """Return the first and the last day of a period."""
    first = period_start(number, unit).toordinal()
    return float(first), float(period_start(number + 1, unit).toordinal() - 1)


def _of_ends(kind: ValueKind, ends: Sequence[tuple[float, float]]) -> LeafNumbers:
    both = np.array(ends, dtype=np.float64).reshape(-1, 2)
    return LeafNumbers(kind=kind, low=both[:, 0].copy(), high=both[:, 1].copy())
