"""Local recodings by ruin and recreate: the best that is known, improved until it is stopped.

Schrimpf et al., *Record breaking optimization results using the ruin and recreate principle*,
J. Comput. Phys. 159 (2000).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, usable_threads
from sfumato.search.local.asked_sizes import AskedSizes, asked_sizes
from sfumato.search.local.found_recodings import FoundRecodings
from sfumato.search.local.solver import MOST_VISITS, LocalSolver
from sfumato.search.result import Progress, SearchResult, Steps
from sfumato.search.setting_checks import check_whole
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.problem import Problem

ANCHORS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 65, 80, 100)
"""Sizes for which a recoding is made from nothing; others begin with that of the next below."""
CELLS_A_STEP = 6


@dataclass(frozen=True, kw_only=True)
class RuinAndRecreateSettings(AskedSizes):
    """How long the search goes on, and for which k.

    In every round, ``steps`` classes and their neighbours are dissolved and formed anew for each k
    (a sixth of the number of cells unless given).
    """

    rounds: Annotated[int, "Rounds of improvement."] = 2
    steps: Annotated[
        int | None, "Classes dissolved in a round, for each k; a sixth of the cells unless set."
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("rounds", self.rounds, least=1)
        if self.steps is not None:
            check_whole("steps", self.steps, least=1)


DEFAULT_SETTINGS = RuinAndRecreateSettings()


def ruin_and_recreate(
    problem: Problem,
    *,
    settings: RuinAndRecreateSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the best recodings that were found for every k."""
    sizes = asked_sizes(problem, settings)
    steps = settings.steps or max(1, problem.table.cells // CELLS_A_STEP)
    found = FoundRecodings(problem=problem)
    with ThreadPoolExecutor(max_workers=usable_threads(control.threads)) as executor:
        solver = LocalSolver(problem=problem, executor=executor)
        best: dict[int, Counts] = {}
        total = settings.rounds * len(sizes)
        done = 0
        going = True
        for number in range(settings.rounds):
            for k in sizes:
                going = control.goes_on(
                    Progress(
                        settled=len(found),
                        nodes=len(found),
                        evaluated=len(found),
                        front_size=len(best),
                        steps=Steps(done=done, total=total, name="rounds"),
                    )
                )
                if not going:
                    break
                rng = np.random.default_rng([control.seed, number, k])
                if number == 0:
                    best[k] = _start(solver, k, best, rng)
                best[k] = solver.improved(best[k], k, steps=steps, rng=rng)
                done += 1
            if not going:
                break
        for classes in best.values():
            found.add(solver.recoding(classes))
    return SearchResult(
        front=found.front(),
        method="ruin-and-recreate",
        exact=False,
        evaluated=len(found),
        nodes=len(found),
        reason=f"the best that {done:,} rounds of {steps:,} steps found; others may be better",
        finished=going,
    )


def _start(
    solver: LocalSolver, k: int, best: dict[int, Counts], rng: np.random.Generator
) -> Counts:
    """Return a recoding to begin with."""
    if best and k not in ANCHORS:
        below = best[max(best)]
        return solver.improved(below, k, steps=0, rng=rng)
    found = solver.improved(solver.top_down(k), k, steps=0, rng=rng)
    if solver.has_nodes:
        peeled = solver.improved(solver.peeled(k, most_visits=MOST_VISITS), k, steps=0, rng=rng)
        found = min(found, peeled, key=solver.loss)
    return found


METHOD = SearchMethod(
    name="ruin-and-recreate",
    summary="local recodings for every k: classes are dissolved and formed anew, again and again",
    search=ruin_and_recreate,
    settings=RuinAndRecreateSettings,
    capabilities=SearchCapabilities(spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT),
)
