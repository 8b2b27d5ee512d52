"""Searches that make one local recoding for every k, and return the front of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.control import usable_threads
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.local.asked_sizes import asked_sizes
from sfumato.search.local.found_recodings import FoundRecodings
from sfumato.search.local.loading import load_method_kernels
from sfumato.search.local.solver import LocalSolver
from sfumato.search.result import Progress, SearchResult, Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Counts
    from sfumato.search.control import SearchControl
    from sfumato.search.local.asked_sizes import AskedSizes
    from sfumato.search.problem import Problem


def recode_for_each_size(
    problem: Problem,
    make: Callable[[LocalSolver, int], Counts],
    *,
    method: str,
    reason: str,
    asked: AskedSizes,
    control: SearchControl,
) -> SearchResult:
    """Make a recoding for every k that is asked for, and return their front.

    ``make`` returns the class of every cell, -1 for cells that its method leaves over. These, and
    classes that do not meet k or a criterion, are merged with the class where that costs least.
    A search that is stopped returns the front of the recodings that it has made.
    """
    sizes = asked_sizes(problem, asked)
    found = FoundRecodings(problem=problem)
    finished = True
    with ThreadPoolExecutor(max_workers=usable_threads(control.threads)) as executor:
        solver = LocalSolver(problem=problem, executor=executor)
        for done, k in enumerate(sizes):
            finished = control.goes_on(
                Progress(
                    settled=len(found),
                    nodes=len(sizes),
                    evaluated=len(found),
                    front_size=len(found),
                    steps=Steps(done=done, total=len(sizes), name="recodings"),
                )
            )
            if not finished:
                break
            found.add(solver.recoding(with_rules_met(make(solver, k), solver, k)))
    return SearchResult(
        front=found.front(),
        method=method,
        exact=False,
        evaluated=len(found),
        nodes=len(found),
        reason=reason,
        finished=finished,
    )


def with_rules_met(classes: Counts, solver: LocalSolver, k: int) -> Counts:
    """Merge cells that are left over and classes that fail k or a criterion until all meet them."""
    kernels = load_method_kernels()
    rules = solver.rules(k)
    left = np.flatnonzero(classes < 0)
    classes = classes.copy()
    classes[left] = int(classes.max(initial=-1)) + 1 + np.arange(left.shape[0])
    while True:
        count = int(classes.max()) + 1
        failing = kernels.failing_classes(classes, count, solver.arrays, rules, kernels.BUILT_ON)
        if not failing.any():
            return classes
        if count == 1:
            raise nothing_meets(solver.problem)
        classes = solver.kernels.merged(classes, failing, solver.arrays)
