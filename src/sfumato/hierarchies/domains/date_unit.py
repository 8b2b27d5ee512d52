"""Calendar units: how days make months, quarters, years and decades.

A period of a unit has a number: a day its proleptic ordinal, any other unit the months since
year 0 divided by the months that it spans. Numbers of neighbouring periods differ by one.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from sfumato.arrays import Counts

DateUnit = Literal["day", "month", "quarter", "year", "decade"]

UNITS: tuple[DateUnit, ...] = get_args(DateUnit)
"""All units, from fine to coarse."""

_MONTHS: dict[DateUnit, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_EPOCH_MONTH = 1970 * 12
_PERIOD = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])|-Q([1-4])|(s))?")


def period_number(day: date, unit: DateUnit) -> int:
    """Return the number of the period that a day lies in.

    >>> period_number(date(1998, 3, 14), "year")
    1998
    """
    if unit == "day":
        return day.toordinal()
    return (day.year * 12 + day.month - 1) // _MONTHS[unit]


def period_start(number: int, unit: DateUnit) -> date:
    """Return the first day of a period.

    >>> period_start(1998 * 4, "quarter")
    datetime.date(1998, 1, 1)
    """
    if unit == "day":
        return date.fromordinal(number)
    year, month = divmod(number * _MONTHS[unit], 12)
    return date(max(year, 1), month + 1, 1)


def period_label(number: int, unit: DateUnit) -> str:
    """Return how a period is written.

    >>> [period_label(period_number(date(1998, 3, 14), unit), unit) for unit in UNITS]
    ['1998-03-14', '1998-03', '1998-Q1', '1998', '1990s']
    """
    if unit == "day":
        return date.fromordinal(number).isoformat()
    year, month = divmod(number * _MONTHS[unit], 12)
    if unit == "month":
        return f"{year:04}-{month + 1:02}"
    if unit == "quarter":
        return f"{year:04}-Q{month // 3 + 1}"
    return f"{year:04}" if unit == "year" else f"{year:04}s"


def coarser_periods(numbers: Counts, *, fine: DateUnit, coarse: DateUnit) -> Counts:
    """Return the numbers of the coarse periods that hold the fine ones.

    >>> import numpy as np
    >>> coarser_periods(np.array([1998 * 12 + 2]), fine="month", coarse="quarter") - 1998 * 4
    array([0])
    """
    # Settings are checked before anything is computed, and the help of a command stays light.
    import numpy as np

    if fine == coarse:
        return numbers
    if fine == "day":
        days = (numbers - _EPOCH_DAY).astype("datetime64[D]")
        months = days.astype("datetime64[M]").astype(np.int64) + _EPOCH_MONTH
    else:
        months = numbers * _MONTHS[fine]
    return months // _MONTHS[coarse]


DateFormat: TypeAlias = str | tuple[str, ...] | None
"""How dates are written: as strptime says, in one or several ways, or in ISO form."""


def read_day(text: str, *, format: DateFormat = None) -> date | None:  # noqa: A002
    """Return the day that a text spells: as strptime ``format`` says, or an ISO date or date-time.

    Of several formats the first that reads the text counts.

    >>> read_day("1998-03-14"), read_day("1998-03-14T09:30:00Z")
    (datetime.date(1998, 3, 14), datetime.date(1998, 3, 14))
    >>> read_day("14.03.1998", format="%d.%m.%Y")
    datetime.date(1998, 3, 14)
    >>> read_day("3/14/1998", format=("%d.%m.%Y", "%m/%d/%Y"))
    datetime.date(1998, 3, 14)
    """
    if isinstance(format, tuple):
        days = (read_day(text, format=each) for each in format)
        return next((day for day in days if day is not None), None)
    try:
        if format is not None:
            return datetime.strptime(text, format).date()
        if len(text) == len("1998-03-14"):
            return date.fromisoformat(text)
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None


def read_period(text: str, *, unit: DateUnit, format: DateFormat = None) -> int | None:  # noqa: A002
    """Return the number of the period that a text lies in, or None.

    Beside days, the labels of the unit and of those below it are read: "1998-Q1" lies in a year.

    >>> read_period("1998-Q1", unit="year"), read_period("1998", unit="quarter")
    (1998, None)
    """
    if format is None and unit != "day":
        period = _read_label(text, unit)
        if period is not None:
            return period
    day = read_day(text, format=format)
    if day is not None:
        return period_number(day, unit)
    if format is None:
        return None
    # The labels that we write are read whatever the format of the source.
    return read_period(text, unit=unit)


def _read_label(text: str, unit: DateUnit) -> int | None:
    match = _PERIOD.fullmatch(text)
    if match is None:
        return None
    year, month, quarter, decade = match.groups()
    written: DateUnit = (
        "month" if month else "quarter" if quarter else "decade" if decade else "year"
    )
    if UNITS.index(written) > UNITS.index(unit) or (decade and not year.endswith("0")):
        return None
    months = int(year) * 12 + (int(month) - 1 if month else 0)
    return (months + (int(quarter) * 3 - 3 if quarter else 0)) // _MONTHS[unit]
