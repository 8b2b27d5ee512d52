"""Evaluated candidates, before they become a front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution
from sfumato.recoding.levels import Levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.measures.measure import Direction


@dataclass(frozen=True, kw_only=True, eq=False)
class Points:
    """Candidates of the lattice with their objective values, a row for each."""

    levels: Counts
    thresholds: Counts
    suppressed: Counts
    values: Floats

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @classmethod
    def none(cls, columns: int, objectives: int) -> Points:
        """Return no points."""
        return cls(
            levels=np.zeros((0, columns), dtype=np.int64),
            thresholds=np.zeros(0, dtype=np.int64),
            suppressed=np.zeros(0, dtype=np.int64),
            values=np.zeros((0, objectives), dtype=np.float64),
        )

    @classmethod
    def together(cls, parts: Sequence[Points]) -> Points:
        """Return the points of all parts."""
        return cls(
            levels=np.concatenate([part.levels for part in parts]),
            thresholds=np.concatenate([part.thresholds for part in parts]),
            suppressed=np.concatenate([part.suppressed for part in parts]),
            values=np.concatenate([part.values for part in parts]),
        )

    def where(self, flags: Flags | Counts | slice) -> Points:
        """Return the chosen points."""
        return Points(
            levels=self.levels[flags],
            thresholds=self.thresholds[flags],
            suppressed=self.suppressed[flags],
            values=self.values[flags],
        )

    def best(self, directions: Sequence[Direction]) -> Points:
        """Return the non-dominated points."""
        return self.where(nondominated(self.values, directions))

    def front(
        self,
        names: Sequence[str],
        objectives: Sequence[str],
        directions: Sequence[Direction],
    ) -> Front:
        """Return the front of the points, in its fixed order."""
        best = self.best(directions)
        keys = [best.thresholds, *best.levels.T[::-1], *best.values.T[::-1]]
        best = best.where(np.lexsort(keys))
        solutions = tuple(
            Solution(
                id=position,
                recoding=Levels.of(dict(zip(names, map(int, levels), strict=True))),
                values=dict(zip(objectives, map(float, values), strict=True)),
                suppressed=int(suppressed),
                threshold=int(threshold),
            )
            for position, (levels, values, suppressed, threshold) in enumerate(
                zip(best.levels, best.values, best.suppressed, best.thresholds, strict=True)
            )
        )
        return Front(objectives=dict(zip(objectives, directions, strict=True)), solutions=solutions)
