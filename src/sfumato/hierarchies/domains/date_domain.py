"""Domains whose leaves are calendar periods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.hierarchies.domains.date_unit import (
    UNITS,
    DateFormat,
    DateUnit,
    period_label,
    period_number,
    read_period,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sfumato.arrays import Codes


@dataclass(frozen=True, kw_only=True)
class DateDomain:
    """A leaf for every period of ``unit`` from that of ``first`` to that of ``last``.

    Values are ISO dates, ISO date-times (taken by their date), or what the strptime ``format``
    reads, or one of several. A period belongs to the domain as a whole.

    >>> from datetime import date
    >>> domain = DateDomain(first=date(1999, 11, 5), last=date(2000, 2, 1), unit="month")
    >>> domain.leaves
    ('1999-11', '1999-12', '2000-01', '2000-02')
    >>> domain.locate(["2000-02-29", "1999-11-01T08:00", "2000-03-01", "soon"])
    array([ 3,  0, -1, -1], dtype=int32)
    """

    first: date
    last: date
    unit: DateUnit = "day"
    format: DateFormat = None

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError.unknown_choice("unit", self.unit, UNITS)
        check_days(self.first, self.last)

    @property
    def ordered(self) -> bool:
        """True: dates have distances."""
        return True

    @cached_property
    def first_number(self) -> int:
        """The number of the first period."""
        return period_number(self.first, self.unit)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The labels of the periods, like "1998-03"."""
        numbers = range(self.first_number, period_number(self.last, self.unit) + 1)
        return tuple(period_label(number, self.unit) for number in numbers)

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every date, -1 where it lies outside or is not a date."""
        return np.fromiter(map(self._leaf, values), np.int32, len(values))

    def reads(self, text: str) -> bool:
        """Return whether a text is a date at all, inside or outside."""
        return read_period(text, unit=self.unit, format=self.format) is not None

    def _leaf(self, text: str) -> int:
        number = read_period(text, unit=self.unit, format=self.format)
        if number is None:
            return -1
        leaf = number - self.first_number
        return leaf if 0 <= leaf < len(self.leaves) else -1


def check_days(first: date, last: date) -> None:
    """Refuse a span of days that ends before it begins."""
    if last < first:
        raise SettingsError(
            code="conflicting-settings",
            key="first",
            found=str(first),
            expected=f"at most last, {last}",
        )
