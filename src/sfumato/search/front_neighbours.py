"""Nodes beside those of the front: where better points are likely."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from sfumato.search.lattice_box import Node, with_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.recoding.lattice import Lattice
    from sfumato.search.evaluated_nodes import EvaluatedNodes
    from sfumato.search.points import Points


class FrontNeighbours:
    """Goes round the nodes of the front, and proposes a neighbour of each in turn.

    A neighbour differs by one level of one column. Those that were evaluated, and those that a
    bound excludes, are passed over. ``last`` is the node whose neighbour was proposed last; what
    comes next depends on it, on the front and on the evaluated nodes, and on nothing else.
    """

    def __init__(self, lattice: Lattice, evaluated: EvaluatedNodes, last: Node | None) -> None:
        self._lattice = lattice
        self._evaluated = evaluated
        self._exhausted: set[Node] = set()
        self._excluded: set[tuple[Node, Node]] = set()
        self._points: Points | None = None
        self._nodes: list[Node] = []
        self.last = last

    def propose(self) -> Node | None:
        """Return a node that is worth evaluating, None if the front has no such neighbour."""
        if self._points is not self._evaluated.front:
            self._points = self._evaluated.front
            self._nodes = sorted({tuple(node) for node in self._points.levels.tolist()})
        start = 0 if self.last is None else bisect_right(self._nodes, self.last)
        for node in (*self._nodes[start:], *self._nodes[:start]):
            if node in self._exhausted:
                continue
            found = next(self._worthwhile(node), None)
            if found is not None:
                self.last = node
                return found
            # What is evaluated or excluded stays so: the front only improves.
            self._exhausted.add(node)
        return None

    def _worthwhile(self, node: Node) -> Iterator[Node]:
        lattice, evaluated = self._lattice, self._evaluated
        for q, height in enumerate(lattice.heights):
            for level in (node[q] - 1, node[q] + 1):
                neighbour = with_level(node, q, level)
                if not 0 <= level <= height or neighbour in evaluated:
                    continue
                if (node, neighbour) in self._excluded:
                    continue
                finer = level < node[q]
                above, low = (node, lattice.bottom) if finer else (lattice.top, node)
                if evaluated.excludes(neighbour, above, low=low):
                    self._excluded.add((node, neighbour))
                else:
                    yield neighbour
