"""Usefulness: how diverse the rows of a class are in their quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, SeenFrom, column_of
from sfumato.microdata.count_table import Leaves

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


def diversities(classes: Classes) -> list[tuple[Counts, int]]:
    """Return the diversity of every class in each quasi-identifier, and its greatest one.

    It is max - min of the leaves where the domain is ordered, of |domain| - 1 (1 where it has one
    leaf); the number of different leaves for categories, of |domain|.
    """
    found: list[tuple[Counts, int]] = []
    for identifier in classes.table.quasi_identifiers:
        leaves = classes.batch.counts(Leaves(identifier.name))
        count = identifier.hierarchy.leaf_count
        if identifier.hierarchy.domain.ordered:
            # Leaves ascend within a class.
            lowest = leaves.values[leaves.starts[:-1]]
            highest = leaves.values[leaves.starts[1:] - 1]
            found.append(((highest - lowest).astype(np.int64), max(1, count - 1)))
        else:
            found.append((np.diff(leaves.starts), count))
    return found


def mean_diversity(classes: Classes) -> Floats:
    """Return the mean over rows of the mean over quasi-identifiers of their class's diversity.

    Diversities are summed as integers for each quasi-identifier, then divided in their order.
    """
    table, sizes = classes.table, classes.batch.sizes
    total: Floats = np.zeros(classes.count, dtype=np.float64)
    for diversity, greatest in diversities(classes):
        spread = classes.sum_kept(sizes * diversity)
        total += (spread + classes.suppressed_rows * greatest) / greatest
    return total / (table.rows * len(table.quasi_identifiers))


@dataclass(frozen=True, kw_only=True)
class Usefulness(Measure):
    """The average diversity of the rows that share a class, between 0 and 1.

    usefulness = mean over rows of the mean over quasi-identifiers of the diversity of the row's
    class: (max - min) / (|domain| - 1) where the domain is ordered (0 where it has one leaf),
    distinct values / |domain| for categories, 1 for a suppressed row. Despite its name less is
    better: the less the rows of a class differ, the less their generalization blurs.

    Bound: diversity only grows when classes merge and never exceeds that of suppression, so
    usefulness(n) >= the unsuppressed usefulness(finest) under every policy.
    """

    name: ClassVar[str] = "usefulness"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Loukides & Shao 2007; MOEA §1.3.2"
    unit: ClassVar[str] = "mean diversity"
    meaning: ClassVar[str] = (
        "How different the original values within a class are, on average. Similar records in a "
        "class keep the release useful."
    )
    seen_from: ClassVar[SeenFrom] = SeenFrom.ORIGINALS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE
    bound_needs_finest: ClassVar[bool] = True

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the leaves of all quasi-identifiers."""
        return tuple(Leaves(name) for name in table.names)

    def evaluate(self, classes: Classes) -> Floats:
        """Return the usefulness of every candidate."""
        return mean_diversity(classes)

    def evidence(self, classes: Classes, budget: int) -> Floats:  # noqa: ARG002
        """Return the unsuppressed usefulness, relaxed."""
        return column_of(self.relaxed(mean_diversity(classes)))
