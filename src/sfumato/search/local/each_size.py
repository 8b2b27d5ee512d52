"""Searches that make one local recoding for every k, and return the front of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.control import usable_threads
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.local.asked_sizes import asked_sizes
from sfumato.search.local.found_recodings import FoundRecodings
from sfumato.search.local.solver import LocalSolver
from sfumato.search.result import Progress, SearchResult, Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Counts
    from sfumato.recoding.local import Local
    from sfumato.search.control import SearchControl
    from sfumato.search.local.asked_sizes import AskedSizes
    from sfumato.search.problem import Problem

SIZES_AT_ONCE = 4
"""For so many k recodings are made side by side; the search can be stopped after them."""


def recode_for_each_size(
    problem: Problem,
    make: Callable[[LocalSolver, int], Counts],
    *,
    method: str,
    way: str,
    asked: AskedSizes,
    control: SearchControl,
) -> SearchResult:
    """Make a recoding for every k that is asked for, and return their front.

    ``make`` returns the class of every cell, -1 for cells that its method leaves over. These, and
    classes that do not meet k or a criterion, are merged with the class where that costs least.
    If rows may be suppressed, there is a second recoding without the cells that cost their classes
    more than they lose. A search that is stopped returns the front of the recodings that it has
    made. ``way`` says how they are made.
    """
    sizes = asked_sizes(problem, asked)
    found = FoundRecodings(problem=problem)
    solver = LocalSolver(problem=problem)

    def work(k: int) -> list[Local]:
        return solver.recodings(_with_rules_met(make(solver, k), solver, k), k)

    done, going = 0, True
    with ThreadPoolExecutor(max_workers=usable_threads(control.threads)) as executor:
        while going and done < len(sizes):
            some = sizes[done : done + SIZES_AT_ONCE]
            for recodings in executor.map(work, some):
                for recoding in recodings:
                    found.add(recoding)
            done += len(some)
            going = control.goes_on(
                Progress(
                    settled=done,
                    nodes=len(sizes),
                    evaluated=len(found),
                    front_size=len(found),
                    steps=Steps(done=done, total=len(sizes), name="recodings"),
                )
            )
    finished = done == len(sizes)
    many = "every k" if finished else f"{done:,} of {len(sizes):,} k until the search was stopped"
    return SearchResult(
        front=found.front(),
        method=method,
        exact=False,
        evaluated=len(found),
        nodes=len(sizes),
        reason=f"one recoding for {many}, {way}; others may be better",
        finished=finished,
    )


def _with_rules_met(classes: Counts, solver: LocalSolver, k: int) -> Counts:
    """Merge cells that are left over and classes that fail k or a criterion until all meet them."""
    rules = solver.rules(k)
    left = np.flatnonzero(classes < 0)
    classes = classes.copy()
    classes[left] = int(classes.max(initial=-1)) + 1 + np.arange(left.shape[0])
    while True:
        count = int(classes.max()) + 1
        failing = solver.kernels.failing_classes(classes, count, solver.arrays, rules)
        if not failing.any():
            return classes
        if count == 1:
            raise nothing_meets(solver.problem)
        classes = solver.kernels.merged(classes, failing, solver.arrays)
