"""One front of several spaces: what each freedom of recoding buys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from sfumato.errors import UnmetError
from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.recoding.recoding import FREEDOMS
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.result import SearchResult, SpaceResult
from sfumato.search.space import Space
from sfumato.search.spaces_record import (
    NOTHING,
    finished_in_space,
    place_in_space,
    resumed_places,
    spaces_state,
    stopped_in_space,
)

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


class _About(TypedDict):
    """What a state is kept with: the settings of the method in every space."""

    method: str
    seed: int
    settings: Sequence[object]


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
    with less freedom is there. A search that was stopped goes on in every space where it was
    stopped there, and a space that was finished is not searched again.
    """
    for problem in problems:
        # What would fail after the first searches fails now.
        method.check(problem)
    given = [settings.get(method.in_space(problem.space).name) for problem in problems]
    about = _About(method=method.name, seed=control.seed, settings=given)
    places: list[Mapping[str, object]] = [NOTHING for _ in problems]
    if control.resume is not None:
        places = resumed_places(problems, control.resume, **about)
    found: list[SearchResult] = []
    unmet: list[UnmetError] = []
    for number, problem in enumerate(problems):
        known = finished_in_space(problem, places[number])
        if known is not None:
            found.append(known)
            continue
        in_space = method.in_space(problem.space)
        phase = f"space {number + 1} of {len(problems)}, {problem.space.value}"
        try:
            result = method.run(
                problem,
                settings=given[number],
                control=replace(control.in_phase(phase), resume=stopped_in_space(places[number])),
            )
            places[number] = place_in_space(result)
        except UnmetError as error:
            # Another space may have what this one lacks.
            unmet.append(error)
            result = _nothing(problem, method=in_space.name, reason=str(error))
        found.append(result)
    if len(unmet) == len(problems):
        raise unmet[0]
    finished = all(each.finished for each in found)
    bounds = [each.loss_bounds for each in found if each.loss_bounds is not None]
    parts = tuple(_part(p, each) for p, each in zip(problems, found, strict=True))
    return SearchResult(
        front=_together([each.front for each in found]),
        method=method.name,
        exact=all(each.exact for each in found),
        evaluated=sum(each.evaluated for each in found),
        nodes=sum(each.nodes for each in found),
        reason="; ".join(f"{part.space.value}: {part.reason}" for part in parts),
        finished=finished,
        state=None if finished else spaces_state(problems, places, **about),
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
