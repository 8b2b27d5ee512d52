"""Local recodings by ruin and recreate: the best that is known, improved until it is stopped.

Schrimpf et al., *Record breaking optimization results using the ruin and recreate principle*,
J. Comput. Phys. 159 (2000).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.recoding.packed_codes import packed_codes, unpacked_codes
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, usable_threads
from sfumato.search.local.asked_sizes import AskedSizes, asked_sizes
from sfumato.search.local.found_recodings import FoundRecodings
from sfumato.search.local.solver import MOST_VISITS, LocalSolver
from sfumato.search.result import Progress, SearchResult, Steps
from sfumato.search.resuming import reading_state
from sfumato.search.setting_checks import check_whole
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.arrays import Counts
    from sfumato.recoding.local import Local
    from sfumato.search.problem import Problem

ANCHOR_RATIO = 1.25
"""How far apart the sizes are for which a recoding is made from nothing."""
CLASSES_A_STEP = 2
SETTLED_CLASSES_A_STEP = 10
"""How many classes there are for one that is dissolved, by default: for a recoding that was made
from nothing or comes from the round before, and for one that comes from the next smaller k."""


@dataclass(frozen=True, kw_only=True)
class RuinAndRecreateSettings(AskedSizes):
    """How long the search goes on, and for which k.

    In every round, ``steps`` classes and their neighbours are dissolved and formed anew for each
    k, half of the classes that there are unless it is given.
    """

    rounds: int = 1
    steps: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("rounds", self.rounds, least=1)
        if self.steps is not None:
            check_whole("steps", self.steps, least=1)


DEFAULT_SETTINGS = RuinAndRecreateSettings()


@dataclass(frozen=True, kw_only=True, eq=False)
class _Task:
    """One round for one k: from nothing, from the recoding of a smaller k, or from its own."""

    number: int
    k: int
    from_k: int | None


def ruin_and_recreate(
    problem: Problem,
    *,
    settings: RuinAndRecreateSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the best recodings that were found for every k.

    The first round makes recodings for some k from nothing, by the splits that lose least or, where
    labels are nodes of hierarchies, by peeling; those between begin with that of the next
    smaller k. Every further round improves all of them. A round is drawn from the seed, its number
    and k: so a search that was stopped goes on as if it had not been.
    """
    sizes = asked_sizes(problem, settings)
    waves = list(_waves(sizes, settings.rounds))
    best, done = ({}, 0) if control.resume is None else _resumed(control.resume, problem, sizes)
    threads = usable_threads(control.threads)
    with ThreadPoolExecutor(max_workers=threads) as executor:
        alone = len(sizes) < threads
        solver = LocalSolver(problem=problem, run=executor.map if alone else map)

        def work(task: _Task) -> tuple[int, Counts]:
            start = best.get(task.k if task.from_k is None else task.from_k)
            return task.k, _worked(solver, task, start, settings.steps, control.seed)

        def finish(item: tuple[int, Counts]) -> list[Local]:
            k, classes = item
            recodings = [solver.recoding(classes)]
            fewer = solver.without_outliers(classes, k)
            if fewer is not classes:
                rng = np.random.default_rng([control.seed, k])
                recodings.append(solver.recoding(solver.improved(fewer, k, rng=rng)))
            return recodings

        going = True
        for wave in waves[done:]:
            going = control.goes_on(_progress(best, done, len(waves)))
            if not going:
                break
            best |= dict(map(work, wave) if alone else executor.map(work, wave))
            done += 1
        found = FoundRecodings(problem=problem)
        for recodings in (map if alone else executor.map)(finish, best.items()):
            for each in recodings:
                found.add(each)
    if going:
        control.goes_on(_progress(best, done, len(waves)))
    finished = done == len(waves)
    return SearchResult(
        front=found.front(),
        method=METHOD.name,
        exact=False,
        evaluated=len(found),
        nodes=len(found),
        reason="the best that was found; other local recodings may be better"
        if finished
        else "the best that was found until the search was stopped",
        finished=finished,
        state=None if finished else _state(best, done),
    )


def _waves(sizes: Sequence[int], rounds: int) -> Iterator[list[_Task]]:
    """Yield what can be done side by side, in the order in which it builds on each other."""
    segments: list[list[int]] = []
    for k in sizes:
        if not segments or k >= segments[-1][0] * ANCHOR_RATIO:
            segments.append([])
        segments[-1].append(k)
    for place in range(max(map(len, segments), default=0)):
        yield [
            _Task(number=0, k=each[place], from_k=each[place - 1] if place else None)
            for each in segments
            if place < len(each)
        ]
    wide = max(1, len(segments))
    for number in range(1, rounds):
        for at in range(0, len(sizes), wide):
            yield [_Task(number=number, k=k, from_k=None) for k in sizes[at : at + wide]]


def _worked(
    solver: LocalSolver, task: _Task, start: Counts | None, steps: int | None, seed: int
) -> Counts:
    rng = np.random.default_rng([seed, task.number, task.k])
    k, settled = task.k, task.from_k is not None
    if start is None:
        starts = [solver.top_down(k)]
        if solver.has_nodes:
            starts.append(solver.peeled(k, most_visits=MOST_VISITS))
        if solver.rules(k).rules.size:
            starts.append(solver.grown(k, rng=rng))
        start = solver.improved(min(starts, key=solver.loss), k, rng=rng)
        settled = True
    each = SETTLED_CLASSES_A_STEP if task.from_k is not None else CLASSES_A_STEP
    many = max(1, (int(start.max()) + 1) // each) if steps is None else steps
    return solver.improved(start, k, rng=rng, steps=many, settled=settled)


def _progress(best: Mapping[int, Counts], done: int, total: int) -> Progress:
    return Progress(
        settled=len(best),
        nodes=len(best),
        evaluated=len(best),
        front_size=len(best),
        steps=Steps(done=done, total=total, name="waves"),
    )


def _state(best: Mapping[int, Counts], done: int) -> dict[str, object]:
    return {
        "done": done,
        "classes": {str(k): packed_codes(each.astype(np.int32)) for k, each in best.items()},
    }


def _resumed(
    record: Mapping[str, object], problem: Problem, sizes: Sequence[int]
) -> tuple[dict[int, Counts], int]:
    with reading_state():
        stored, done = record["classes"], record["done"]
        if not isinstance(stored, dict) or not isinstance(done, int):
            raise TypeError("classes and the number of waves are missing")
        best = {int(k): unpacked_codes(text).astype(np.int64) for k, text in stored.items()}
        for k, classes in best.items():
            if k not in sizes or classes.shape[0] != problem.table.cells:
                raise ValueError(f"the classes of k = {k} are of another table")
        return best, done


METHOD = SearchMethod(
    name="ruin-and-recreate",
    summary="local recodings for every k: classes are dissolved and formed anew, again and again",
    search=ruin_and_recreate,
    settings=RuinAndRecreateSettings,
    capabilities=SearchCapabilities(
        spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
