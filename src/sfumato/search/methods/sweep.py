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
from sfumato.search.methods.sweep_place import resumed_sweep, sweep_record
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
    the front of the batches that it has finished, and goes on after the last of them. Under
    criteria it is the front of the recodings that meet them.
    """
    tables = problem.tables
    load_kernels()
    workers = usable_threads(control.threads)
    if problem.space is Space.ADMISSIBLE and not problem.admissible.is_lattice_of_levels:
        nodes = problem.admissible.size
        first = problem.admissible.partitions[tables.layout.order[0]]
        parts: list[tuple[int, ...]] = [(each,) for each in first]
        batches_of = _admissible_batches(problem)
    else:
        nodes = tables.lattice.nodes
        parts = list(tables.outer_nodes(_outer_columns_to_split(problem)))
        batches_of = tables.sweep_batches

    def evaluate(part: tuple[int, ...]) -> tuple[tuple[int, ...], int, Points]:
        settled, best = 0, []
        for batch in batches_of(part):
            settled += batch.recodings
            best.append(problem.points(batch).best(problem.directions))
        return part, settled, Points.together(best).best(problem.directions)

    kept: list[Points] = []
    waiting_points = settled = 0
    if control.resume is not None:
        points, finished_parts = resumed_sweep(problem, control.resume, parts)
        kept.append(points)
        # All parts have the same number of nodes.
        settled = nodes // len(parts) * finished_parts
        parts = parts[finished_parts:]
    waiting = iter(parts)
    pending: deque[Future[tuple[tuple[int, ...], int, Points]]] = deque()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        pending.extend(pool.submit(evaluate, part) for part in islice(waiting, 4 * workers))
        while pending:
            last, evaluated, points = pending.popleft().result()
            pending.extend(pool.submit(evaluate, part) for part in islice(waiting, 1))
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
                for future in pending:
                    future.cancel()
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
        state=None if finished else sweep_record(points.best(problem.directions), last),
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
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
