"""The value counts of every class, most frequent first: what ordered ℓ-diversities look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.classes.class_batch import ClassBatch


@dataclass(frozen=True, kw_only=True, eq=False)
class DescendingCounts:
    """r_1 >= r_2 >= … >= r_m of every class, end to end.

    Class ``g`` owns the entries from ``first[g]`` on; ``of_class`` is the class of every entry.
    """

    counts: Counts
    first: Counts
    of_class: Counts

    @classmethod
    def of(cls, batch: ClassBatch, column: str) -> DescendingCounts:
        """Sort the counts of a carried column by class and falling count."""
        counts = batch.counts(column)
        of_class = np.repeat(np.arange(batch.classes), np.diff(counts.starts))
        order = np.lexsort((-counts.counts, of_class))
        return cls(counts=counts.counts[order], first=counts.starts[:-1], of_class=of_class)

    @cached_property
    def before(self) -> Counts:
        """The sum r_1 + … + r_(j-1) of the counts before every entry in its class."""
        totals = np.concatenate(([0], np.cumsum(self.counts)))
        sums: Counts = totals[:-1] - totals[self.first][self.of_class]
        return sums

    @cached_property
    def rank(self) -> Counts:
        """The place j of every entry in its class, from 1."""
        places: Counts = np.arange(1, self.counts.shape[0] + 1) - self.first[self.of_class]
        return places
