"""Local recodings by ruin and recreate: the best that is known, improved until it is stopped.

Schrimpf et al., *Record breaking optimization results using the ruin and recreate principle*,
J. Comput. Phys. 159 (2000).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from sfumato.errors import UnmetError
from sfumato.recoding.packed_codes import packed_codes, unpacked_codes
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, usable_threads
from sfumato.search.local.asked_sizes import AskedSizes, asked_bounds, asked_sizes
from sfumato.search.local.found_recodings import FoundRecodings
from sfumato.search.local.loss_bound import loss_bounds
from sfumato.search.local.solver import MOST_VISITS, LocalSolver
from sfumato.search.result import Progress, SearchResult, Steps
from sfumato.search.resuming import reading_state
from sfumato.search.setting_checks import check_whole
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.arrays import Counts
    from sfumato.front.decisions.criterion import MeasureCriterion
    from sfumato.recoding.local import Local
    from sfumato.search.problem import Problem

FEWEST_STEPS = 250
"""How many classes a round dissolves at least for a recoding that was made from nothing."""
MOST_PAIRS = 2_000_000_000
"""How many pairs of cells the bound of the loss looks at: all of them up to 44,000 cells."""
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

    rounds: Annotated[int, "Rounds of improvement for each k."] = 1
    steps: Annotated[
        int | None, "Classes dissolved in a round, for each k; half of the classes unless set."
    ] = None
    bound: Annotated[bool, "Whether a least possible loss is proved for every k."] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("rounds", self.rounds, least=1)
        if self.steps is not None:
            check_whole("steps", self.steps, least=1)


DEFAULT_SETTINGS = RuinAndRecreateSettings()


@dataclass(frozen=True, kw_only=True, eq=False)
class _Task:
    """One round for one k: from nothing, from the recoding of a smaller k, or from its own.

    ``besides`` is a bound of another objective.
    """

    number: int
    k: int
    from_k: int | None = None
    besides: MeasureCriterion | None = None

    @property
    def key(self) -> str:
        """What the recoding is kept under."""
        return _key(self.k, self.besides)

    @property
    def start(self) -> str:
        """What it begins with is kept under."""
        return self.key if self.from_k is None else _key(self.from_k, self.besides)


def _key(k: int, besides: MeasureCriterion | None = None) -> str:
    return f"k>={k}" if besides is None else f"k>={k}, {besides}"


def ruin_and_recreate(
    problem: Problem,
    *,
    settings: RuinAndRecreateSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the best recodings that were found for every k.

    The first round makes recodings for some k from nothing, by the splits that lose least or, where
    labels are nodes of hierarchies, by peeling; those between begin with that of the next
    smaller k. Objectives other than k and loss steer it too: recodings are made under bounds of
    them (`asked_bounds`). Every further round improves all of them. A round is drawn from the
    seed, its number and k: so a search that was stopped goes on as if it had not been.
    """
    sizes = asked_sizes(problem, settings)
    waves = list(_waves(sizes, asked_bounds(problem), settings.rounds))
    best: dict[str, Counts] = {}
    done = 0
    if control.resume is not None:
        best, done = _resumed(control.resume, problem)
    threads = usable_threads(control.threads)
    with ThreadPoolExecutor(max_workers=threads) as executor:
        alone = max(map(len, waves)) < threads
        solver = LocalSolver(problem=problem, run=executor.map if alone else map)

        def solver_of(task: _Task) -> LocalSolver:
            return solver if task.besides is None else solver.under(task.besides)

        def work(task: _Task) -> tuple[str, Counts | None]:
            return task.key, _worked(
                solver_of(task), task, best.get(task.start), settings.steps, control.seed
            )

        def finish(task: _Task) -> list[Local]:
            own, k = solver_of(task), task.k
            rng = np.random.default_rng([control.seed, k])
            return own.recodings(
                best[task.key], k, afterwards=lambda fewer: own.improved(fewer, k, rng=rng)
            )

        for wave in waves[done:]:
            made = map(work, wave) if alone else executor.map(work, wave)
            best |= {key: classes for key, classes in made if classes is not None}
            done += 1
            if not control.goes_on(_progress(waves, done, len(best))):
                break
        found = FoundRecodings(problem=problem)
        tasks = {task.key: task for wave in waves for task in wave if task.key in best}
        for recodings in (map if alone else executor.map)(finish, tasks.values()):
            for each in recodings:
                found.add(each)
    finished = done == len(waves)
    bounds = None
    if finished and settings.bound and sizes[-1] > 1:
        own = SearchControl(threads=control.threads)
        bounds = loss_bounds(problem, sizes[-1], own, most_pairs=MOST_PAIRS).normalized
    return SearchResult(
        front=found.front(),
        method=METHOD.name,
        exact=False,
        evaluated=_made(waves, done),
        nodes=_made(waves, len(waves)),
        reason="the best that was found; other local recodings may be better"
        if finished
        else "the best that was found until the search was stopped",
        finished=finished,
        state=None if finished else _state(best, done),
        loss_bounds=bounds,
    )


def _waves(
    sizes: Sequence[int], bounds: Sequence[MeasureCriterion], rounds: int
) -> Iterator[list[_Task]]:
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
    anchors = [each[0] for each in segments]
    bounded = [(k, bound) for bound in bounds for k in anchors]
    for number in range(rounds):
        again = [_Task(number=number, k=k) for k in sizes] if number else []
        again += [_Task(number=number, k=k, besides=bound) for k, bound in bounded]
        for at in range(0, len(again), wide):
            yield again[at : at + wide]


def _worked(
    solver: LocalSolver, task: _Task, start: Counts | None, steps: int | None, seed: int
) -> Counts | None:
    """Return the recoding after a round; None if there is none under a bound."""
    rng = np.random.default_rng([seed, task.number, task.k])
    k, settled = task.k, task.from_k is not None
    if start is None:
        if task.number:
            return None
        try:
            start = _started(solver, k, rng)
        except UnmetError:
            if task.besides is None:
                raise
            return None
        settled = True
    classes = int(start.max()) + 1
    many = (
        max(1, classes // SETTLED_CLASSES_A_STEP)
        if task.from_k is not None
        else max(FEWEST_STEPS, classes // CLASSES_A_STEP)
    )
    many = many if steps is None else steps
    return solver.improved(start, k, rng=rng, steps=many, settled=settled)


def _started(solver: LocalSolver, k: int, rng: np.random.Generator) -> Counts:
    """Return the best of several ways to make a recoding from nothing."""
    starts = [solver.top_down(k)]
    if solver.has_nodes:
        starts.append(solver.peeled(k, most_visits=MOST_VISITS))
    if solver.rules(k).rules.size:
        starts.append(solver.grown(k, rng=rng))
    return solver.improved(min(starts, key=solver.loss), k, rng=rng)


def _made(waves: Sequence[Sequence[_Task]], done: int) -> int:
    """Return how many recodings were made in the first waves."""
    return sum(map(len, waves[:done]))


def _progress(waves: Sequence[Sequence[_Task]], done: int, front_size: int) -> Progress:
    made, total = _made(waves, done), _made(waves, len(waves))
    return Progress(
        settled=made,
        nodes=total,
        evaluated=made,
        front_size=front_size,
        steps=Steps(done=made, total=total, name="recodings"),
    )


def _state(best: Mapping[str, Counts], done: int) -> dict[str, object]:
    return {
        "done": done,
        "classes": {key: packed_codes(each.astype(np.int32)) for key, each in best.items()},
    }


def _resumed(record: Mapping[str, object], problem: Problem) -> tuple[dict[str, Counts], int]:
    with reading_state():
        stored, done = record["classes"], record["done"]
        if not isinstance(stored, dict) or not isinstance(done, int):
            raise TypeError("classes and the number of waves are missing")
        best = {key: unpacked_codes(text).astype(np.int64) for key, text in stored.items()}
        if any(classes.shape[0] != problem.table.cells for classes in best.values()):
            raise ValueError("the classes are of another table")
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
