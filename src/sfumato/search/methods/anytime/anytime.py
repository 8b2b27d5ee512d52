"""The anytime search: branch and bound that can be stopped, and then says what it has proved.

It works on boxes of the lattice as branch and bound does (docs/method.md), in turns: the box with
the greatest gap to the front, which lowers what the guarantee allows; the box with the least
possible loss, which is what branch and bound takes; and, after each, two nodes beside those of the
front, which finds good points early. A turn evaluates at most one node. Given time it ends with the
exact front.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - readers of study files resolve the types
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import numpy as np

from sfumato.search.bounds.discretization import discretization
from sfumato.search.bounds.kept_points import KeptArchive, KeptFront
from sfumato.search.bounds.lattice_boxes import (
    Node,
    column_to_split,
    with_level,
    without_excluded_tops,
)
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.guarantee import Guarantee, guaranteed
from sfumato.search.methods.anytime.place import (
    FrontNeighbours,
    first_place,
    place_record,
    resumed_place,
)
from sfumato.search.methods.branch_and_bound import check_bounds
from sfumato.search.result import Progress, SearchResult
from sfumato.search.setting_checks import checked_widths

if TYPE_CHECKING:
    from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes
    from sfumato.search.bounds.lattice_boxes import OpenBox, OpenBoxes
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class AnytimeSettings:
    """The settings of the anytime search.

    Without ``epsilon`` it looks for the whole front. With it, it keeps one solution for each box
    of a grid, and leaves out what can only lie in boxes that are taken or dominated: fewer
    solutions, found with fewer evaluations. ``epsilon`` is the width of a box for objectives by
    name; see `sfumato.search.bounds.discretization` for those it leaves out.

    >>> AnytimeSettings(epsilon={"k": 5, "loss": 100}).epsilon
    {'k': 5, 'loss': 100}
    """

    epsilon: Annotated[
        Mapping[str, float] | None,
        "The width of a box by objective, for an archive instead of the whole front.",
    ] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_widths(self.epsilon))


DEFAULT_SETTINGS = AnytimeSettings()


TURNS = ("gap", "neighbour", "neighbour", "loss", "neighbour", "neighbour")


def anytime(
    problem: Problem,
    *,
    settings: AnytimeSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the exact front, or, if it is stopped, a front with a guarantee.

    With ``settings.epsilon`` the front is an archive: one solution for each box of the grid that
    no other box dominates.
    """
    check_bounds(problem, method=METHOD.name, instead=("sweep", "pbg-ea"))
    lattice = problem.tables.lattice
    widths = None if settings.epsilon is None else discretization(problem, settings.epsilon)
    kept = KeptFront(problem) if widths is None else KeptArchive(problem, tuple(widths.values()))
    place = (
        first_place(problem, kept)
        if control.resume is None
        else resumed_place(problem, kept, control.resume)
    )
    evaluated, boxes = place.evaluated, place.boxes
    neighbours = FrontNeighbours(lattice, evaluated, boxes, place.last)
    turn = place.turn
    while True:
        progress = Progress(
            settled=max(lattice.nodes - boxes.open_nodes, len(evaluated)),
            nodes=lattice.nodes,
            evaluated=len(evaluated),
            front_size=len(kept.points),
        )
        if not control.goes_on(progress) or not len(boxes):
            break
        _take_turn(problem, evaluated, boxes, neighbours, TURNS[turn % len(TURNS)])
        turn += 1
    guarantee = guaranteed(
        kept.costs,
        boxes.bounds,
        place.scales,
        settled=max(
            lattice.nodes
            - boxes.open_nodes
            + sum(corner in evaluated for box in boxes for corner in {box.finest, box.coarsest}),
            len(evaluated),
        ),
        nodes=lattice.nodes,
        widths=None if widths is None else tuple(widths.values()),
    )
    finished = not len(boxes)
    if finished and not len(kept.points):
        raise nothing_meets(problem)
    return SearchResult(
        front=kept.points.front(problem.table.names, problem.names, problem.directions),
        method=METHOD.name,
        exact=finished and widths is None,
        evaluated=len(evaluated),
        nodes=lattice.nodes,
        reason=_reason(guarantee, widths, finished=finished),
        finished=finished,
        guarantee=guarantee,
        state=None
        if finished
        else place_record(problem, replace(place, turn=turn, last=neighbours.last)),
    )


def _take_turn(
    problem: Problem,
    evaluated: EvaluatedNodes,
    boxes: OpenBoxes,
    neighbours: FrontNeighbours,
    turn: str,
) -> None:
    """Take a turn; at most one node is evaluated."""
    if turn == "neighbour":
        neighbour = neighbours.propose()
        if neighbour is not None:
            evaluated.evaluate([neighbour])
            return
    box = boxes.pop_by_loss() if turn == "loss" else boxes.pop_by_gap(evaluated.kept.reached)
    before = len(evaluated)
    while True:
        box = _bounded_again(evaluated, box)
        if evaluated.kept.excludes(box.bounds):
            return
        coarsest = without_excluded_tops(
            evaluated, box.finest, box.coarsest, box.above, low=box.below
        )
        box = replace(box, coarsest=coarsest)
        wanted = _corner_to_evaluate(problem, evaluated, box)
        if wanted is None:
            break
        if wanted not in evaluated and len(evaluated) > before:
            # That is for another turn.
            boxes.push(box, evaluated.kept.reached)
            return
        evaluated.evaluate([wanted])
        box = replace(box, above=box.coarsest if wanted == box.coarsest else box.above)
    if box.finest != box.coarsest:
        q = column_to_split(box.finest, box.coarsest, problem.tables.level_losses)
        top = box.coarsest[q]
        for part in (
            replace(box, coarsest=with_level(box.coarsest, q, top - 1)),
            replace(box, finest=with_level(box.finest, q, top)),
        ):
            boxes.push(_bounded_again(evaluated, part), evaluated.kept.reached)


def _bounded_again(evaluated: EvaluatedNodes, box: OpenBox) -> OpenBox:
    """Return a box with the bounds that are now known; those of a larger box hold in it too."""
    below = box.finest if box.finest in evaluated else box.below
    bounds = evaluated.bounds(box.finest, box.above, low=below)
    return replace(box, below=below, bounds=np.maximum(bounds, box.bounds))


def _corner_to_evaluate(problem: Problem, evaluated: EvaluatedNodes, box: OpenBox) -> Node | None:
    """Return the corner that is to be known before a box is split, None if all are."""
    if box.above != box.coarsest:
        return box.coarsest
    needed = problem.bounds_need_finest and box.finest not in evaluated
    return box.finest if needed else None


def _reason(guarantee: Guarantee, widths: Mapping[str, float] | None, *, finished: bool) -> str:
    grid = (
        ""
        if widths is None
        else " (widths: " + ", ".join(f"{name} {width:g}" for name, width in widths.items()) + ")"
    )
    if finished:
        if widths is None:
            return "every node that was not evaluated is excluded by a proved bound"
        return (
            f"one solution for each box that is non-dominated{grid}, all of them: every node "
            "that was not evaluated is excluded by a proved bound"
        )
    kept = "" if widths is None else f"; one solution for each box{grid}"
    return (
        f"the search was stopped with {guarantee.settled_share:.3%} of the lattice settled by "
        f"evaluation or proof; {guarantee.in_words()}{kept}"
    )


METHOD = SearchMethod(
    name="anytime",
    summary="branch and bound that can be stopped at any time, with a guarantee",
    search=anytime,
    settings=AnytimeSettings,
    capabilities=SearchCapabilities(criteria=CriteriaUse.KEPT, resumable=True),
)
