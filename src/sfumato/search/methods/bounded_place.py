"""Where branch and bound is: at its start, or where it was stopped."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sfumato.measures.loss.loss import finest_cells
from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes
from sfumato.search.bounds.lattice_boxes import Node, box_size
from sfumato.search.kept_record import kept_points, kept_record
from sfumato.search.methods.pace import Pace
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.search.problem import Problem

BoundedBox: TypeAlias = tuple[float, Node, Node, Node | None]
"""A box by its least loss: its corners, and the evaluated node whose evidence bounds it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundedPlace:
    """What the next step depends on. No two boxes share a node, so their order is a total one.

    Its ``pace`` is known only where the sweep is an alternative.
    """

    evaluated: EvaluatedNodes
    heap: list[BoundedBox]
    settled: int
    pace: Pace


def first_bounded_place(problem: Problem, *, threads: int) -> BoundedPlace:
    """Return the start: nothing is evaluated, and the whole lattice is one box."""
    lattice = problem.tables.lattice
    return BoundedPlace(
        evaluated=EvaluatedNodes(problem, threads=threads),
        heap=[(0.0, lattice.bottom, lattice.top, None)],
        settled=0,
        pace=Pace(problem=problem),
    )


def bounded_record(problem: Problem, place: BoundedPlace) -> dict[str, object]:
    """Return a place as JSON has it; nodes are their numbers."""
    number = problem.tables.lattice.number
    return {
        "evaluated": sorted(map(number, place.evaluated.counted)),
        "kept": kept_record(place.evaluated.front),
        "boxes": [
            [number(finest), number(coarsest), None if above is None else number(above)]
            for _, finest, coarsest, above in sorted(place.heap)
        ],
        "pace": place.pace.record(),
    }


def resumed_bounded_place(
    problem: Problem, record: Mapping[str, object], *, threads: int
) -> BoundedPlace:
    """Return the place of a record, or refuse one that was changed."""
    tables = problem.tables
    known = cast("Mapping[str, Any]", record)

    def node(number: object) -> Node:
        if not isinstance(number, int) or not 0 <= number < tables.lattice.nodes:
            raise ValueError(f"there is no node {number}")
        return tables.lattice.levels(number)

    with reading_state():
        evaluated = EvaluatedNodes(problem, earlier=map(node, known["evaluated"]), threads=threads)
        evaluated.kept.add(kept_points(problem, known["kept"]))
        heap: list[BoundedBox] = []
        for lower, upper, bounding in known["boxes"]:
            finest, coarsest = node(lower), node(upper)
            above = None if bounding is None else node(bounding)
            heap.append((finest_cells(tables, finest), finest, coarsest, above))
        if not heap:
            raise ValueError("no box is left")
        heapq.heapify(heap)
        pace = Pace.read(problem, known["pace"])
    # What is in no box is settled.
    waiting = sum(box_size(finest, coarsest) for _, finest, coarsest, _ in heap)
    settled = tables.lattice.nodes - waiting
    return BoundedPlace(evaluated=evaluated, heap=heap, settled=settled, pace=pace)
