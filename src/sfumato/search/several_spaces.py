"""One front of several spaces: what each freedom of recoding buys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError, UnmetError
from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.recoding.recoding import FREEDOMS
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.result import SearchResult, SpaceResult
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.search.catalogue import SearchMethod
    from sfumato.search.problem import Problem

FREEDOM_OF = {
    Space.LATTICE: FREEDOMS[0],
    Space.ADMISSIBLE: FREEDOMS[0],
    Space.PARTITIONS: FREEDOMS[1],
    Space.LOCAL: FREEDOMS[2],
}
"""How freely the recodings of a space choose."""


def search_spaces(
    problems: Sequence[Problem],
    method: SearchMethod,
    *,
    settings: Mapping[str, object],
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Search the same table in several spaces, one after another, and return one front.

    ``settings`` has those of every method that runs in a space, by its name. A recoding is on the
    front unless another one with as little freedom dominates it: of two with equal values, the one
    with less freedom is there.
    """
    if control.resume is not None:
        raise SettingsError(
            "a search of several spaces cannot continue where it was stopped",
            code="not-resumable",
            key="resume",
            remedy="start it again, or search one space at a time",
        )
    for problem in problems:
        # What would fail after the first searches fails now.
        method.check(problem)
    found = []
    unmet: list[UnmetError] = []
    for problem in problems:
        in_space = method.in_space(problem.space)
        try:
            result = method.run(problem, settings=settings.get(in_space.name), control=control)
        except UnmetError as error:
            # Another space may have what this one lacks.
            unmet.append(error)
            result = _nothing(problem, method=in_space.name, reason=str(error))
        found.append(result)
    if len(unmet) == len(problems):
        raise unmet[0]
    bounds = [each.loss_bounds for each in found if each.loss_bounds is not None]
    parts = tuple(_part(p, each) for p, each in zip(problems, found, strict=True))
    return SearchResult(
        front=_together([each.front for each in found]),
        method=method.name,
        exact=all(each.exact for each in found),
        evaluated=sum(each.evaluated for each in found),
        nodes=sum(each.nodes for each in found),
        reason="; ".join(f"{part.space.value}: {part.reason}" for part in parts),
        finished=all(each.finished for each in found),
        loss_bounds=bounds[0] if bounds else None,
        spaces=parts,
    )


def _nothing(problem: Problem, *, method: str, reason: str) -> SearchResult:
    """Return the empty result of a space in which nothing was found."""
    objectives = dict(zip(problem.names, problem.directions, strict=True))
    return SearchResult(
        front=Front(objectives=objectives, solutions=()),
        method=method,
        exact=False,
        evaluated=0,
        nodes=0,
        reason=reason,
    )


def _part(problem: Problem, found: SearchResult) -> SpaceResult:
    return SpaceResult(
        space=problem.space,
        freedom=FREEDOM_OF[problem.space],
        method=found.method,
        exact=found.exact,
        finished=found.finished,
        evaluated=found.evaluated,
        nodes=found.nodes,
        reason=found.reason,
    )


def _together(fronts: Sequence[Front]) -> Front:
    """Return the solutions that none with as little freedom dominates, in a fixed order."""
    objectives = fronts[0].objectives
    solutions = [solution for front in fronts for solution in front]
    if not solutions:
        return Front(objectives=objectives, solutions=())

    def place(solution: Solution) -> tuple[float, ...]:
        values = (solution.values[name] for name in objectives)
        return (*values, float(FREEDOMS.index(solution.freedom)))

    directions = (*objectives.values(), Direction.LOWER)
    best = nondominated(np.array([place(solution) for solution in solutions]), directions)
    # Sorting is stable: the order of each front decides between equal places.
    kept = sorted((solutions[n] for n in np.flatnonzero(best)), key=place)
    return Front(
        objectives=objectives,
        solutions=tuple(replace(solution, id=number) for number, solution in enumerate(kept)),
    )
