"""Distinct ℓ-diversity: enough different values in every class (Machanavajjhala et al., 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.class_batch import by_class
from sfumato.measures.measure import column_of, proved
from sfumato.measures.privacy.diversity import Diversity

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


def fewest_values(batch: ClassBatch, *, shared: bool = True) -> Counts:
    """Return the number of different values of every class, in its poorest sensitive column.

    It is 1 where everybody in a class has one and the same value, whatever else they have, unless
    what is ``shared`` does not matter.
    """

    def values_of(column: str) -> Counts:
        known = batch.known_values(column)
        having = known.having
        values = np.where(known.unknown, 0, np.diff(having.starts))
        if not shared:
            return values
        common = by_class(np.maximum, having.counts, having.starts) == known.units
        return np.where(common, np.minimum(values, 1), values)

    return reduce(np.minimum, (values_of(column.name) for column in batch.table.sensitive))


def beyond_suppression(classes: Classes, per_class: Counts, budget: int) -> Floats:
    """Return the smallest v such that more than ``budget`` rows lie in classes of at most v."""
    batch = classes.batch
    order = np.lexsort((per_class, batch.recoding_of))
    rows = np.cumsum(batch.sizes[order]) - batch.recoding_of * batch.table.rows
    values = np.where(rows > budget, per_class[order], np.inf)
    least: Floats = np.minimum.reduceat(values, batch.offsets[:-1])
    return least


@dataclass(frozen=True, kw_only=True)
class DistinctL(Diversity):
    """The fewest different sensitive values in a kept class; 0 if nothing is kept.

    ℓ = min over kept classes of |{v : count_v > 0}|; with several sensitive columns the worst.
    Missing is no value unless the study counts it as one. With a person key it is 1 where all
    people of a class have a value in common.

    Bound: if more than B rows lie in classes of the coarsest corner with at most v values, one
    of them is kept, in a class with no more values than that: ℓ(n) <= v.
    """

    name: ClassVar[str] = "distinct-l"
    reference: ClassVar[str] = "Machanavajjhala et al. 2007"
    meaning: ClassVar[str] = (
        "Every equivalence class holds at least this many different sensitive values (distinct "
        "l-diversity)."
    )
    counts: ClassVar[bool] = True
    rows_bound_people: ClassVar[bool] = True

    def class_values(self, batch: ClassBatch) -> Counts:
        """Return the number of different values of every class."""
        return fewest_values(batch)

    def parts_fail_too(self, table: CountTable) -> bool:
        """Say that they do: a part has no other values, and no one who shares fewer.

        That is so unless people are in several classes: then a value that everybody in a class
        has may be in none of its parts for all.
        """
        return not table.people_in_several_cells

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:  # noqa: ARG002
        """Say whether it is proved; the number of values rises wherever people are."""
        return proved(self.bound_proved, budget)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least ℓ that suppression cannot get rid of."""
        alone = not classes.table.people_in_several_cells
        values = fewest_values(classes.batch, shared=alone)
        return column_of(beyond_suppression(classes, values, budget))
