"""SQL that says of texts what they are: numbers, codes, dates of some format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.engines.messages.column_profile import MISSING_MARKERS, ODD_MARKERS
from sfumato.hierarchies.builders.dates import COMMON_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.hierarchies.domains.date_unit import DateFormat, DateUnit
    from sfumato.hierarchies.domains.number_style import NumberStyle

NUMBER = r"\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})?\s*"
CODE = r"[0-9A-Za-z./-]*[0-9][0-9A-Za-z./-]*"
_ISO_TIME = (
    r"[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][01][0-9](:?[0-5][0-9])?)?"
)
_ISO_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_FIELDS = {"d": "[0-9]{1,2}", "m": "[0-9]{1,2}", "Y": "[0-9]{4}", "y": "[0-9]{2}"}
_FIELDS |= {"b": "[A-Za-z]{3}", "B": "[A-Za-z]{3,}", "H": "[0-9]{1,2}", "M": "[0-9]{1,2}"}
_FIELDS |= {"S": "[0-9]{1,2}", "I": "[0-9]{1,2}", "p": "[AaPp][Mm]"}
PERIODS: tuple[DateUnit, ...] = ("day", "month", "quarter", "year", "decade")
MARKERS = (*MISSING_MARKERS, *ODD_MARKERS)
_TIMES = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")
LARGEST = "1e50"
"""What `parse_number` reads at least."""


def is_marker(text: str) -> str:
    """Return the SQL of whether a text may mean a missing value."""
    # A pattern, not a list of texts: DuckDB takes seconds to plan many long lists.
    return _matches(text, f" *({'|'.join(map(re.escape, MARKERS))}) *")


def number(text: str, style: NumberStyle) -> str:
    """Return the SQL of the number that a text spells, null if the builders do not read it.

    It is true to double precision only.
    """
    pattern = NUMBER if style.is_plain else style.pattern
    written = text if style.is_plain else _one_sign(text)
    read = f"try_cast({plain_number(text, style)} AS DOUBLE)"
    return f"CASE WHEN {_matches(written, pattern)} AND abs({read}) < {LARGEST} THEN {read} END"


def plain_number(text: str, style: NumberStyle) -> str:
    """Return the SQL of a number as programs write it, of one that is written in a style."""
    if style.is_plain:
        return text
    # Blanks stand for themselves only between thousands and at the ends.
    written = f"replace({_one_sign(text)}, ' ', '')"
    if style.thousands:
        written = f"replace({written}, {DIALECT.literal(style.thousands)}, '')"
    return f"replace({written}, ',', '.')" if "," in style.decimal else written


def _one_sign(text: str) -> str:
    """Return the SQL of a text with one form of each blank, apostrophe and minus sign."""
    odd, plain = "\u00a0\u202f\u2009\u2019\u2212", "   '-"
    return f"translate({text}, {DIALECT.literal(odd)}, {DIALECT.literal(plain)})"


def decimals(text: str) -> str:
    """Return the SQL of how many characters stand behind the point of a text."""
    return f"CASE WHEN contains({text}, '.') THEN length({text}) - instr({text}, '.') ELSE 0 END"


def is_code(text: str) -> str:
    """Return the SQL of whether a text has a digit and no blank."""
    return _matches(text, CODE)


def is_digits(text: str) -> str:
    """Return the SQL of whether a text is all digits."""
    return _matches(text, "[0-9]+")


@dataclass(frozen=True, kw_only=True)
class DateForm:
    """A way to write dates: ISO if ``format`` is None, or ``forms`` that are tried in turn."""

    format: str | None
    unit: DateUnit
    pattern: str
    forms: tuple[DateForm, ...] = ()

    @property
    def formats(self) -> DateFormat:
        """The format or formats as a study has them; ISO dates are read beside any format."""
        if not self.forms:
            return self.format
        every = tuple(form.format for form in self.forms if form.format is not None)
        return every if len(every) > 1 else every[0]

    def looks(self, text: str) -> str:
        """Return the SQL of whether a text could be such a date."""
        return _matches(text, self.pattern)

    def moment(self, text: str) -> str:
        """Return the SQL of the date of a text that looks so, null if there is no such day."""
        if self.forms:
            return f"coalesce({', '.join(form.moment(text) for form in self.forms)})"
        if self.format is not None:
            read = f"try_strptime({text}, {DIALECT.literal(self.format)})"
        else:
            day = f"left({text}, 10)" if self.unit == "day" else f"{text} || '-01'"
            read = f"try_cast({day} AS TIMESTAMP)"
        # Python, which reads the dates in the end, has no year 0.
        within = f"{self.looks(text)} AND {read} >= TIMESTAMP '0001-01-01'"
        return f"CASE WHEN {within} THEN {read} END"


def mixed_form(forms: Sequence[DateForm]) -> DateForm:
    """Return a column with several ways to write dates; it tells what the coarsest of them tells.

    Formats come before ISO forms, as they are read.
    """
    tried = sorted(forms, key=lambda form: form.format is None)
    months = any(form.unit == "month" for form in forms)
    return DateForm(
        format=None,
        unit="month" if months else "day",
        pattern="|".join(f"({form.pattern})" for form in tried),
        forms=tuple(tried),
    )


@cache
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
            for timed in (f"{format} {time}" for time in _TIMES):
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
