"""Nodes beside those of the front: where better points are likely."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.bounds.lattice_box import Node, with_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.recoding.lattice import Lattice
    from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes
    from sfumato.search.bounds.open_boxes import OpenBoxes
    from sfumato.search.points import Points


class FrontNeighbours:
    """Goes round the nodes of the front, and proposes a neighbour of each in turn.

    A neighbour differs by one level of one column. Those that were evaluated, those in no open
    box, and those that the bounds of their box exclude, are passed over. ``last`` is the node whose
    neighbour was proposed last; what comes next depends on it, on the front, on the evaluated nodes
    and on the open boxes, and on nothing else.
    """

    def __init__(
        self, lattice: Lattice, evaluated: EvaluatedNodes, boxes: OpenBoxes, last: Node | None
    ) -> None:
        self._lattice = lattice
        self._evaluated = evaluated
        self._boxes = boxes
        self._exhausted: set[Node] = set()
        self._settled: set[Node] = set()
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
            # What is settled stays so: the front only improves, and boxes only shrink.
            self._exhausted.add(node)
        return None

    def _worthwhile(self, node: Node) -> Iterator[Node]:
        minimum_levels = self._lattice.minimum_levels
        for q, height in enumerate(self._lattice.heights):
            for level in (node[q] - 1, node[q] + 1):
                neighbour = with_level(node, q, level)
                if not minimum_levels[q] <= level <= height or neighbour in self._evaluated:
                    continue
                if neighbour in self._settled:
                    continue
                if self._is_excluded(neighbour):
                    self._settled.add(neighbour)
                else:
                    yield neighbour

    def _is_excluded(self, node: Node) -> bool:
        box = self._boxes.containing(node)
        if box is None:
            return True
        bounds = self._evaluated.bounds(node, box.above, low=box.below)
        return self._evaluated.kept.excludes(np.maximum(bounds, box.bounds))
