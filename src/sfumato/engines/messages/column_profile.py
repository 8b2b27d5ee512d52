"""A column in outline: counts, extremes and shapes, never its rare values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.hierarchies.domains.number_style import PLAIN, NumberStyle

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    from sfumato.hierarchies.domains.date_unit import DateFormat, DateUnit
    from sfumato.recognition.identifier_kind import IdentifierKind

MISSING_MARKERS = (
    *("", "?", "??", "-", "--", ".", "NA", "N/A", "na", "n/a", "n.a.", "#N/A", "NULL", "null"),
    *("NaN", "nan", "unknown", "Unknown", "UNKNOWN", "unbekannt", "Unbekannt", "k.A.", "k. A."),
    *("inconnu", "Inconnu", "desconocido", "Desconocido", "sconosciuto", "onbekend"),
)
"""Texts that mean a missing value wherever they stand."""

ODD_MARKERS = ("None", "none", "missing", "Missing", "*", "x", "X")
"""Texts that mean a missing value among numbers or dates, and can be values among texts."""

SHOWN_FROM = 5
"""A value that fewer rows have is not taken from a source for show."""

MOST_VALUES = 200
"""Of a column with more values than this, none is taken."""

MOST_EXAMINED = 2_000
"""Up to so many values are all looked at inside the engine; of more, those of some first rows."""


@dataclass(frozen=True, kw_only=True)
class NumberShape:
    """Every value is a number; ``whole`` if every one is an integer.

    ``decimals`` is the greatest number of digits that stand behind a point. At least 98 of 100
    rows lie between ``bulk_low`` and ``bulk_high``, which are true to about 6 %. ``style`` says how
    they are written; all are multiples of ``step`` where that is known.
    """

    least: Decimal
    greatest: Decimal
    whole: bool
    decimals: int
    bulk_low: Decimal
    bulk_high: Decimal
    style: NumberStyle = PLAIN
    step: Decimal | None = None


@dataclass(frozen=True, kw_only=True)
class DateShape:
    """Every value is a date: an ISO one if ``format`` is None, or what strptime reads with it.

    Of several formats the first that reads a value counts.

    ``unit`` is what the texts tell, a day or a month, and ``periods`` how many different ones of
    each unit there are. ``other_format`` reads every value too, as
    another date.
    """

    format: DateFormat
    unit: DateUnit
    first: date
    last: date
    periods: tuple[tuple[DateUnit, int], ...] = ()
    other_format: str | None = None


@dataclass(frozen=True, kw_only=True)
class CodeShape:
    """Every value is a code of ``length`` characters without blanks, each with a digit in it."""

    length: int
    digits: bool
    leading_zeros: bool


@dataclass(frozen=True, kw_only=True)
class TaxonomyShape:
    """A known taxonomy that has most of the different values, or of those that were looked at.

    ``unknown`` of ``looked_at`` are not in it; ``complete`` says that all were looked at.
    ``blocks`` is how many labels each level has, the finest first.
    """

    name: str
    language: str | None
    looked_at: int
    unknown: int
    complete: bool
    blocks: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Variants:
    """Values that may be the same one, spelled in another way.

    ``spellings`` differ in case, blanks, accents or signs from another value; ``misspelt`` are rare
    ones that differ in a letter or two from a frequent one.
    """

    spellings: int
    misspelt: int
    rows: int


@dataclass(frozen=True, kw_only=True)
class ColumnProfile:
    """A column seen by aggregates alone.

    ``missing`` counts nulls, ``markers`` the rows of texts that may mean the same; all else
    leaves both out. ``distinct`` is exact, or an estimate within about 1 % if ``distinct_exact``
    is false. ``prefixes`` is how many different beginnings of 1, 2, … characters there are, where
    all values were looked at. ``odd`` counts the rows that are no ``expected`` ("number", "date")
    though nearly all others are; if their texts are few and frequent they are among the markers,
    and not counted. ``identifier`` is what most values look like, ``taxonomies`` know most of them.
    ``frequent`` has the values of at least `SHOWN_FROM` rows, the most frequent first, if there are
    at most `MOST_VALUES` values; rarer ones never leave the engine.
    """

    name: str
    rows: int
    missing: int = 0
    markers: tuple[tuple[str, int], ...] = ()
    distinct: int
    distinct_exact: bool = True
    unique_share: float = 0.0
    shortest: int = 0
    longest: int = 0
    numbers: NumberShape | None = None
    dates: DateShape | None = None
    codes: CodeShape | None = None
    prefixes: tuple[int, ...] = ()
    odd: int = 0
    expected: str = ""
    identifier: IdentifierKind | None = None
    taxonomies: tuple[TaxonomyShape, ...] = ()
    variants: Variants | None = None
    frequent: tuple[tuple[str, int], ...] = field(default=(), repr=False)

    @property
    def present(self) -> int:
        """The rows with a value."""
        return self.rows - self.missing - sum(rows for _, rows in self.markers)
