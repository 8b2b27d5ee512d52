"""One scale for the objectives of several fronts: 0 is the best value of each, 1 the worst."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import as_costs
from sfumato.front.indicators.objective_values import finite_values_of, same_objectives

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Floats
    from sfumato.front.front import Front
    from sfumato.measures.measure import Direction


@dataclass(frozen=True, kw_only=True, eq=False)
class ObjectiveScale:
    """Turns values into costs from 0 (the ideal point) to 1 (the nadir point), lower being better.

    The ideal point has the best value of every objective in the fronts that the scale was made
    of, the nadir point the worst. An objective that is the same everywhere counts in its own unit.
    Values beyond those of the fronts give costs below 0 or above 1.
    """

    objectives: Mapping[str, Direction]
    ideal: Floats
    nadir: Floats

    @classmethod
    def of(cls, first: Front, *others: Front) -> ObjectiveScale:
        """Return the scale of all solutions of some fronts."""
        for other in others:
            same_objectives(other, first)
        objectives = same_objectives(first, first)
        together = np.concatenate([finite_values_of(front) for front in (first, *others)])
        costs = as_costs(together, tuple(objectives.values()))
        return cls(objectives=objectives, ideal=costs.min(axis=0), nadir=costs.max(axis=0))

    def costs(self, front: Front) -> Floats:
        """Return the scaled costs of a front, a row for each solution."""
        values = as_costs(finite_values_of(front), tuple(self.objectives.values()))
        width = self.nadir - self.ideal
        scaled: Floats = (values - self.ideal) / np.where(width > 0, width, 1.0)
        return scaled
