"""The exact sweep: every node of the lattice by roll-up. The oracle of all other searches."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

from sfumato.classes.compilation import load_kernels
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, usable_threads
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.points import Points
from sfumato.search.result import Progress, SearchResult
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.classes.class_batch import ClassBatch
    from sfumato.search.problem import Problem

_POINTS_BEFORE_FILTERING = 100_000
_LEAST_PARTS = 32


def sweep(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Evaluate every node and return the exact front.

    Batches of neighbouring nodes are rolled up and measured in parallel, and taken in a fixed
    order, so that the result is the same for any number of threads. Memory is bounded by the
    batches under way: dominated points are dropped as they come. A sweep that is stopped returns
    the front of the batches that it has finished, and cannot go on from there. Under criteria it
    is the front of the recodings that meet them.
    """
    tables = problem.tables
    load_kernels()
    workers = usable_threads(control.threads)
    if problem.space is Space.ADMISSIBLE and not problem.admissible.is_lattice_of_levels:
        nodes = problem.admissible.size
        first = problem.admissible.partitions[tables.layout.order[0]]
        parts: Iterator[tuple[int, ...]] = ((each,) for each in first)
        batches_of = _admissible_batches(problem)
    else:
        nodes = tables.lattice.nodes
        parts = tables.outer_nodes(_outer_columns_to_split(problem))
        batches_of = tables.sweep_batches

    def evaluate(part: tuple[int, ...]) -> tuple[int, Points]:
        settled, best = 0, []
        for batch in batches_of(part):
            settled += batch.recodings
            best.append(problem.points(batch).best(problem.directions))
        return settled, Points.together(best).best(problem.directions)

    kept: list[Points] = []
    waiting_points = settled = 0
    pending: deque[Future[tuple[int, Points]]] = deque()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        pending.extend(pool.submit(evaluate, part) for part in islice(parts, 4 * workers))
        while pending:
            evaluated, points = pending.popleft().result()
            pending.extend(pool.submit(evaluate, part) for part in islice(parts, 1))
            kept.append(points)
            waiting_points += len(points)
            settled += evaluated
            if waiting_points > _POINTS_BEFORE_FILTERING:
                kept = [Points.together(kept).best(problem.directions)]
                waiting_points = 0
            progress = Progress(
                settled=settled,
                nodes=nodes,
                evaluated=settled,
                front_size=sum(len(points) for points in kept),
            )
            if not control.goes_on(progress):
                for waiting in pending:
                    waiting.cancel()
                break
    finished = settled == nodes
    points = Points.together(kept)
    if finished and not len(points):
        raise nothing_meets(problem)
    return SearchResult(
        front=points.front(problem.table.names, problem.names, problem.directions),
        method=METHOD.name,
        exact=finished,
        evaluated=settled,
        nodes=nodes,
        reason="every node of the lattice was evaluated"
        if finished and problem.space is Space.LATTICE
        else "every admissible recoding was evaluated"
        if finished
        else f"the sweep was stopped after {settled:,} of {nodes:,} nodes, and the others may hold "
        "better ones",
        finished=finished,
    )


def _admissible_batches(problem: Problem) -> Callable[[tuple[int, ...]], Iterator[ClassBatch]]:
    return lambda part: problem.tables.admissible_batches(part[0])


def _outer_columns_to_split(problem: Problem) -> int:
    """Return over how many outer columns the work is split: enough parts, but not too small."""
    tables = problem.tables
    parts = 1
    for columns, q in enumerate(tables.outer_columns):
        if parts >= _LEAST_PARTS:
            return columns
        parts *= tables.lattice.widths[q]
    return len(tables.outer_columns)


METHOD = SearchMethod(
    name="sweep",
    summary="every node of the lattice by roll-up: exact for any objectives",
    search=sweep,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.KEPT
    ),
)
