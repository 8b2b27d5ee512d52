"""k-map: the fewest people of the population whom a class can be about (Sweeney 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.measure import Direction, Monotone, Scale, column_of
from sfumato.measures.privacy.distinct_l import beyond_suppression
from sfumato.measures.risk.population_measure import PopulationMeasure

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class KMap(PopulationMeasure):
    """The least F of a kept class; 0 if nothing is kept.

    Bound: if more than B rows lie in classes of the coarsest corner with F <= v, one of them is
    kept, in a class whose people are among theirs: k-map(n) <= v (docs/method.md, B32).
    """

    name: ClassVar[str] = "k-map"
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Sweeney 2001 (k-map); El Emam & Dankar 2008"
    unit: ClassVar[str] = "people"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    counts: ClassVar[bool] = True
    meaning: ClassVar[str] = (
        "Every released record could be about at least this many people of the population."
    )

    def evaluate(self, classes: Classes) -> Floats:
        """Return the least F of every candidate."""
        return classes.min_kept(self.class_values(classes.batch), empty=0.0)

    def class_values(self, batch: ClassBatch) -> Counts:
        """Return F of every class."""
        return batch.population_units

    def parts_fail_too(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that they do: the labels of a part cover no one else."""
        return True

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least F that suppression cannot get rid of."""
        return column_of(beyond_suppression(classes, classes.batch.population_units, budget))
