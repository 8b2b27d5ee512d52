"""The classes of a file: rows that show the same labels in every quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.column_names import check_columns
from sfumato.engines.messages.rewrite_plan import STAR
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.grouped_counts import GroupedCounts
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledClasses:
    """The rows of every class of a file.

    ``labels`` has the label codes of every class, a row for each quasi-identifier, and ``texts``
    what the codes are. Rows with ``*`` in every quasi-identifier are suppressed ones: ``starred``
    says how many there are, and they are in no class.
    """

    names: tuple[str, ...]
    texts: tuple[tuple[str | None, ...], ...]
    labels: Codes
    sizes: Counts
    starred: int = 0

    @classmethod
    def of_file(
        cls, file: Source, *, quasi_identifiers: Sequence[str], engine: CountingEngine
    ) -> LabelledClasses:
        """Count a file by one GROUP BY."""
        check_columns(quasi_identifiers, engine.columns(file), where=str(file))
        grouped = engine.count(file, list(quasi_identifiers))
        if not grouped.counts.size:
            raise SourceError(f"{file} has not a single row", code="no-rows", file=file)
        starred = starred_groups(grouped, quasi_identifiers)
        codes = np.stack([grouped.columns[name].codes for name in quasi_identifiers])
        return cls(
            names=tuple(quasi_identifiers),
            texts=tuple(grouped.columns[name].values for name in quasi_identifiers),
            labels=codes[:, ~starred],
            sizes=grouped.counts[~starred],
            starred=int(grouped.counts[starred].sum()),
        )


def starred_groups(grouped: GroupedCounts, names: Sequence[str]) -> Flags:
    """Say which groups have ``*`` everywhere; none if all of them have.

    Where all have, they are one class that tells nothing of anybody.
    """
    starred: Flags = np.ones(grouped.counts.shape[0], dtype=np.bool_)
    for name in names:
        column = grouped.columns[name]
        is_star = np.array([value == STAR for value in column.values], dtype=np.bool_)
        starred &= is_star[column.codes]
    if starred.all():
        starred[:] = False
    return starred
