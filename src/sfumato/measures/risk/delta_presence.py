"""δ-presence: how surely somebody of the population is in the release (Nergiz et al. 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Monotone, Scale, column_of
from sfumato.measures.risk.population_measure import PopulationMeasure

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class DeltaPresence(PopulationMeasure):
    """The greatest f / F of a kept class, f its rows or people; 1 if nothing is kept.

    People of the population whom no released class covers have δ = 0.

    Bound: of a class C of the coarsest corner at least f - B are kept, in parts whose F add up to
    at most that of C: one of them has at least (f - B) / F (docs/method.md, B34).
    """

    name: ClassVar[str] = "delta-presence"
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Nergiz, Atzori & Clifton 2007"
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The chance that a person of the population is in the release, for those of whom an "
        "intruder is most certain (δ-presence)."
    )

    def evaluate(self, classes: Classes) -> Floats:
        """Return δ of every candidate."""
        return classes.max_kept(self.class_values(classes.batch), empty=1.0)

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return f / F of every class."""
        return batch.units / np.maximum(batch.population_units, 1)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the greatest share that suppression cannot take away."""
        batch = classes.batch
        left = np.maximum(batch.units - budget, 0) / np.maximum(batch.population_units, 1)
        return column_of(classes.max_kept(left, empty=0.0))
