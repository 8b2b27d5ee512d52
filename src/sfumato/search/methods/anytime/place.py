"""Where an anytime search is: at its start, or where it was stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes
from sfumato.search.bounds.open_boxes import OpenBox, OpenBoxes
from sfumato.search.points import Points
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.search.bounds.kept_points import KeptPoints
    from sfumato.search.bounds.lattice_box import Node
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
    ends = Points.together([evaluated.points(lattice.top), evaluated.points(lattice.bottom)])
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
