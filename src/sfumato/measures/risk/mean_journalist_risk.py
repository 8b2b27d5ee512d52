"""Mean journalist risk, also called marketer risk: the expected share of right links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Monotone, Scale, column_of
from sfumato.measures.risk.population_measure import PopulationMeasure

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class MeanJournalistRisk(PopulationMeasure):
    """The mean of 1 / F over the kept rows, or people; 1 if nothing is kept.

    It is the marketer risk: who links every released row with one person of the population that
    agrees with it links so large a share rightly.

    Bound: risks of the coarsest corner are no greater, and at most B rows are suppressed: the mean
    over its N - B smallest risks (docs/method.md, B33).
    """

    name: ClassVar[str] = "mean-journalist-risk"
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "El Emam & Dankar 2008; Dankar & El Emam 2010 (marketer risk)"
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The share of released records that an intruder links rightly who links each of them with "
        "somebody of the population that agrees with it (marketer risk)."
    )

    def evaluate(self, classes: Classes) -> Floats:
        """Return the mean risk of every candidate."""
        risks = classes.units / np.maximum(classes.batch.population_units, 1)
        kept = np.maximum(classes.sum_kept(classes.units), 1)
        return np.where(classes.empty, 1.0, classes.add_kept(risks) / kept)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the mean over the smallest risks."""
        batch, total = classes.batch, classes.table.units
        order = np.lexsort((batch.population_units, batch.recoding_of))
        units = batch.units[order]
        # The greatest risks come first, and so many are gone.
        before = np.cumsum(units) - units - batch.recoding_of * total
        left = np.clip(units - np.maximum(budget - before, 0), 0, units)
        risks = left / np.maximum(batch.population_units[order], 1)
        sums = np.add.reduceat(risks, batch.offsets[:-1])
        return column_of(self.relaxed(sums / max(total - budget, 1)))
