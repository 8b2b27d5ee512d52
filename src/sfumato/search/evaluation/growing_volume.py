"""The hypervolume of a front while it grows, on a scale that stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import as_costs
from sfumato.front.indicators.hypervolume import dominated_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Floats
    from sfumato.measures.measure import Direction

MOST_OBJECTIVES = 4
"""Of more objectives the volume takes longer than the search itself."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GrowingVolume:
    """The share of the objective space that a front dominates, for the progress of a search.

    The scale runs from the best to the worst finite values of the first population, so that the
    share of a growing front never falls. What is better than that scale counts as its best.
    """

    directions: tuple[Direction, ...]
    ideal: Floats
    nadir: Floats

    @classmethod
    def of(cls, values: Floats, directions: Sequence[Direction]) -> GrowingVolume:
        """Return the scale of the first population."""
        costs = as_costs(values, directions)
        finite = np.where(np.isfinite(costs), costs, np.nan)
        empty = np.isnan(finite).all(axis=0)
        finite[:, empty] = 0.0
        return cls(
            directions=tuple(directions),
            ideal=np.nanmin(finite, axis=0),
            nadir=np.nanmax(finite, axis=0),
        )

    def share(self, values: Floats) -> float | None:
        """Return the dominated share, between 0 and 1; see `sfumato.front.indicators.hypervolume`.

        None for more objectives than it can be computed for in passing.
        """
        if len(self.directions) > MOST_OBJECTIVES:
            return None
        width = np.where(self.nadir > self.ideal, self.nadir - self.ideal, 1.0)
        costs = (as_costs(values, self.directions) - self.ideal) / width
        return dominated_share(np.unique(costs.clip(min=0.0), axis=0))

    def record(self) -> dict[str, list[float]]:
        """Return the scale as JSON has it."""
        return {"ideal": self.ideal.tolist(), "nadir": self.nadir.tolist()}

    @classmethod
    def read(cls, record: dict[str, list[float]], directions: Sequence[Direction]) -> GrowingVolume:
        """Return the scale of a record."""
        ideal, nadir = np.array(record["ideal"]), np.array(record["nadir"])
        if ideal.shape != (len(directions),) or nadir.shape != ideal.shape:
            raise ValueError("the scale has other objectives")
        return cls(directions=tuple(directions), ideal=ideal, nadir=nadir)
