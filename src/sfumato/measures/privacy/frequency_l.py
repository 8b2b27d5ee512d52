"""ℓ-diversity by frequency: no value too frequent in any class (MOEA def. 1.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.class_batch import by_class
from sfumato.measures.measure import column_of
from sfumato.measures.privacy.diversity import Diversity

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes


def _sizes_and_largest(batch: ClassBatch, column: str) -> tuple[Counts, Counts]:
    """Return how many have a value in every class, and how many its most frequent one."""
    known = batch.known_values(column)
    return known.units, by_class(np.maximum, known.having.counts, known.having.starts)


@dataclass(frozen=True, kw_only=True)
class FrequencyL(Diversity):
    """The largest ℓ with every value's share at most 1/ℓ in every kept class; 0 if none is kept.

    ℓ = min over kept classes of |class| / max_v count_v, a real number; with several sensitive
    columns the worst of them. Unless the study counts missing as a value, |class| is the number of
    its rows that have one: an intruder may know that the value of a person was recorded. With a
    person key, count_v are the people who have the value among their rows in the class, and
    |class| its people.

    Bound: at most B rows leave a class C of the coarsest corner, and each part has at least its
    share of the most frequent value, so where count_max > B some kept part has
    ℓ <= (|C| - B) / (count_max - B).
    """

    name: ClassVar[str] = "frequency-l"
    reference: ClassVar[str] = "MOEA def. 1.4; Machanavajjhala et al. 2007"
    meaning: ClassVar[str] = (
        "An intruder who knows the class of a person guesses their sensitive value with a "
        "probability of at most one over this number."
    )

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return ℓ of every class."""
        by_column = []
        for column in batch.table.sensitive:
            sizes, largest = _sizes_and_largest(batch, column.name)
            unknown = batch.known_values(column.name).unknown
            own: Floats = np.zeros(sizes.shape)
            np.divide(sizes, largest, out=own, where=~unknown & (largest > 0))
            by_column.append(own)
        values: Floats = np.minimum.reduce(by_column)
        return values

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least ℓ of the classes that suppression cannot free of their worst value."""
        values: Floats = np.full(classes.sizes.shape, np.inf)
        for column in classes.table.sensitive:
            sizes, largest = _sizes_and_largest(classes.batch, column.name)
            own: Floats = np.full(sizes.shape, np.inf)
            np.divide(sizes - budget, largest - budget, out=own, where=largest > budget)
            values = np.minimum(values, own)
        return column_of(self.relaxed(classes.min_kept(values, empty=np.inf)))
