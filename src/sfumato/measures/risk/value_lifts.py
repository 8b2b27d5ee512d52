"""How much more frequent sensitive values are in a class than in the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.class_batch import by_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueLifts:
    """q / p of every value that occurs in a class, q its share there and p that in the table.

    ``starts`` says where the entries of every class begin. With a person key everybody weighs 1,
    split equally over their different values. Missing is a value like any other: that a class has
    more gaps than the table tells something too.
    """

    lifts: Floats
    shares: Floats
    starts: Counts

    @classmethod
    def of(cls, batch: ClassBatch, column: str, *, budget: int = 0) -> ValueLifts:
        """Return the lifts of a column.

        With a ``budget`` they are the least that are left in some part of a class, whichever rows
        are suppressed: (count - B) / (|class| - B) is the share then; 0 where count <= B.
        """
        protected = batch.protected(column)
        found = protected.by_value
        everybody = batch.table.protected_marginal(column).astype(np.float64)
        values, lost = found.shares.values, float(budget * protected.scale)
        own = np.maximum(found.shares.counts - lost, 0.0)
        totals = np.repeat(found.totals - lost, np.diff(found.shares.starts))
        expected = np.where(own > 0, totals, 1.0) * everybody[values]
        return cls(
            lifts=own * everybody.sum() / expected,
            shares=everybody[values] / everybody.sum(),
            starts=found.shares.starts,
        )

    @property
    def gains(self) -> Floats:
        """(q - p) / p of every value, 0 where it is not more frequent in the class."""
        return np.maximum(self.lifts - 1.0, 0.0)

    def greatest(self, per_entry: Floats) -> Floats:
        """Return the greatest of the entries of every class."""
        return by_class(np.maximum, per_entry, self.starts)


def lifts_by_column(batch: ClassBatch, *, budget: int = 0) -> Iterator[ValueLifts]:
    """Yield the lifts of every sensitive column."""
    for column in batch.table.sensitive:
        yield ValueLifts.of(batch, column.name, budget=budget)
