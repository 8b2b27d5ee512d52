"""Boxes of the lattice: all nodes between a finest and a coarsest corner."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.measures.loss.loss import finest_cells
from sfumato.search.guarantee import gap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes


Node: TypeAlias = tuple[int, ...]


def box_size(finest: Node, coarsest: Node) -> int:
    """Return the number of nodes of a box.

    >>> box_size((0, 1), (2, 1))
    3
    """
    return math.prod(b - a + 1 for a, b in zip(finest, coarsest, strict=True))


def with_level(node: Node, q: int, level: int) -> Node:
    """Return a node with another level of one column."""
    return (*node[:q], level, *node[q + 1 :])


def without_excluded_tops(
    evaluated: EvaluatedNodes, finest: Node, coarsest: Node, above: Node | None, *, low: Node
) -> Node:
    """Return the coarsest corner without the top levels that are excluded in any combination.

    ``above`` and ``low`` are the nodes whose evidence bounds the box (`EvaluatedNodes.bounds`).
    """
    # No column's answer depends on another's: the first question of all is asked at once.
    columns = [
        q
        for q, (low_level, top) in enumerate(zip(finest, coarsest, strict=True))
        if top > low_level
    ]
    while columns:
        tops = [with_level(finest, q, coarsest[q]) for q in columns]
        flags = evaluated.excluded(tops, above, low=low)
        columns = [q for q, excluded in zip(columns, flags, strict=True) if excluded]
        for q in columns:
            coarsest = with_level(coarsest, q, coarsest[q] - 1)
        columns = [q for q in columns if coarsest[q] > finest[q]]
    return coarsest


def column_to_split(
    finest: Node, coarsest: Node, level_losses: tuple[tuple[float, ...], ...]
) -> int:
    """Return the column whose top level costs the most loss, of those with several levels."""
    return max(
        (q for q in range(len(finest)) if coarsest[q] > finest[q]),
        key=lambda q: (level_losses[q][coarsest[q]] - level_losses[q][coarsest[q] - 1], -q),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class OpenBox:
    """All nodes between two corners, and what bounds them.

    ``below`` and ``above`` are evaluated nodes, finer and coarser than all of them. ``bounds``
    are the least costs that a candidate among them can have.
    """

    finest: Node
    coarsest: Node
    below: Node
    above: Node
    bounds: Floats

    @property
    def size(self) -> int:
        """The number of nodes."""
        return box_size(self.finest, self.coarsest)


class OpenBoxes:
    """Disjoint boxes, taken by the greatest gap to the front or by the least possible loss.

    A gap falls when the front improves, and never grows. So the gap that was worked out when a
    box came is at least the gap that it has now, and the box with the greatest one is found by
    looking again at the foremost only. Boxes that are equal in an order come by their corners:
    which one is next does not depend on when gaps were worked out.
    """

    def __init__(self, tables: ClassTables, scales: Floats) -> None:
        self._tables = tables
        self._scales = scales
        self._open: dict[tuple[Node, Node], OpenBox] = {}
        self._by_gap: list[tuple[float, Node, Node]] = []
        self._by_loss: list[tuple[float, Node, Node]] = []
        self.open_nodes = 0
        columns = len(tables.table.names)
        # The corners as rows, to look a node up; a box that was taken has none of the nodes.
        self._corners: Counts = np.zeros((64, 2, columns), dtype=np.int64)
        self._keys: list[tuple[Node, Node]] = []
        self._places: dict[tuple[Node, Node], int] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[OpenBox]:
        """Iterate over the boxes in a fixed order."""
        return (self._open[key] for key in sorted(self._open))

    @property
    def bounds(self) -> Floats:
        """The bounds of all boxes, a row for each."""
        rows = [box.bounds for box in self._open.values()]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self._scales))

    def containing(self, node: Node) -> OpenBox | None:
        """Return the box that a node lies in, None if it is settled."""
        rows = self._corners[: len(self._keys)]
        inside = ((rows[:, 0] <= node) & (node <= rows[:, 1])).all(axis=1)
        place = int(inside.argmax()) if inside.any() else None
        return None if place is None else self._open[self._keys[place]]

    def _remember(self, key: tuple[Node, Node]) -> None:
        if len(self._keys) == self._corners.shape[0]:
            alive = sorted(self._places.items(), key=lambda item: item[1])
            grown = np.zeros((max(64, 2 * len(alive)), *self._corners.shape[1:]), dtype=np.int64)
            grown[: len(alive)] = self._corners[[place for _, place in alive]]
            self._corners = grown
            self._keys = [each for each, _ in alive]
            self._places = {each: place for place, each in enumerate(self._keys)}
        self._corners[len(self._keys)] = key
        self._places[key] = len(self._keys)
        self._keys.append(key)

    def push(self, box: OpenBox, costs: Floats) -> None:
        """Add a box; gaps are measured to ``costs``, those that are reached."""
        key = (box.finest, box.coarsest)
        self._open[key] = box
        self._remember(key)
        self.open_nodes += box.size
        heapq.heappush(self._by_gap, (-gap(costs, box.bounds, self._scales), *key))
        heapq.heappush(self._by_loss, (finest_cells(self._tables, box.finest), *key))

    def pop_by_loss(self) -> OpenBox:
        """Take the box whose finest corner loses the least."""
        while True:
            _, *key = heapq.heappop(self._by_loss)
            if tuple(key) in self._open:
                return self._take(key[0], key[1])

    def pop_by_gap(self, costs: Floats) -> OpenBox:
        """Take the box with the greatest gap to ``costs``, those that are reached."""
        while True:
            before, finest, coarsest = heapq.heappop(self._by_gap)
            box = self._open.get((finest, coarsest))
            if box is None:
                continue
            now = -gap(costs, box.bounds, self._scales)
            if now == before:
                return self._take(finest, coarsest)
            heapq.heappush(self._by_gap, (now, finest, coarsest))

    def _take(self, finest: Node, coarsest: Node) -> OpenBox:
        box = self._open.pop((finest, coarsest))
        self._corners[self._places.pop((finest, coarsest)), 1] = -1
        self.open_nodes -= box.size
        return box
