"""What an engine is asked to match with the rows of a source: tables that others anonymized."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.hierarchies.hierarchy import TOP

if TYPE_CHECKING:
    from sfumato.sources.source import Source

PRESENT = "yes"
"""What the presence column of a matched row says; it is missing where a row has no partner."""

STARRED = TOP


@dataclass(frozen=True, kw_only=True, eq=False)
class AnonymizedTable:
    """A table whose rows are those of a source, recoded.

    ``columns`` are its quasi-identifiers; ``unchanged`` are columns that it shares with the
    source as they are, by which a wrong match is found out.
    """

    source: Source
    columns: tuple[str, ...]
    unchanged: tuple[str, ...] = ()


def matched_column(number: int, column: str) -> str:
    """Return the name that a column of a matched table has among those of the source."""
    return f"{number}\x1f{column}"


def presence_column(number: int) -> str:
    """Return the name of the column that tells whether a matched table has the row."""
    return f"{number}\x1f"
