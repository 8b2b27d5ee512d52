"""SQL that says of texts what they are: numbers, codes, dates of some format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.engines.messages.column_profile import MISSING_MARKERS, ODD_MARKERS
from sfumato.hierarchies.builders.dates import COMMON_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.hierarchies.domains.date_unit import DateUnit

_NUMBER = r"\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})?\s*"
_COMMA_NUMBER = r"\s*[+-]?([0-9]+|[0-9]{1,3}([.' ][0-9]{3})+),[0-9]+\s*"
_THOUSANDS = r"\s*[+-]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?\s*"
_CODE = r"[0-9A-Za-z./-]*[0-9][0-9A-Za-z./-]*"
_ISO_TIME = (
    r"[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][01][0-9](:?[0-5][0-9])?)?"
)
_ISO_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_FIELDS = {"d": "[0-9]{1,2}", "m": "[0-9]{1,2}", "Y": "[0-9]{4}", "y": "[0-9]{2}"}
_FIELDS |= {"b": "[A-Za-z]{3}", "B": "[A-Za-z]{3,}", "H": "[0-9]{1,2}", "M": "[0-9]{1,2}"}
_FIELDS |= {"S": "[0-9]{1,2}"}
MARKERS = (*MISSING_MARKERS, *ODD_MARKERS)
LARGEST = "1e50"
"""What `parse_number` reads at least."""


def is_marker(text: str) -> str:
    """Return the SQL of whether a text may mean a missing value."""
    # A pattern, not a list of texts: DuckDB takes seconds to plan many long lists.
    return _matches(text, f" *({'|'.join(map(re.escape, MARKERS))}) *")


def number(text: str) -> str:
    """Return the SQL of the number that a text spells, null if the builders do not read it.

    It is true to double precision only.
    """
    read = f"try_cast({text} AS DOUBLE)"
    return f"CASE WHEN {_matches(text, _NUMBER)} AND abs({read}) < {LARGEST} THEN {read} END"


def decimals(text: str) -> str:
    """Return the SQL of how many characters stand behind the point of a text."""
    return f"CASE WHEN contains({text}, '.') THEN length({text}) - instr({text}, '.') ELSE 0 END"


def is_comma_number(text: str) -> str:
    """Return the SQL of whether a text is a number with commas, which the builders do not read."""
    return f"({_matches(text, _COMMA_NUMBER)} OR {_matches(text, _THOUSANDS)})"


def is_code(text: str) -> str:
    """Return the SQL of whether a text has a digit and no blank."""
    return _matches(text, _CODE)


def is_digits(text: str) -> str:
    """Return the SQL of whether a text is all digits."""
    return _matches(text, "[0-9]+")


def looks_like_date(text: str) -> str:
    """Return the SQL of whether a text could be a date of some form."""
    return _matches(text, "|".join(f"({form.pattern})" for form in date_forms()))


@dataclass(frozen=True, kw_only=True)
class DateForm:
    """A way to write dates: ISO if ``format`` is None."""

    format: str | None
    unit: DateUnit
    pattern: str

    def looks(self, text: str) -> str:
        """Return the SQL of whether a text could be such a date."""
        return _matches(text, self.pattern)

    def moment(self, text: str) -> str:
        """Return the SQL of the date of a text that looks so, null if there is no such day."""
        if self.format is not None:
            read = f"try_strptime({text}, {DIALECT.literal(self.format)})"
        else:
            day = f"left({text}, 10)" if self.unit == "day" else f"{text} || '-01'"
            read = f"try_cast({day} AS TIMESTAMP)"
        # Python, which reads the dates in the end, has no year 0.
        within = f"{self.looks(text)} AND {read} >= TIMESTAMP '0001-01-01'"
        return f"CASE WHEN {within} THEN {read} END"


def date_forms() -> tuple[DateForm, ...]:
    """Return the ways to write dates, ISO first.

    A year alone is better taken for a number: its intervals can be of any width.

    >>> [form.unit for form in date_forms() if form.format in (None, "%d.%m.%Y", "%m/%Y")]
    ['day', 'month', 'day', 'month']
    """
    return tuple(_date_forms())


def _date_forms() -> Iterator[DateForm]:
    yield DateForm(format=None, unit="day", pattern=f"{_ISO_DAY}({_ISO_TIME})?")
    yield DateForm(format=None, unit="month", pattern="[0-9]{4}-(0[1-9]|1[0-2])")
    for format in COMMON_FORMATS:  # noqa: A001
        if format == "%Y":
            continue
        unit: DateUnit = "day" if "%d" in format else "month"
        yield DateForm(format=format, unit=unit, pattern=_pattern(format))
        if unit == "day":
            for timed in (f"{format} %H:%M", f"{format} %H:%M:%S"):
                yield DateForm(format=timed, unit=unit, pattern=_pattern(timed))


def _pattern(format: str) -> str:  # noqa: A002
    """Return a pattern of what a format reads, strict enough that strptime reads all of it."""
    if format.startswith("%Y%m%d"):
        return "[0-9]{8}" + _pattern(format.removeprefix("%Y%m%d"))
    parts = format.split("%")
    literals = {".": "[.]"}
    pattern = "".join(literals.get(character, character) for character in parts[0])
    for part in parts[1:]:
        after = "".join(literals.get(character, character) for character in part[1:])
        pattern += _FIELDS[part[0]] + after
    return pattern


def _matches(text: str, pattern: str) -> str:
    return f"regexp_full_match({text}, {DIALECT.literal(pattern)})"
