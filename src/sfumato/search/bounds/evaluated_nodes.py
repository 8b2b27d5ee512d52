"""The nodes that a search with bounds has evaluated, and what they prove about others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.classes.class_batch import ClassBatch
from sfumato.classes.classes import Classes
from sfumato.classes.finished_tables import FinishedTables
from sfumato.measures.measure import Box, Direction
from sfumato.search.bounds.kept_points import KeptFront, KeptPoints
from sfumato.search.evaluation.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sfumato.arrays import Floats
    from sfumato.search.points import Points
    from sfumato.search.problem import Problem

Node: TypeAlias = tuple[int, ...]
Evidence: TypeAlias = "tuple[Floats | None, ...]"
"""What a node proves about others, for each objective that has a bound of that kind."""


MOST_AT_ONCE = 16
"""How many nodes are measured together at most: their class tables are there at once."""


class EvaluatedNodes(Evaluator[Node, Evidence]):
    """A growing set of evaluated nodes, each counted once.

    Their points go to ``kept``, the front of all of them unless given. Objective values are
    compared as costs, lower being better: the tightest bound is the greatest. ``earlier`` are nodes
    that an earlier part of the same search evaluated: they count, ``kept`` has their points,
    and what they prove is computed again where it is needed.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        kept: KeptPoints | None = None,
        earlier: Iterable[Node] = (),
        threads: int = 1,
    ) -> None:
        super().__init__(most_at_once=MOST_AT_ONCE, earlier=earlier)
        self._problem = problem
        self._budget = problem.table.rows if problem.budget is None else problem.budget
        self._signs = [-1.0 if d is Direction.HIGHER else 1.0 for d in problem.directions]
        self._nothing: Evidence = (None,) * len(self._signs)
        self._finished = FinishedTables(problem.tables, threads=threads)
        self.kept: KeptPoints = KeptFront(problem) if kept is None else kept
        self.when_counted: Callable[[Node, int], None] | None = None
        """Told of every node that is counted, with the classes and carried values of its table."""

    @property
    def front(self) -> Points:
        """The points that are kept."""
        return self.kept.points

    def _find(self, keys: Sequence[Node]) -> list[Evidence]:
        tables = self._finished.group_all(keys)
        fresh = []
        for node, table in zip(keys, tables, strict=True):
            if node not in self:
                fresh.append(table)
                if self.when_counted is not None:
                    self.when_counted(node, table.classes + table.carried.values.shape[0])
        together = ClassBatch.together(tables)
        if fresh:
            unseen = together if len(fresh) == len(tables) else ClassBatch.together(fresh)
            self.kept.add(self._problem.points(unseen))
        return self._evidence_in(together)

    def points(self, node: Node) -> Points:
        """Return the candidates of a node that meet the criteria, without counting it."""
        return self._problem.points(self._finished.group(node))

    def candidates(self, node: Node) -> Points:
        """Return all candidates of a node, whether they meet the criteria or not."""
        classes = Classes.of(self._finished.group(node), self._problem.suppression)
        return self._problem.points_of(classes)

    def _evidence_in(self, batch: ClassBatch) -> list[Evidence]:
        unsuppressed = Classes.of(batch)
        nothing = [None] * batch.recodings
        columns = [
            objective.evidence(unsuppressed, self._budget)
            if objective.bound_needs_finest or objective.bound_needs_coarsest
            else nothing
            for objective in self._problem.objectives
        ]
        return list(zip(*columns, strict=True))

    def _proved(self, node: Node | None) -> Evidence:
        """Return what a node proves, if it was evaluated."""
        if node is None or node not in self:
            return self._nothing
        return self[node]

    def bounds(self, finest: Node, above: Node | None, *, low: Node) -> Floats:
        """Return the least costs of any candidate that is at least as coarse as ``finest``.

        ``above`` is an evaluated node that is at least as coarse as all of them (None: not known
        yet), ``low`` a node at most as fine as all of them, which may have been evaluated.
        """
        bounds: Floats = self.bounds_of([finest], above, low=low)[0]
        return bounds

    def bounds_of(self, finest: Sequence[Node], above: Node | None, *, low: Node) -> Floats:
        """Return a row of bounds for each of several nodes, which ``above`` and ``low`` enclose."""
        high_evidence, low_evidence = self._proved(above), self._proved(low)
        tables, budget = self._problem.tables, self._budget
        costs = np.empty((len(finest), len(self._signs)), dtype=np.float64)
        for i, objective in enumerate(self._problem.objectives):
            sign, high, fine = self._signs[i], high_evidence[i], low_evidence[i]
            for row, levels in enumerate(finest):
                box = Box(finest_levels=levels, finest=fine, coarsest=high, budget=budget)
                costs[row, i] = sign * objective.bound(box, tables)
        return costs

    def excludes(self, finest: Node, above: Node | None, *, low: Node) -> bool:
        """Say whether what is kept excludes all that lies between ``finest`` and ``above``."""
        return self.kept.excludes(self.bounds(finest, above, low=low))

    def excluded(self, finest: Sequence[Node], above: Node | None, *, low: Node) -> list[bool]:
        """Say of several nodes what `excludes` says of each."""
        flags: list[bool] = self.kept.excluded(self.bounds_of(finest, above, low=low)).tolist()
        return flags
