"""SEARCH: all minimal recodings that meet criteria, breadth first (Granulation figs 5 and 6)."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors.listing import counted
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import CriteriaTest
from sfumato.search.evaluation.tested_record import resumed_answers
from sfumato.search.result import Progress
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.recoding.admissible_space import Choice
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


def breadth_first(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return all minimal recodings that meet the criteria of the problem.

    From the most specific recoding on, what fails is replaced by its direct successors, and
    nothing above a recoding that meets the criteria is tested. The queue is ordered by rank, a
    linear extension of refinement: in the order of the value, which is that of arrival, a
    partial order that is not graded lets a recoding come before one below it. A search that goes
    on after it was stopped takes the same way with the answers that it has.
    """
    space = problem.admissible
    test = CriteriaTest(problem, answers=resumed_answers(problem, control.resume))
    queue: list[tuple[int, Choice]] = [(0, space.finest)]
    queued = {space.finest}
    minimal: list[Choice] = []
    found = np.zeros((0, len(space.names)), dtype=np.int64)
    going = True
    while queue and going:
        _, choice = heapq.heappop(queue)
        if space.finer(found, choice).any():
            continue
        fresh = choice not in test
        if test.meets(choice):
            minimal.append(choice)
            found = np.array(minimal, dtype=np.int64)
        else:
            for after in space.successors(choice):
                if after not in queued:
                    queued.add(after)
                    heapq.heappush(queue, (space.rank(after), after))
        going = not fresh or control.goes_on(
            Progress(
                settled=len(test),
                nodes=space.size,
                evaluated=len(test),
                front_size=len(minimal),
            )
        )
    finished = not queue or all(bool(space.finer(found, choice).any()) for _, choice in queue)
    reason = minimal_reason(len(minimal)) if finished else stopped_reason(len(test))
    return test.result(minimal, method=METHOD.name, finished=finished, reason=reason)


def minimal_reason(count: int) -> str:
    """Return what a finished search has found."""
    return (
        f"{counted(count, 'recoding meets', 'recodings meet')} the criteria while nothing more "
        "specific does; every other one was tested, or is settled by one that was"
    )


def stopped_reason(tested: int) -> str:
    """Return what a search has found that was stopped."""
    return (
        f"the search was stopped after {counted(tested, 'recoding')}; others may meet the "
        "criteria too"
    )


METHOD = SearchMethod(
    name="breadth-first",
    summary="all minimal recodings that meet criteria, from the most specific one upwards",
    search=breadth_first,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.NEEDED, resumable=True
    ),
)
