"""What an engine tells of the cells of columns by counting alone, for findings before a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet begins to calculate, or to run what a cell says."""

LONG_NUMBER = 9
"""From so many digits on, a whole number can be that of a person or a document."""


@dataclass(frozen=True, kw_only=True)
class ColumnFacts:
    """The cells of a column, counted.

    ``present`` have a value. ``distinct`` is about the number of different values, true to some
    percent. ``whole`` are whole numbers, ``numbers`` numbers of any kind, ``emails`` look like
    addresses of mail, ``long_numbers`` are of at least `LONG_NUMBER` digits and nothing else.
    ``formulas`` are texts that a spreadsheet would run: they begin with one of `FORMULA_STARTS`
    and are not numbers.
    """

    name: str
    present: int
    distinct: int
    numbers: int
    whole: int
    emails: int
    long_numbers: int
    formulas: int


@dataclass(frozen=True, kw_only=True)
class TableFacts:
    """The rows of a table, and its columns by name."""

    rows: int
    columns: Mapping[str, ColumnFacts]


class UniqueRows(NamedTuple):
    """The distinct combinations of some columns, and how many rows are alone with theirs."""

    combinations: int
    rows: int
