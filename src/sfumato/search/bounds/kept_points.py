"""What a search with bounds keeps of the points that it finds, and what they exclude."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.box_archive import BoxArchive
from sfumato.front.box_dominance import boxes
from sfumato.front.dominance import as_costs
from sfumato.search.points import Points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags, Floats
    from sfumato.search.problem import Problem


class KeptPoints(ABC):
    """Keeps mutually non-dominated points. Costs are objective values of which less is better."""

    def __init__(self, problem: Problem) -> None:
        self._directions = problem.directions
        self._points = Points.none(len(problem.table.names), len(problem.objectives))
        self._costs: Floats = np.zeros((0, len(problem.objectives)), dtype=np.float64)
        self._columns: Floats = self._costs.T

    @property
    def points(self) -> Points:
        """The points that are kept."""
        return self._points

    @property
    def costs(self) -> Floats:
        """Their costs, a row for each."""
        return self._costs

    @property
    def reached(self) -> Floats:
        """Costs that gaps are measured to: what they dominate never shrinks as points are added."""
        return self._costs

    def _keep(self, points: Points) -> None:
        self._points = points
        self._costs = as_costs(points.values, self._directions)
        self._columns = np.ascontiguousarray(self._costs.T)

    @abstractmethod
    def add(self, points: Points) -> None:
        """Add new points, and drop those that are no longer worth keeping."""

    def excludes(self, bounds: Floats) -> bool:
        """Say whether nothing needs to be found whose costs are ``bounds`` or more."""
        return bool(self.excluded(bounds[None])[0])

    @abstractmethod
    def excluded(self, bounds: Floats) -> Flags:
        """Say of every row of bounds what `excludes` says of one."""


class KeptFront(KeptPoints):
    """Keeps every non-dominated point, ties included.

    It excludes what a kept point dominates: as good as all bounds and better than one of them, so
    that ties are never lost (docs/method.md, "The discarding rule").
    """

    def add(self, points: Points) -> None:
        """Add new points, and drop what they dominate."""
        if len(points):
            self._keep(Points.together([self._points, points]).best(self._directions))

    def excluded(self, bounds: Floats) -> Flags:
        """Say whether a kept point is as good as the bounds and better in one of them."""
        as_good = self._columns[0] <= bounds[:, 0, None]
        better = self._columns[0] < bounds[:, 0, None]
        for costs, bound in zip(self._columns[1:], bounds.T[1:, :, None], strict=True):
            as_good &= costs <= bound
            better |= costs < bound
        better &= as_good
        flags: Flags = better.any(axis=1)
        return flags


class KeptArchive(KeptPoints):
    """Keeps one point for each non-dominated box of a grid (PBG Algorithm 1).

    It excludes what lies in boxes that a member's box dominates or is: B(a) at least as good as
    the box of the bounds in every objective (docs/method.md, "An archive instead of the front").
    """

    def __init__(self, problem: Problem, epsilon: Sequence[float]) -> None:
        super().__init__(problem)
        self._epsilon = tuple(epsilon)
        self._archive: BoxArchive[Points] = BoxArchive(
            directions=problem.directions, epsilon=self._epsilon
        )
        self._boxes: Floats = self._costs

    def add(self, points: Points) -> None:
        """Offer points to the archive."""
        offered = [
            self._archive.offer(points.where(np.array([place])), values)
            for place, values in enumerate(points.values)
        ]
        if any(offered):
            self._keep(Points.together(self._archive.members))
            self._boxes = as_costs(self._archive.boxes, self._directions)

    @property
    def reached(self) -> Floats:
        """The corners of the boxes: the member of a box may be worse than the one before."""
        corners: Floats = self._boxes * np.array(self._epsilon)
        return corners

    def excluded(self, bounds: Floats) -> Flags:
        """Say whether the box of a member is at least as good as that of the bounds."""
        values = as_costs(bounds, self._directions)
        box = as_costs(boxes(values, self._epsilon), self._directions)
        as_good: Flags = np.all(self._boxes[None] <= box[:, None], axis=2)
        flags: Flags = np.any(as_good, axis=1)
        return flags
