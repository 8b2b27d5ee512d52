"""What the publisher knows of the suppressed rows, in totals: enough to measure the whole table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import exact_bincount
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch


@dataclass(frozen=True, kw_only=True)
class SuppressedStatement:
    """Of the suppressed rows, those that satisfy a predicate, and the sum of dm(u, φ)."""

    satisfied: int
    damage: float


@dataclass(frozen=True, kw_only=True)
class SuppressedTotals:
    """The suppressed rows of a recoding: how many, in how many classes, and their values.

    ``squares`` is the sum of the squared sizes of the suppressed classes, ``values`` the rows of
    every value of every sensitive column and of the class label, ``statements`` what is known of
    every predicate that somebody protects.
    """

    rows: int = 0
    classes: int = 0
    squares: int = 0
    values: Mapping[str, Mapping[str, int]]
    statements: Mapping[str, SuppressedStatement] = field(default_factory=dict)

    @classmethod
    def of(cls, batch: ClassBatch, kept: Flags) -> SuppressedTotals:
        """Return the totals of the classes that are not kept; the batch has one recoding."""
        gone = ~kept
        sizes = batch.sizes[gone]
        values: dict[str, dict[str, int]] = {}
        for name, column in batch.table.columns.items():
            counts = batch.counts(name)
            entries = np.repeat(gone, np.diff(counts.starts))
            totals = exact_bincount(
                counts.values[entries], counts.counts[entries], len(column.values)
            )
            values[name] = {
                column.values[code]: int(totals[code]) for code in np.flatnonzero(totals)
            }
        return cls(
            rows=int(sizes.sum()),
            classes=int(sizes.shape[0]),
            squares=int((sizes * sizes).sum()),
            values=values,
            statements=_statements(batch, gone),
        )


def _statements(batch: ClassBatch, gone: Flags) -> dict[str, SuppressedStatement]:
    statements = batch.table.statements
    if statements is None:
        return {}
    counts = batch.counts(StatementPatterns())
    entries = np.repeat(gone, np.diff(counts.starts))
    rows = exact_bincount(counts.values[entries], counts.counts[entries], statements.patterns)
    return {
        str(predicate): SuppressedStatement(
            satisfied=int(rows[statements.satisfied[:, position]].sum()),
            damage=float((rows * statements.damages[:, position]).sum()),
        )
        for position, predicate in enumerate(statements.statements.predicates)
    }
