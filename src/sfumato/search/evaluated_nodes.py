"""The nodes that a search has evaluated: their front, and what they prove about the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.front.dominance import as_costs, nondominated
from sfumato.measures.measure import Box, Direction
from sfumato.recoding.candidates import Candidates
from sfumato.recoding.finished_tables import FinishedTables
from sfumato.search.points import Points

if TYPE_CHECKING:
    from sfumato.data.arrays import Floats
    from sfumato.search.problem import Problem

Node: TypeAlias = tuple[int, ...]


class EvaluatedNodes:
    """A growing set of evaluated nodes, each evaluated once.

    Figures are compared as costs, lower being better, so that the tightest bound is the greatest.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._budget = problem.table.rows if problem.budget is None else problem.budget
        self._signs = [-1.0 if d is Direction.HIGHER else 1.0 for d in problem.directions]
        self._evidence: dict[Node, tuple[Floats | None, ...]] = {}
        self._finished = FinishedTables(problem.tables)
        self._costs: Floats = np.zeros((0, len(problem.objectives)), dtype=np.float64)
        self.front = Points.none(len(problem.table.names), len(problem.objectives))

    def __len__(self) -> int:
        return len(self._evidence)

    def __contains__(self, node: Node) -> bool:
        return node in self._evidence

    def evaluate(self, node: Node) -> None:
        """Evaluate a node unless it is already: its points join the front."""
        if node in self._evidence:
            return
        problem = self._problem
        batch = self._finished.group(node)
        self._add(problem.points(batch))
        unsuppressed = Candidates.of(batch)
        self._evidence[node] = tuple(
            objective.evidence(unsuppressed, self._budget)[0]
            if objective.bound_needs_finest or objective.bound_needs_coarsest
            else None
            for objective in problem.objectives
        )

    def bounds(self, finest: Node, above: Node | None, *, low: Node) -> Floats:
        """Return the least costs of any candidate that is at least as coarse as ``finest``.

        ``above`` is an evaluated node that is at least as coarse as all of them (None: not known
        yet), ``low`` a node at most as fine as all of them, which may have been evaluated.
        """
        nothing = (None,) * len(self._signs)
        high_evidence = nothing if above is None else self._evidence[above]
        low_evidence = self._evidence.get(low, nothing)
        costs = []
        for i, objective in enumerate(self._problem.objectives):
            box = Box(
                finest_levels=finest,
                finest=low_evidence[i],
                coarsest=high_evidence[i],
                budget=self._budget,
            )
            costs.append(self._signs[i] * objective.bound(box, self._problem.tables))
        return np.array(costs)

    def excludes(self, finest: Node, above: Node | None, *, low: Node) -> bool:
        """Say whether the front beats whatever lies between ``finest`` and ``above``."""
        return self.beats(self.bounds(finest, above, low=low))

    def beats(self, costs: Floats) -> bool:
        """Say whether a point of the front is as good as ``costs`` and better in one of them."""
        as_good = (self._costs <= costs).all(axis=1)
        return bool((as_good & (self._costs < costs).any(axis=1)).any())

    def _add(self, points: Points) -> None:
        costs = as_costs(points.values, self._problem.directions)
        fresh = np.array([not self.beats(cost) for cost in costs])
        if fresh.any():
            together = Points.together([self.front, points.where(fresh)])
            self.front = together.where(nondominated(together.values, self._problem.directions))
            self._costs = as_costs(self.front.values, self._problem.directions)
