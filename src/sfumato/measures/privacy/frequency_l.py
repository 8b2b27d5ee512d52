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


def _largest_counts(batch: ClassBatch) -> Counts:
    """Return how many have the most frequent value of every class, over all sensitive columns."""
    having = (batch.protected(column.name).by_value.having for column in batch.table.sensitive)
    largest: Counts = np.maximum.reduce(
        [by_class(np.maximum, each.counts, each.starts) for each in having]
    )
    return largest


@dataclass(frozen=True, kw_only=True)
class FrequencyL(Diversity):
    """The largest ℓ with every value's share at most 1/ℓ in every kept class; 0 if none is kept.

    ℓ = min over kept classes of |class| / max_v count_v, a real number; with several sensitive
    columns the worst of them. With a person key, count_v are the people who have the value among
    their rows in the class, and |class| its people.

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
        values: Floats = batch.units / _largest_counts(batch)
        return values

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least ℓ of the classes that suppression cannot free of their worst value."""
        sizes, largest = classes.units, _largest_counts(classes.batch)
        values: Floats = np.full(sizes.shape, np.inf)
        np.divide(sizes - budget, largest - budget, out=values, where=largest > budget)
        return column_of(self.relaxed(classes.min_kept(values, empty=np.inf)))
