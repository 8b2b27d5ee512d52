"""What the ℓ-diversities share: they count values in every class, and the worst class decides."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class Diversity(Measure):
    """An ℓ-diversity: the least ℓ of a kept class, in its worst sensitive column."""

    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    unit: ClassVar[str] = "values"
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    @abstractmethod
    def class_values(self, batch: ClassBatch) -> Floats | Counts:
        """Return ℓ of every class."""

    def evaluate(self, classes: Classes) -> Floats:
        """Return ℓ of every candidate; 0 if nothing is kept."""
        return classes.min_kept(self.class_values(classes.batch), empty=0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class DescendingCounts:
    """r_1 >= r_2 >= … >= r_m of every class, end to end.

    Class ``g`` owns the entries from ``first[g]`` on; ``of_class`` is the class of every entry.
    They sum to ``totals``: ``scale`` for every row, or for every person, who has a part of it in
    each of their values.
    """

    counts: Counts
    first: Counts
    of_class: Counts
    totals: Counts
    scale: int

    @classmethod
    def of(cls, batch: ClassBatch, column: str) -> DescendingCounts:
        """Sort the counts of a carried column by class and falling count."""
        known = batch.known_values(column)
        shares = known.shares
        of_class = np.repeat(np.arange(batch.classes), np.diff(shares.starts))
        order = np.lexsort((-shares.counts, of_class))
        return cls(
            counts=shares.counts[order],
            first=shares.starts[:-1],
            of_class=of_class,
            totals=known.totals,
            scale=batch.protected(column).scale,
        )

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
