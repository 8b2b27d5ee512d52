"""Incognito-style search: subsets of the quasi-identifiers first (LeFevre; Granulation §3.4)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.search.capabilities import CriteriaUse, SearchCapabilities
from sfumato.search.catalogue import SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import CriteriaTest
from sfumato.search.methods.breadth_first import minimal_reason, stopped_reason
from sfumato.search.methods.incognito.subset_stage import SubsetStage
from sfumato.search.result import Progress
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Flags
    from sfumato.recoding.admissible_space import AdmissibleSpace, Choice
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

MOST_RECODINGS = 50_000_000
"""Of larger spaces the answers for all recodings of all subsets take too much memory."""


def incognito(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return all minimal recodings that meet the criteria of the problem.

    A recoding of a subset of the quasi-identifiers has the others at their coarsest partition.
    Subsets are taken by size. A recoding is not tested if a restriction of it, which is coarser,
    fails (subset property: it fails too), or if something finer meets the criteria (generalization
    property: it does too); others are tested by rank, the class tables rolled up (rollup
    property). Proved in docs/method.md.
    """
    space = problem.admissible
    if space.size > MOST_RECODINGS:
        raise SettingsError(
            f"method 'incognito' keeps an answer for each of {space.size:,} recodings",
            code="too-many-recodings",
            key="method",
            found=f"{space.size:,} recodings",
            expected=f"at most {MOST_RECODINGS:,}",
            remedy="use method 'breadth-first'",
        )
    test = CriteriaTest(problem)
    met: list[Choice] = [space.coarsest]
    answers: dict[tuple[int, ...], Flags] = {(): np.ones((), dtype=np.bool_)}
    settled, going = 1, True
    for subset in _subsets(space):
        stage = SubsetStage.of(space, subset, answers)
        for choice in stage.untested():
            if test.meets(choice):
                met.append(choice)
                stage.record(choice)
            progress = Progress(
                settled=settled, nodes=space.size, evaluated=len(test), front_size=len(met)
            )
            going = control.goes_on(progress)
            if not going:
                break
        if not going:
            break
        answers[subset] = stage.meeting
        settled += stage.meeting.size
    together = np.array(met, dtype=np.int64)
    minimal = [tuple(row) for row in together[space.minimal(together)].tolist()]
    reason = (
        minimal_reason(len(minimal))
        if going
        else f"{stopped_reason(len(test))}, and more specific ones than these"
    )
    return test.result(minimal, method=METHOD.name, finished=going, reason=reason)


def _subsets(space: AdmissibleSpace) -> Iterator[tuple[int, ...]]:
    """Iterate over the subsets of quasi-identifiers that have a choice, the small ones first."""
    columns = [q for q, partitions in enumerate(space.partitions) if len(partitions) > 1]
    for count in range(1, len(columns) + 1):
        yield from itertools.combinations(columns, count)


METHOD = SearchMethod(
    name="incognito",
    summary="all minimal recodings that meet criteria, by subsets of the quasi-identifiers",
    search=incognito,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.NEEDED
    ),
)
