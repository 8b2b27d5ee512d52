"""Hierarchies of calendar dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.errors import HierarchyError, SettingsError, shown
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.builders.builder import check_list
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.domains.date_domain import DateDomain, check_days
from sfumato.hierarchies.domains.date_unit import (
    UNITS,
    DateFormat,
    DateUnit,
    coarser_periods,
    period_label,
    period_start,
    read_day,
    read_period,
)
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes

COMMON_FORMATS = (
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%Y/%m/%d",
    "%d-%m-%Y",
    "%d.%m.%y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%m/%Y",
    "%m/%y",
    "%d %b %Y",
    "%d %B %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%m-%d-%Y",
    "%Y.%m.%d",
    "%B %d, %Y",
    "%Y%m%d",
    "%Y",
)


@dataclass(frozen=True, kw_only=True)
class Dates:
    """Days become months, quarters, years and decades, then ``*``.

    The first of ``levels`` is the unit of the domain; levels go from fine to coarse. Values
    are ISO dates or date-times, or what the strptime ``format`` reads; of several formats the first
    that reads a value counts. ``first`` and ``last``
    declare the domain; without them it spans the dates that occur.

    >>> births = Dates().build(["1998-03-14", "2001-12-31"], column="birth")
    >>> [names[0] for names in births.labels]
    ['1998-03-14', '1998-03', '1998-Q1', '1998', '1990s', '*']
    >>> births.block_count(0), births.block_count(4)
    (1389, 2)
    """

    levels: Sequence[DateUnit] = UNITS
    format: str | Sequence[str] | None = None
    first: date | str | None = None
    last: date | str | None = None

    def __post_init__(self) -> None:
        check_list(self.levels, setting="levels", example="('day', 'month', 'year')")
        object.__setattr__(self, "levels", tuple(self.levels))
        unknown = [level for level in self.levels if level not in UNITS]
        if unknown:
            raise SettingsError.unknown_choice("levels", unknown[0], UNITS)
        positions = [UNITS.index(level) for level in self.levels]
        if not positions or any(fine >= coarse for fine, coarse in pairwise(positions)):
            raise SettingsError(
                code="wrong-order",
                key="levels",
                found=listed(self.levels) or "empty",
                expected=f"from fine to coarse, each once, in the order {listed(UNITS)}",
            )
        if self.format is not None and not isinstance(self.format, str):
            check_list(self.format, setting="format", example="('%d.%m.%Y', '%m/%d/%Y')")
            object.__setattr__(self, "format", tuple(self.format) or None)
        first = self._declared("first", self.first)
        last = self._declared("last", self.last)
        if first is not None and last is not None:
            check_days(first, last)

    @property
    def domain_is_declared(self) -> bool:
        """Whether the domain is the same whatever dates occur."""
        return self.first is not None and self.last is not None

    @property
    def formats(self) -> DateFormat:
        """The format, or the formats in the order in which they are tried."""
        return (
            self.format if self.format is None or isinstance(self.format, str) else (*self.format,)
        )

    def build(self, values: Sequence[str], *, column: str) -> Hierarchy:
        """Return the hierarchy of the declared dates, or else of the span that occurs."""
        domain = self._domain(values, column)
        numbers = np.arange(len(domain.leaves), dtype=np.int64) + domain.first_number
        levels: list[Codes] = []
        labels: list[tuple[str, ...]] = []
        for unit in self.levels:
            periods = coarser_periods(numbers, fine=self.levels[0], coarse=unit)
            levels.append(sealed_codes(periods - periods[0]))
            blocks = range(int(periods[0]), int(periods[-1]) + 1)
            labels.append(tuple(period_label(number, unit) for number in blocks))
        levels.append(sealed_codes(np.zeros(len(numbers))))
        hierarchy = Hierarchy(domain=domain, levels=tuple(levels), labels=(*labels, (TOP,)))
        check_covers(hierarchy, values, column=column, add_to="the domain (first, last)")
        return hierarchy

    def _domain(self, values: Sequence[str], column: str) -> DateDomain:
        unit = self.levels[0]
        periods: list[int] = []
        unread: list[str] = []
        for value in values:
            period = read_period(value, unit=unit, format=self.formats)
            if period is None:
                unread.append(value)
            else:
                periods.append(period)
        if unread:
            format_given = f"format={self.format!r}" if self.format else "ISO format (1998-03-14)"
            raise HierarchyError(
                f"column {column!r} has {counted(len(unread), 'value')} that {format_given} does "
                f"not read as dates: {listed(unread)}",
                code="not-a-date",
                column=column,
                key="format",
                found=shown(self.format),
                suggestion=_suggestion(_as_tuple(self.formats), unread, values, unit),
                remedy="leave out format to read them"
                if all(read_period(value, unit=unit) is not None for value in values)
                else "format is the strptime format that the dates have, like '%d.%m.%Y', or a "
                "list of several, of which the first that reads a value counts",
            )
        first = self._declared("first", self.first)
        last = self._declared("last", self.last)
        if not periods and (first is None or last is None):
            raise HierarchyError(
                "there are no values to build dates of",
                code="no-values",
                column=column,
                remedy="declare first and last",
            )
        start = first if first is not None else period_start(min(periods), unit)
        end = last if last is not None else period_start(max(periods), unit)
        if end < start:
            raise HierarchyError(
                f"the dates lie outside the declared domain, which would go from {start} to {end}",
                code="outside-domain",
                column=column,
                remedy="declare first and last around the dates that occur",
            )
        return DateDomain(first=start, last=end, unit=unit, format=self.formats)

    def _declared(self, setting: str, value: date | str | None) -> date | None:
        if value is None or isinstance(value, date):
            return value
        day = read_day(value) or (read_day(value, format=self.formats) if self.format else None)
        if day is None:
            raise SettingsError.wrong_setting(
                setting, value, "a date like '1998-03-14'", code="not-a-date"
            )
        return day


def _suggestion(
    given: tuple[str, ...], unread: Sequence[str], values: Sequence[str], unit: DateUnit
) -> str | None:
    """Return a format, or a list of formats, that reads all values: one that breaks none."""
    for more in COMMON_FORMATS:
        if not _reads(unread, more):
            continue
        for formats in ((more,), (*given, more)):
            if all(read_period(value, unit=unit, format=formats) is not None for value in values):
                listing = ", ".join(f'"{each}"' for each in formats)
                return more if len(formats) == 1 else f"[{listing}]"
    return None


def _as_tuple(formats: DateFormat) -> tuple[str, ...]:
    return () if formats is None else (formats,) if isinstance(formats, str) else formats


def _reads(values: Sequence[str], format: str | None) -> bool:  # noqa: A002
    return all(read_day(value, format=format) for value in values)
