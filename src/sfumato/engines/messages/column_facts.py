"""What an engine tells of the cells of columns by counting alone, for findings before a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts
    from sfumato.recognition.identifier_kind import IdentifierKind

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet begins to calculate, or to run what a cell says."""

ROWS_OF_A_VALUE = 100
"""A person seldom has more rows than this; what more rows share in the mean is that of a group."""

LONG_NUMBER = 9
"""From so many digits on, a whole number can be that of a person or a document."""


@dataclass(frozen=True, kw_only=True)
class ColumnFacts:
    """The cells of a column, counted.

    ``present`` have a value. ``distinct`` is about the number of different values, true to some
    percent. ``formulas`` are texts that a spreadsheet would run: they begin with one of
    `FORMULA_STARTS` and are not numbers. ``identifier`` is the kind of identifiers that most of
    some values look like, ``coarsenable`` what HIPAA's Safe Harbor asks to coarsen in them. The
    rest is counted where a value has at most `ROWS_OF_A_VALUE` rows in the mean, and 0 elsewhere:
    ``numbers`` of any kind, ``whole`` ones, and ``long_numbers`` of at least `LONG_NUMBER` digits
    and nothing else.
    """

    name: str
    present: int
    distinct: int
    formulas: int
    identifier: IdentifierKind | None = None
    coarsenable: IdentifierKind | None = None
    numbers: int = 0
    whole: int = 0
    long_numbers: int = 0

    @property
    def tells_people_apart(self) -> bool:
        """Whether a value has so few rows that it can be that of one person."""
        return 0 < self.present <= self.distinct * ROWS_OF_A_VALUE


@dataclass(frozen=True, kw_only=True)
class TableFacts:
    """The rows of a table, and its columns by name."""

    rows: int
    columns: Mapping[str, ColumnFacts]


class TextCounts(NamedTuple):
    """The different texts of a column, None for missing ones, and how many rows have each."""

    texts: tuple[str | None, ...]
    rows: Counts


class UniqueRows(NamedTuple):
    """The distinct combinations of some columns, and how many rows are alone with theirs.

    Both are about ``of`` rows: all of them, or all rows of the combinations that were drawn.
    """

    combinations: int
    rows: int
    of: int
