"""The points of nodes that a search has evaluated, whole populations at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.classes.classes import Classes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.arrays import Flags, Floats
    from sfumato.search.points import Points
    from sfumato.search.problem import Problem

Node: TypeAlias = tuple[int, ...]

ENTRIES_A_BATCH = 4_000_000
"""How many cells and counted values one call groups at most, unless one node has more."""


class EvaluatedPoints:
    """The points of a growing set of nodes; none is evaluated twice.

    ``earlier`` are nodes that an earlier part of the same search evaluated: they count as
    evaluated, and are evaluated again only if they are asked for.
    """

    def __init__(self, problem: Problem, *, earlier: Iterable[Node] = ()) -> None:
        self._problem = problem
        self._counted = set(earlier)
        self._batches: list[Points] = []
        self._meeting: list[Flags] = []
        self._places: dict[Node, tuple[int, int, int]] = {}
        table = problem.table
        entries = int(table.carried(problem.tables.carries).counts.shape[0])
        self._nodes_a_batch = max(1, ENTRIES_A_BATCH // max(1, entries, table.cells))

    def __len__(self) -> int:
        """Return how many different nodes the search has evaluated."""
        return len(self._counted)

    @property
    def counted(self) -> frozenset[Node]:
        """The different nodes that the search has evaluated."""
        return frozenset(self._counted)

    def evaluate(self, nodes: Iterable[Node]) -> list[Node]:
        """Evaluate the nodes that are not evaluated yet, and return them.

        All are evaluated in one call, unless that would take too much memory.
        """
        fresh = [node for node in dict.fromkeys(nodes) if node not in self._places]
        for start in range(0, len(fresh), self._nodes_a_batch):
            self._evaluate(fresh[start : start + self._nodes_a_batch])
        return fresh

    def _evaluate(self, fresh: Sequence[Node]) -> None:
        choices = np.array(fresh, dtype=np.int64)
        batch = self._problem.tables.group(choices)
        candidates = Classes.of(batch, self._problem.suppression)
        points = self._problem.points_of(candidates)
        # The candidates of a node are neighbours, in the order of the nodes.
        changes = np.flatnonzero((points.levels[1:] != points.levels[:-1]).any(axis=1)) + 1
        ends = [*changes.tolist(), len(points)]
        starts = [0, *changes.tolist()]
        for node, start, end in zip(fresh, starts, ends, strict=True):
            self._places[node] = (len(self._batches), start, end)
        self._batches.append(points)
        self._meeting.append(candidates.meets)
        self._counted.update(fresh)

    def of(self, node: Node) -> Points:
        """Return the candidates of an evaluated node."""
        batch, start, end = self._places[node]
        return self._batches[batch].where(np.arange(start, end))

    def meets(self, node: Node) -> Flags:
        """Say which candidates of an evaluated node meet the criteria."""
        batch, start, end = self._places[node]
        return self._meeting[batch][start:end]

    def meeting(self) -> list[Points]:
        """Return all candidates that meet the criteria."""
        pairs = zip(self._batches, self._meeting, strict=True)
        return [points.where(meets) for points, meets in pairs]

    def values(self, node: Node) -> Floats:
        """Return the objective values of the candidates of an evaluated node, a row for each."""
        batch, start, end = self._places[node]
        return self._batches[batch].values[start:end]
