"""A measure, a search and a comparator that only the tests define."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.compare.quality_index import UnaryIndex
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved
from sfumato.search.catalogue import SearchMethod
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.result import Progress, SearchResult

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.search.control import SearchControl
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class KeptClasses(Measure):
    """The number of kept classes beyond some that are free: fewer are safer."""

    name: ClassVar[str] = "kept-classes"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "none"
    unit: ClassVar[str] = "classes"
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    free: int = 0

    def evaluate(self, candidates: Classes) -> Floats:
        """Return the number of kept classes."""
        return np.maximum(candidates.kept_classes - self.free, 0).astype(np.float64)

    def evidence(self, candidates: Classes, budget: int) -> Floats:
        """Return how many classes are too large to be suppressed."""
        large = (candidates.batch.sizes > budget).astype(np.int64)
        left = np.maximum(candidates.sum_kept(large) - self.free, 0)
        return left.astype(np.float64).reshape(-1, 1)


def climb(problem: Problem, *, control: SearchControl) -> SearchResult:
    """Return the front of the way from the bottom of the lattice to its top, level by level."""
    lattice = problem.tables.lattice
    evaluated = EvaluatedPoints(problem)
    node = lattice.bottom
    going = True
    while going:
        evaluated.evaluate([node])
        going = control.goes_on(
            Progress(
                settled=len(evaluated),
                nodes=lattice.nodes,
                evaluated=len(evaluated),
                front_size=len(evaluated.best),
            )
        )
        rising = [q for q, height in enumerate(lattice.heights) if node[q] < height]
        if not rising:
            break
        node = (*node[: rising[0]], node[rising[0]] + 1, *node[rising[0] + 1 :])
    finished = not rising
    return SearchResult(
        front=evaluated.front(),
        method=CLIMB.name,
        exact=False,
        evaluated=len(evaluated),
        nodes=lattice.nodes,
        reason="one way up" if finished else "part of one way up",
        finished=finished,
    )


CLIMB = SearchMethod(name="climb", summary="one way up the lattice", search=climb)


@dataclass(frozen=True, kw_only=True)
class FirstRow(UnaryIndex):
    """The value of the first row alone."""

    name: ClassVar[str] = "first-row"
    reference: ClassVar[str] = "none"

    def value(self, vector: PropertyVector) -> float:
        """Return the value of the first row."""
        return float(vector.values[vector.group_of[0]])

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both values."""
        return f"its first {pair.first.words} is {better}, against {other}"
