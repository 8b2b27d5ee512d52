"""Scales: how the texts of a column become whole numbers that can be ordered and averaged.

Positions are integers of any size, so that sums of them are exact in whatever order they are
added, and back from a position leads one way of writing it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Protocol

from sfumato.engines.messages.block_statistics import Statistic
from sfumato.errors import ReleaseError
from sfumato.hierarchies.domains.date_unit import (
    DateFormat,
    DateUnit,
    period_label,
    read_day,
    read_period,
)
from sfumato.hierarchies.domains.domain import DateDomain, NumberDomain
from sfumato.hierarchies.domains.exact_number import EXACT, tidy_number
from sfumato.hierarchies.domains.number_style import PLAIN, NumberStyle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sfumato.hierarchies.domains.domain import Domain

MOST_DECIMALS = 50
"""Digits after the point beyond which numbers are cut off: no mean is written with as many."""


class ValueScale(Protocol):
    """The positions of values, and how they are written."""

    def write(self, position: int) -> str:
        """Return the value at a position."""

    def number(self, position: int) -> float:
        """Return a position as an engine calculates with it."""

    def read(self, text: str) -> float:
        """Return the number of what was written."""


@dataclass(frozen=True, kw_only=True)
class NumberScale:
    """Numbers in units of ten to the power of minus ``decimals``; means are rounded to ``digits``.

    >>> NumberScale(decimals=1).write(395), NumberScale(decimals=1).write(390)
    ('39.5', '39')
    """

    decimals: int
    digits: int = 0

    def write(self, position: int) -> str:
        """Return the shortest plain spelling of the number."""
        return tidy_number(Decimal(position).scaleb(-self.decimals, EXACT))

    def write_mean(self, mean: Fraction) -> str:
        """Return a mean of positions, rounded half to even.

        >>> from fractions import Fraction
        >>> NumberScale(decimals=0, digits=2).write_mean(Fraction(493, 3))
        '164.33'
        """
        rounded = round(mean / 10**self.decimals * 10**self.digits)
        return tidy_number(Decimal(rounded).scaleb(-self.digits, EXACT))

    def number(self, position: int) -> float:
        """Return the number itself."""
        return float(self.write(position))

    def read(self, text: str) -> float:
        """Return the number."""
        return float(text)


@dataclass(frozen=True, kw_only=True)
class DateScale:
    """Days, or the periods of a unit, by their numbers."""

    unit: DateUnit

    def write(self, position: int) -> str:
        """Return a day in ISO form, or the label of a period."""
        return period_label(position, self.unit)

    def write_mean(self, mean: Fraction) -> str:
        """Return the nearest day or period, the earlier of two: nothing lies between them.

        >>> from fractions import Fraction
        >>> DateScale(unit="year").write_mean(Fraction(3997, 2))
        '1998'
        """
        return self.write(ceil(mean - Fraction(1, 2)))

    def number(self, position: int) -> float:
        """Return the number of the day or period."""
        return float(position)

    def read(self, text: str) -> float:
        """Return the number of the day or period."""
        period = read_period(text, unit=self.unit)
        assert period is not None
        return float(period)


@dataclass(frozen=True, kw_only=True)
class LeafScale:
    """Categories by their place in the order of the domain."""

    leaves: tuple[str, ...]

    def write(self, position: int) -> str:
        """Return the category."""
        return self.leaves[position]

    def number(self, position: int) -> float:
        """Return the place of the category."""
        return float(position)

    def read(self, text: str) -> float:
        """Return the place of the category."""
        return float(self._place[text])

    @cached_property
    def _place(self) -> dict[str, int]:
        return {leaf: place for place, leaf in enumerate(self.leaves)}


def scale_of(
    texts: Sequence[str],
    *,
    domain: Domain,
    statistic: Statistic,
    digits: int | None,
    column: str,
) -> tuple[ValueScale, dict[str, int]]:
    """Return the scale of a column for a statistic, and the position of every text.

    Texts are read as their domain reads them. Dates are days if all of them tell the day,
    otherwise periods of the domain's finest unit. Categories have a mean if all are numbers.
    """
    if isinstance(domain, DateDomain):
        return _dates(texts, domain)
    style = domain.style if isinstance(domain, NumberDomain) else PLAIN
    all_numbers = isinstance(domain, NumberDomain) and None not in map(style.parse, texts)
    if statistic is Statistic.MEAN or all_numbers:
        return _numbers(texts, column, digits or 0, style)
    places = zip(texts, domain.locate(texts).tolist(), strict=True)
    return LeafScale(leaves=domain.leaves), dict(places)


def _numbers(
    texts: Sequence[str], column: str, digits: int, style: NumberStyle
) -> tuple[NumberScale, dict[str, int]]:
    numbers: dict[str, Decimal] = {}
    for text in texts:
        number = style.parse(text)
        if number is None:
            raise ReleaseError(
                f"column {column!r} has values that are not numbers, like {text!r}, so that it "
                "has no mean",
                code="not-a-number",
                column=column,
                remedy="choose statistic = 'median' or 'mode' for it",
            )
        if int(number.as_tuple().exponent) < -MOST_DECIMALS:
            number = number.quantize(Decimal(1).scaleb(-MOST_DECIMALS), ROUND_FLOOR, EXACT)
        numbers[text] = number
    decimals = max((-int(n.as_tuple().exponent) for n in numbers.values()), default=0)
    scale = NumberScale(decimals=max(0, decimals), digits=digits)
    return scale, {text: int(n.scaleb(scale.decimals, EXACT)) for text, n in numbers.items()}


def _dates(texts: Sequence[str], domain: DateDomain) -> tuple[DateScale, dict[str, int]]:
    days = {text: _day(text, domain.format) for text in texts}
    if all(days.values()):
        return DateScale(unit="day"), {t: d.toordinal() for t, d in days.items() if d is not None}
    periods = {text: read_period(text, unit=domain.unit, format=domain.format) for text in texts}
    return (
        DateScale(unit=domain.unit),
        {text: period for text, period in periods.items() if period is not None},
    )


def _day(text: str, form: DateFormat) -> date | None:
    day = read_day(text, format=form)
    return read_day(text) if day is None and form is not None else day
