"""What the publisher knows of the suppressed rows, in totals: enough to measure the whole table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import exact_bincount
from sfumato.statements.counted_statements import SecretPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch


@dataclass(frozen=True, kw_only=True)
class SuppressedSecret:
    """Of the suppressed rows, those that satisfy a sentence, and the sum of dm(u, φ)."""

    satisfied: int
    damage: float


@dataclass(frozen=True, kw_only=True)
class SuppressedTotals:
    """The suppressed rows of a recoding: how many, in how many classes, and their values.

    ``squares`` is the sum of the squared sizes of the suppressed classes, ``values`` the rows of
    every value of every sensitive column and of the class label, ``secrets`` what is known of
    every sentence that somebody protects.
    """

    rows: int = 0
    classes: int = 0
    squares: int = 0
    values: Mapping[str, Mapping[str, int]]
    secrets: Mapping[str, SuppressedSecret] = field(default_factory=dict)

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
            secrets=_secrets(batch, gone),
        )


def _secrets(batch: ClassBatch, gone: Flags) -> dict[str, SuppressedSecret]:
    secrets = batch.table.secrets
    if secrets is None:
        return {}
    counts = batch.counts(SecretPatterns())
    entries = np.repeat(gone, np.diff(counts.starts))
    rows = exact_bincount(counts.values[entries], counts.counts[entries], secrets.patterns)
    return {
        str(sentence): SuppressedSecret(
            satisfied=int(rows[secrets.satisfied[:, position]].sum()),
            damage=float((rows * secrets.damages[:, position]).sum()),
        )
        for position, sentence in enumerate(secrets.secrets.sentences)
    }
