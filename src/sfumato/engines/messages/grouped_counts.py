"""What an engine is asked to count and match, and returns, in terms that every engine can meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.hierarchies.hierarchy import TOP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.engines.messages.coarsening import CoarsenedValues
    from sfumato.sources.source import Source


CoarserValues: TypeAlias = "Mapping[str, Mapping[str, str] | CoarsenedValues]"
"""For some columns, the text that is counted in place of another one: listed, or by a rule."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedColumn:
    """The distinct values of a column as text (None: missing) and the group's position in them."""

    values: tuple[str | None, ...]
    codes: Codes


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedCounts:
    """Distinct combinations of the asked columns with the number of rows of each.

    >>> grouped = GroupedCounts.of_rows({"sex": ["F", "M", "F"], "age": ["30", "31", "30"]})
    >>> grouped.counts.tolist(), grouped.columns["sex"].values
    ([2, 1], ('F', 'M'))
    """

    columns: Mapping[str, GroupedColumn]
    counts: Counts

    @classmethod
    def of_rows(cls, rows: Mapping[str, Sequence[str | None]]) -> GroupedCounts:
        """Count rows that are already in memory, column by column: for examples and checks."""
        lengths = {len(values) for values in rows.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}")
        combinations: dict[tuple[str | None, ...], int] = {}
        for row in zip(*rows.values(), strict=True):
            combinations[row] = combinations.get(row, 0) + 1
        ordered = sorted(combinations, key=lambda row: tuple((v is not None, v or "") for v in row))
        columns = {}
        for position, name in enumerate(rows):
            texts = sorted(
                {row[position] for row in ordered}, key=lambda v: (v is not None, v or "")
            )
            place = {text: code for code, text in enumerate(texts)}
            codes = np.array([place[row[position]] for row in ordered], dtype=np.int32)
            columns[name] = GroupedColumn(values=tuple(texts), codes=codes)
        counts = np.array([combinations[row] for row in ordered], dtype=np.int64)
        return cls(columns=columns, counts=counts)


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
