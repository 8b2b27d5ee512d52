"""Coarser values for columns that are released beside the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from sfumato.errors import SettingsError
from sfumato.hierarchies.domains.date_unit import UNITS, DateUnit, read_day
from sfumato.hierarchies.domains.exact_number import (
    Number,
    check_above_zero,
    exact_number,
    tidy_number,
)

WHOLE_DIGITS = 20
"""Numbers of more digits before the point are not coarsened."""

DIGITS = 16
"""Digits after the point beyond these are rounded before anything else."""


@dataclass(frozen=True, kw_only=True)
class CoarseNumbers:
    """Numbers that are rounded, then capped.

    ``round`` is the unit: every number becomes the nearest multiple of it, a number half-way the
    greater one. Then what lies above ``top`` becomes ``top`` (top coding), and what lies below
    ``bottom`` becomes ``bottom``.

    >>> str(CoarseNumbers(round=100, top=10000))
    'numbers rounded to 100, at most 10000'
    """

    round: Number | None = None
    top: Number | None = None
    bottom: Number | None = None

    def __post_init__(self) -> None:
        for name in ("round", "top", "bottom"):
            value = getattr(self, name)
            if value is None:
                continue
            number = exact_number(value, setting=name)
            _check_digits(number, setting=name)
            object.__setattr__(self, name, number)
        if isinstance(self.round, Decimal):
            check_above_zero(self.round, setting="round")
        _check_some(self.round, self.top, self.bottom, names="round, top or bottom")
        if isinstance(self.top, Decimal) and isinstance(self.bottom, Decimal):
            _check_caps(self.bottom <= self.top, str(self.bottom), str(self.top))

    def __str__(self) -> str:
        parts = [] if self.round is None else [f"rounded to {_written(self.round)}"]
        parts += [] if self.bottom is None else [f"at least {_written(self.bottom)}"]
        parts += [] if self.top is None else [f"at most {_written(self.top)}"]
        return f"numbers {', '.join(parts)}"


@dataclass(frozen=True, kw_only=True)
class CoarseDates:
    """ISO dates or date-times that are capped, then shortened to a unit.

    What lies after ``top`` becomes ``top``, and what lies before ``bottom`` becomes ``bottom``.
    Then every date becomes its ``unit``: "2024-03", "2024-Q1", "2024", "2020s".

    >>> str(CoarseDates(unit="month", bottom="1930-01-01"))
    'dates by month, from 1930-01-01 on'
    """

    unit: DateUnit = "day"
    top: date | str | None = None
    bottom: date | str | None = None

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError.unknown_choice("unit", self.unit, UNITS)
        for name in ("top", "bottom"):
            value = getattr(self, name)
            if value is None:
                continue
            day = read_day(value) if isinstance(value, str) else value
            if not isinstance(day, date):
                raise SettingsError.wrong_setting(
                    name, value, "an ISO date like '2020-12-31'", code="not-a-date"
                )
            object.__setattr__(self, name, day.isoformat()[:10])
        if self.unit == "day":
            _check_some(self.top, self.bottom, names="a unit, top or bottom")
        if self.top is not None and self.bottom is not None:
            _check_caps(str(self.bottom) <= str(self.top), str(self.bottom), str(self.top))

    def __str__(self) -> str:
        parts = [f"by {self.unit}"]
        parts += [] if self.bottom is None else [f"from {self.bottom} on"]
        parts += [] if self.top is None else [f"to {self.top}"]
        return f"dates {', '.join(parts)}"


Coarsening: TypeAlias = CoarseNumbers | CoarseDates


@dataclass(frozen=True, kw_only=True)
class CoarsenedValues:
    """A rule for all values of a column but the missing ones, null or one of ``markers``."""

    rule: Coarsening
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class UnreadableValues:
    """The rows whose value a rule cannot read, and the most frequent of these texts."""

    rows: int
    texts: tuple[str, ...]


def _written(number: Number | None) -> str:
    assert isinstance(number, Decimal)
    return tidy_number(number)


def _check_digits(number: Decimal, *, setting: str) -> None:
    _, digits, exponent = number.normalize().as_tuple()
    assert isinstance(exponent, int)
    if -exponent > DIGITS or len(digits) + exponent > WHOLE_DIGITS:
        raise SettingsError(
            code="too-many-digits",
            key=setting,
            found=str(number),
            expected=f"at most {WHOLE_DIGITS} digits before the point and {DIGITS} after it",
        )


def _check_some(*given: object, names: str) -> None:
    if all(each is None for each in given):
        raise SettingsError(
            "the coarsening changes nothing", code="missing-setting", expected=names
        )


def _check_caps(ordered: bool, bottom: str, top: str) -> None:
    if not ordered:
        raise SettingsError(
            code="conflicting-settings", key="bottom", found=bottom, expected=f"at most top, {top}"
        )
