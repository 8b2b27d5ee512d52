"""The exact sweep: every node of the lattice by roll-up. The oracle of all other searches."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

from sfumato.recoding.compilation import load_kernels
from sfumato.search.catalogue import search_method
from sfumato.search.control import USUAL_CONTROL, SearchControl
from sfumato.search.points import Points
from sfumato.search.result import Progress, SearchResult

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

_POINTS_BEFORE_FILTERING = 100_000
_LEAST_PARTS = 32


def usable_threads(threads: int | None = None) -> int:
    """Return how many threads to use: as asked, or one for each core this process may use."""
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@search_method("sweep", "every node of the lattice by roll-up: exact for any objectives")
def sweep(problem: Problem, *, control: SearchControl = USUAL_CONTROL) -> SearchResult:
    """Evaluate every node and return the exact front.

    Batches of neighbouring nodes are rolled up and measured in parallel, and taken in a fixed
    order, so that the result is the same for any number of threads. Memory is bounded by the
    batches under way: dominated points are dropped as they come. A sweep that is stopped returns
    the front of the batches that it has finished, and cannot go on from there.
    """
    tables = problem.tables
    load_kernels()
    nodes = tables.lattice.nodes
    workers = usable_threads(control.threads)
    parts = _outer_columns_to_split(problem)

    def evaluate(outer: tuple[int, ...]) -> tuple[int, Points]:
        settled, best = 0, []
        for batch in tables.sweep_batches(outer):
            settled += batch.recodings
            best.append(problem.points(batch).best(problem.directions))
        return settled, Points.together(best).best(problem.directions)

    kept: list[Points] = []
    waiting_points = settled = 0
    pending: deque[Future[tuple[int, Points]]] = deque()
    outer_nodes = tables.outer_nodes(parts)
    with ThreadPoolExecutor(max_workers=workers) as pool:
        pending.extend(pool.submit(evaluate, o) for o in islice(outer_nodes, 4 * workers))
        while pending:
            evaluated, points = pending.popleft().result()
            pending.extend(pool.submit(evaluate, o) for o in islice(outer_nodes, 1))
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
    return SearchResult(
        front=Points.together(kept).front(problem.table.names, problem.names, problem.directions),
        method="sweep",
        exact=finished,
        evaluated=settled,
        nodes=nodes,
        reason="every node of the lattice was evaluated"
        if finished
        else f"the sweep was stopped after {settled:,} of {nodes:,} nodes, and the others may hold "
        "better ones",
        finished=finished,
    )


def _outer_columns_to_split(problem: Problem) -> int:
    """Return over how many outer columns the work is split: enough parts, but not too small."""
    tables = problem.tables
    parts = 1
    for columns, q in enumerate(tables.outer_columns):
        if parts >= _LEAST_PARTS:
            return columns
        parts *= tables.lattice.widths[q]
    return len(tables.outer_columns)
