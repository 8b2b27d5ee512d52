"""Local recodings that a search has found, and their front."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.anonymization import Anonymization
from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.recoding.local import Local
    from sfumato.search.problem import Problem


@dataclass(kw_only=True, eq=False)
class FoundRecodings:
    """Evaluates local recodings in the objectives of a problem, each once."""

    problem: Problem
    _found: dict[Local, Solution] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._found)

    def add_all(self, recodings: Iterable[Local]) -> None:
        """Evaluate every recoding that was not evaluated before."""
        for each in recodings:
            self.add(each)

    def add(self, recoding: Local) -> Solution:
        """Evaluate a recoding, unless it was already."""
        known = self._found.get(recoding)
        if known is not None:
            return known
        own = Anonymization.of_local(self.problem.table, recoding)
        classes = own.carrying(self.problem.tables.carries)
        points = self.problem.points_of(classes)
        solution = Solution(
            id=len(self._found),
            recoding=recoding,
            values=dict(zip(self.problem.names, map(float, points.values[0]), strict=True)),
            suppressed=int(points.suppressed[0]),
            threshold=int(points.thresholds[0]),
        )
        self._found[recoding] = solution
        return solution

    def front(self) -> Front:
        """Return the non-dominated recodings, in their fixed order."""
        names, directions = self.problem.names, self.problem.directions
        objectives = dict(zip(names, directions, strict=True))
        solutions = list(self._found.values())
        if not solutions:
            return Front(objectives=objectives, solutions=())
        values = np.array([[each.values[name] for name in names] for each in solutions])
        best = [solutions[place] for place in np.flatnonzero(nondominated(values, directions))]
        best.sort(key=lambda each: (*each.values.values(), each.recoding.stored()["classes"]))
        return Front(
            objectives=objectives,
            solutions=tuple(
                Solution(
                    id=number,
                    recoding=each.recoding,
                    values=each.values,
                    suppressed=each.suppressed,
                    threshold=each.threshold,
                )
                for number, each in enumerate(best)
            ),
        )
