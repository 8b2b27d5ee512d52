"""Branch and bound: the exact front without looking at most of the lattice.

A *box* is all nodes between a finest and a coarsest corner. The bounds of the objectives (each
proved in docs/method.md) say what the best node of a box could at most be; a box is discarded if
the front already holds a point at least as good as all bounds and strictly better in one, so that
ties are never lost. Boxes are taken by the least loss that they could have. Before a coarsest
corner is evaluated, all top levels of the box that can be discarded already are cut off, which
spares the evaluation of every corner in between; then the box is split at the top level that
costs the most loss. Under criteria only candidates that meet them are points: what is proved of all
candidates is proved of these.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.measures.loss.loss import finest_cells
from sfumato.search.bounds.lattice_boxes import (
    Node,
    box_size,
    column_to_split,
    with_level,
    without_excluded_tops,
)
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, usable_threads
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.methods.bounded_place import (
    bounded_record,
    first_bounded_place,
    resumed_bounded_place,
)
from sfumato.search.result import Progress, SearchResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes
    from sfumato.search.methods.bounded_place import BoundedBox
    from sfumato.search.problem import Problem

LEAST_BOXES, MOST_BOXES, SHARE_OF_BOXES = 4, 16, 16
"""How many boxes are looked at together: their corners are evaluated together, by all threads.

A share of the open ones, since the fewer there are, the more does one of them say about the others.
It does not depend on the number of threads, so that any number evaluates the same nodes."""


def unbounded_objectives(problem: Problem) -> list[str]:
    """Return the objectives for which no bound is proved under the problem's policy."""
    return [
        str(objective)
        for objective in problem.objectives
        if not objective.has_bound(problem.tables, problem.budget)
    ]


def check_bounds(problem: Problem, *, method: str, instead: tuple[str, ...]) -> None:
    """Refuse a problem with objectives for which no bound is proved."""
    lacking = unbounded_objectives(problem)
    if lacking:
        raise SettingsError(
            f"method {method!r} needs a bound for every objective, and none is proved for "
            f"{', '.join(map(repr, lacking))} under suppression policy "
            f"{problem.suppression.policy.value!r}",
            code="no-bound",
            key="objectives",
            found=", ".join(lacking),
            remedy=f"use method {' or '.join(map(repr, instead))}",
        )


def branch_and_bound(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front, or refuse if an objective has no proved bound.

    If it is stopped, it returns the front of the nodes that it has evaluated, and a state from
    which it goes on as if it had not been stopped.
    """
    check_bounds(problem, method=METHOD.name, instead=("sweep", "auto"))
    found = bounded_search(problem, control=control)
    assert found is not None
    return found


def bounded_search(
    problem: Problem,
    *,
    control: SearchControl = DEFAULT_CONTROL,
    chosen: bool = True,
) -> SearchResult | None:
    """Run branch and bound; unless it was ``chosen``, return None if a sweep would end sooner."""
    tables = problem.tables
    lattice = tables.lattice
    threads = usable_threads(control.threads)
    place = (
        first_bounded_place(problem, threads=threads)
        if control.resume is None
        else resumed_bounded_place(problem, control.resume, threads=threads)
    )
    evaluated, heap, settled = place.evaluated, place.heap, place.settled
    if not chosen:
        evaluated.when_counted = place.pace.add
    while heap:
        if not chosen and place.pace.is_too_slow(
            evaluated=len(evaluated), settled=settled / lattice.nodes
        ):
            return None
        at_once = min(len(heap), MOST_BOXES, max(LEAST_BOXES, len(heap) // SHARE_OF_BOXES))
        taken = [heapq.heappop(heap) for _ in range(at_once)]
        settled += sum(box_size(finest, coarsest) for _, finest, coarsest, _ in taken)
        for finest, coarsest, above in _narrowed(problem, evaluated, taken):
            if finest == coarsest:
                continue
            settled -= box_size(finest, coarsest)
            q = column_to_split(finest, coarsest, tables.level_losses)
            upper = with_level(finest, q, coarsest[q])
            below = with_level(coarsest, q, coarsest[q] - 1)
            heapq.heappush(heap, (finest_cells(tables, finest), finest, below, above))
            heapq.heappush(heap, (finest_cells(tables, upper), upper, coarsest, above))
        progress = Progress(
            settled=settled,
            nodes=lattice.nodes,
            evaluated=len(evaluated),
            front_size=len(evaluated.front),
        )
        if not control.goes_on(progress):
            break
    if not heap and not len(evaluated.front):
        raise nothing_meets(problem)
    return SearchResult(
        front=evaluated.front.front(problem.table.names, problem.names, problem.directions),
        method=METHOD.name,
        exact=not heap,
        evaluated=len(evaluated),
        nodes=lattice.nodes,
        reason="every node that was not evaluated is excluded by a proved bound"
        if not heap
        else f"the search was stopped when {settled:,} of {lattice.nodes:,} nodes were evaluated "
        "or excluded by a proved bound, and the others may hold better ones",
        finished=not heap,
        state=bounded_record(problem, place) if heap else None,
    )


def _narrowed(
    problem: Problem, evaluated: EvaluatedNodes, taken: Sequence[BoundedBox]
) -> Iterator[tuple[Node, Node, Node | None]]:
    """Evaluate the corners of boxes together, and return what is left of those not discarded."""
    boxes: list[tuple[Node, Node, Node | None]]
    boxes = [(finest, coarsest, above) for _, finest, coarsest, above in taken]
    while boxes:
        waiting: list[tuple[Node, Node, Node | None]] = []
        wanted: list[Node] = []
        for finest, coarsest, above in boxes:
            if evaluated.excludes(finest, above, low=finest):
                continue
            cut = without_excluded_tops(evaluated, finest, coarsest, above, low=finest)
            if above != cut:
                wanted.append(cut)
                waiting.append((finest, cut, cut))
            elif problem.bounds_need_finest and finest not in evaluated:
                wanted.append(finest)
                waiting.append((finest, cut, above))
            else:
                yield finest, cut, above
        evaluated.evaluate(wanted)
        boxes = waiting


METHOD = SearchMethod(
    name="branch-and-bound",
    summary="the exact front without looking at most of the lattice",
    search=branch_and_bound,
    capabilities=SearchCapabilities(criteria=CriteriaUse.KEPT, resumable=True),
)
