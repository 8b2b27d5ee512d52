"""Samarati's binary search over the height of the lattice.

Samarati, *Protecting respondents' identities in microdata release*, IEEE TKDE 13(6), 2001, section
5. The most rows that may be suppressed (MaxSup) are those of the suppression policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors.listing import counted
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import check_inherited, nothing_meets
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.result import MinimalRecodings, Progress, SearchResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.recoding.lattice import Lattice
    from sfumato.search.problem import Problem


def nodes_of_height(lattice: Lattice, height: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the nodes whose levels sum to a height, counted from the minimum levels.

    >>> from sfumato.recoding.lattice import Lattice
    >>> list(nodes_of_height(Lattice(names=("age", "sex"), heights=(2, 1)), 2))
    [(1, 1), (2, 0)]
    """

    def extend(start: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
        q = len(start)
        if q == len(lattice.heights):
            yield start
            return
        beyond = sum(lattice.widths[q + 1 :]) - len(lattice.widths[q + 1 :])
        for step in range(max(0, left - beyond), min(lattice.widths[q] - 1, left) + 1):
            yield from extend((*start, lattice.minimum_levels[q] + step), left - step)

    return extend((), height)


def samarati(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return all nodes of the least height at which a node meets the criteria.

    If a node meets them, one above it does, so the least height is found by binary search. All
    nodes of that height that meet them are minimal; minimal ones of greater height are not looked
    for, so that the result is a part of that of Incognito.
    """
    check_inherited(problem)
    lattice = problem.tables.lattice
    tested = EvaluatedPoints(problem)
    if not tested.evaluate([lattice.top]) or not tested.meets(lattice.top).any():
        raise nothing_meets(problem)
    low, high = 0, sum(lattice.widths) - len(lattice.widths)
    going = True
    while low < high and going:
        middle = (low + high) // 2
        reached = False
        for node in nodes_of_height(lattice, middle):
            tested.evaluate([node])
            reached = bool(tested.meets(node).any())
            going = control.goes_on(_progress(tested, lattice, 0))
            if reached or not going:
                break
        low, high = (low, middle) if reached else (middle + 1, high)
    found: list[tuple[int, ...]] = []
    for node in nodes_of_height(lattice, low) if going else ():
        tested.evaluate([node])
        if tested.meets(node).any():
            found.append(node)
        going = control.goes_on(_progress(tested, lattice, len(found)))
        if not going:
            break
    height = sum(found[0]) if found else 0
    reason = (
        f"{counted(len(found), 'recoding meets', 'recodings meet')} the criteria at height "
        f"{height}, and none of less height does; minimal ones of greater height may lose less"
        if going
        else f"the search was stopped after {counted(len(tested), 'recoding')}"
    )
    return minimal_result(problem, tested, found, METHOD.name, finished=going, reason=reason)


def _progress(tested: EvaluatedPoints, lattice: Lattice, found: int) -> Progress:
    return Progress(
        settled=len(tested), nodes=lattice.nodes, evaluated=len(tested), front_size=found
    )


def minimal_result(
    problem: Problem,
    tested: EvaluatedPoints,
    found: Sequence[tuple[int, ...]],
    method: str,
    *,
    finished: bool,
    reason: str,
) -> SearchResult:
    """Return minimal recodings that a system chose, and what it tested."""
    lattice = problem.tables.lattice
    partial = sum(
        any(level == top for level, top in zip(node, lattice.top, strict=True))
        for node in tested.counted
    )
    return SearchResult(
        front=tested.front_of(
            (node, place) for node in found for place in np.flatnonzero(tested.meets(node)).tolist()
        ),
        method=method,
        exact=False,
        evaluated=len(tested),
        nodes=lattice.nodes,
        reason=reason,
        finished=finished,
        minimal=MinimalRecodings(
            criteria=tuple(map(str, problem.suppression.criteria)),
            full=len(tested) - partial,
            partial=partial,
            pruned=lattice.nodes - len(tested),
        ),
    )


METHOD = SearchMethod(
    name="samarati",
    summary="Samarati's binary search: the minimal recodings of least height that meet criteria",
    search=samarati,
    capabilities=SearchCapabilities(criteria=CriteriaUse.NEEDED),
)
