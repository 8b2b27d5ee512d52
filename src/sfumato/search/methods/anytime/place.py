"""Where an anytime search is: at its start, or where it was stopped."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes
from sfumato.search.bounds.lattice_boxes import Node, OpenBox, OpenBoxes, with_level
from sfumato.search.points import Points
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.recoding.lattice import Lattice
    from sfumato.search.bounds.kept_points import KeptPoints
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True, eq=False)
class AnytimePlace:
    """What the next turn depends on.

    ``last`` is the node of the front whose neighbour was evaluated last. ``scales`` are the units
    in which gaps are compared.
    """

    evaluated: EvaluatedNodes
    boxes: OpenBoxes
    scales: Mapping[str, float]
    turn: int
    last: Node | None


def first_place(problem: Problem, kept: KeptPoints) -> AnytimePlace:
    """Return the start: both ends of the lattice are evaluated, and all of it is one box."""
    lattice = problem.tables.lattice
    evaluated = EvaluatedNodes(problem, kept=kept)
    evaluated.evaluate([lattice.top, lattice.bottom])
    scales = lattice_scales(problem, evaluated)
    boxes = OpenBoxes(problem.tables, np.array(list(scales.values())))
    bounds = evaluated.bounds(lattice.bottom, lattice.top, low=lattice.bottom)
    whole = OpenBox(
        finest=lattice.bottom,
        coarsest=lattice.top,
        below=lattice.bottom,
        above=lattice.top,
        bounds=bounds,
    )
    boxes.push(whole, kept.reached)
    return AnytimePlace(evaluated=evaluated, boxes=boxes, scales=scales, turn=0, last=None)


def lattice_scales(problem: Problem, evaluated: EvaluatedNodes) -> dict[str, float]:
    """Return how much every objective differs between the two ends of the lattice.

    Where it does not, or has no finite value there, it is the greatest absolute value, or 1.
    """
    lattice = problem.tables.lattice
    ends = Points.together(
        [evaluated.candidates(lattice.top), evaluated.candidates(lattice.bottom)]
    )
    scales = {}
    for name, column in zip(problem.names, ends.values.T, strict=True):
        finite = column[np.isfinite(column)]
        least, greatest = (finite.min(), finite.max()) if finite.size else (0.0, 0.0)
        width = greatest - least or max(abs(least), abs(greatest)) or 1.0
        scales[name] = float(width)
    return scales


def place_record(problem: Problem, place: AnytimePlace) -> dict[str, object]:
    """Return a place as JSON has it; nodes are their numbers."""
    number = problem.tables.lattice.number
    points = place.evaluated.front
    kept = zip(points.levels.tolist(), points.thresholds.tolist(), strict=True)
    return {
        "turn": place.turn,
        "last": None if place.last is None else number(place.last),
        "evaluated": sorted(map(number, place.evaluated.counted)),
        "kept": [[number(tuple(node)), threshold] for node, threshold in kept],
        "boxes": [
            [
                *map(number, (box.finest, box.coarsest, box.below, box.above)),
                *(each if math.isfinite(each) else str(each) for each in box.bounds.tolist()),
            ]
            for box in place.boxes
        ],
    }


def resumed_place(problem: Problem, kept: KeptPoints, record: Mapping[str, object]) -> AnytimePlace:
    """Return the place of a record, or refuse one that was changed."""
    node = problem.tables.lattice.levels
    known = cast("Mapping[str, Any]", record)
    with reading_state():
        evaluated = EvaluatedNodes(problem, kept=kept, earlier=map(node, known["evaluated"]))
        for number, threshold in known["kept"]:
            points = evaluated.points(node(number))
            chosen = np.flatnonzero(points.thresholds == threshold)
            if chosen.size != 1:
                raise ValueError(f"node {number} has no threshold {threshold}")
            kept.add(points.where(chosen))
        scales = lattice_scales(problem, evaluated)
        boxes = OpenBoxes(problem.tables, np.array(list(scales.values())))
        for finest, coarsest, below, above, *bounds in known["boxes"]:
            if len(bounds) != len(scales):
                raise ValueError(f"a box has {len(bounds)} bounds")
            box = OpenBox(
                finest=node(finest),
                coarsest=node(coarsest),
                below=node(below),
                above=node(above),
                bounds=np.array([float(each) for each in bounds]),
            )
            boxes.push(box, kept.reached)
        last = None if known["last"] is None else node(known["last"])
        turn = int(known["turn"])
    return AnytimePlace(evaluated=evaluated, boxes=boxes, scales=scales, turn=turn, last=last)


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
