"""Local recodings by ruin and recreate: the best that is known, improved until it is stopped.

Schrimpf et al., *Record breaking optimization results using the ruin and recreate principle*,
J. Comput. Phys. 159 (2000).
"""

from __future__ import annotations

import itertools
from collections import deque
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
from sfumato.search.local.solver import LocalSolver
from sfumato.search.local.steering import MOST_SIZES, STEERINGS, needs_steering
from sfumato.search.result import Progress, SearchResult, Steps, silent
from sfumato.search.resuming import reading_state
from sfumato.search.setting_checks import check_whole
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor, Future

    from sfumato.arrays import Counts
    from sfumato.front.decisions.criterion import MeasureCriterion
    from sfumato.recoding.local import Local
    from sfumato.search.local.steering import Steering
    from sfumato.search.problem import Problem

FEWEST_STEPS = 250
"""How many classes a round dissolves at least for a recoding that was made from nothing."""
CLASSES_A_STEP_BETWEEN = 40
"""How many classes there are for one that is dissolved for a k between two anchors, by default."""
MOST_VISITS = 10_000_000
MORE_VISITS_FOR_ONE = 400_000
"""How many cells peeling looks at for a recoding that is improved afterwards. For one that is
improved in several rounds there are more, k times so many: the larger its classes, the more depends
on where they begin."""
MOST_VISITS_FOR_ONE = 30_000_000
MOST_STEPS_OF_A_ROUND = 600
"""How many classes are dissolved at most in one of several rounds, by default."""
MOST_ROUNDS = 6
SIZES_A_ROUND_MORE = 10
MOST_ROUNDS_OF_LARGE = 12
"""How many rounds there are at most: for a k so much larger there is one more."""
ANCHORS_IN_ALL = 24
"""How many rounds there are by default: fewer for each recoding if there are many."""
MOST_PAIRS = 2_000_000_000
"""How many pairs of cells the bound of the loss looks at: all of them up to 44,000 cells."""
MOST_PAIRS_WHEN_STOPPED = 100_000_000
"""How many it looks at where somebody waits for a search that was stopped."""
ANCHORS = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""The sizes from 10 to 99 for which a recoding is made from nothing, and these times powers of ten.
Below 10 that is every size: there the loss grows most from one k to the next."""


@dataclass(frozen=True, kw_only=True)
class RuinAndRecreateSettings(AskedSizes):
    """How long the search goes on, and for which k.

    In every round, ``steps`` classes and their neighbours are dissolved and formed anew for each
    k: as many as there are classes unless it is given.
    """

    rounds: Annotated[
        int | None, "Rounds of improvement for each k; unless set, more if there are few k."
    ] = None
    steps: Annotated[
        int | None, "Classes dissolved in a round, for each k; as many as there are unless set."
    ] = None
    bound: Annotated[bool, "Whether a least possible loss is proved for every k."] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounds is not None:
            check_whole("rounds", self.rounds, least=1)
        if self.steps is not None:
            check_whole("steps", self.steps, least=1)


DEFAULT_SETTINGS = RuinAndRecreateSettings()


@dataclass(frozen=True, kw_only=True, eq=False)
class _Task:
    """One round for one k: from nothing, from the recoding of the next larger k, or from its own.

    ``besides`` is a bound of another objective. ``steering`` is a cost of classes in place of the
    loss: such a recoding begins with that of the same k without it. ``again`` says whether there
    are further rounds.
    """

    number: int
    k: int
    again: bool
    from_k: int | None = None
    besides: MeasureCriterion | None = None
    steering: Steering | None = None

    @property
    def key(self) -> str:
        """What the recoding is kept under."""
        more = self.besides if self.steering is None else self.steering.name
        return f"k>={self.k}" if more is None else f"k>={self.k}, {more}"

    @property
    def start(self) -> str:
        """What it begins with is kept under."""
        if self.steering is not None and self.number == 0:
            return f"k>={self.k}"
        return self.key if self.from_k is None else f"k>={self.from_k}"


def ruin_and_recreate(
    problem: Problem,
    *,
    settings: RuinAndRecreateSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the best recodings that were found for every k.

    The first round makes recodings for some k, the anchors, from nothing: by the splits that lose
    least or, where labels are nodes of hierarchies, by peeling. Those between begin with that of
    the next larger k, so that they never lose more. Objectives other than k and loss steer it too:
    recodings are made under bounds of them (`asked_bounds`), or under other costs of classes
    (`Steering`). Every further round improves all of
    them. A round is drawn from the seed, its number and k: so a search that was stopped goes on as
    if it had not been.
    """
    sizes = asked_sizes(problem, settings)
    steerings = STEERINGS if needs_steering(problem) else ()
    tasks = list(_tasks(sizes, asked_bounds(problem), steerings, settings.rounds))
    best: dict[str, Counts] = {}
    done = 0
    if control.resume is not None:
        best, done = _resumed(control.resume, problem)
    threads = usable_threads(control.threads)
    with ThreadPoolExecutor(max_workers=threads) as executor:
        alone = len({task.key for task in tasks}) < threads
        solver = LocalSolver(problem=problem, run=executor.map if alone else map)

        under = {task.besides: solver.under(task.besides) for task in tasks if task.besides}

        def solver_of(task: _Task) -> LocalSolver:
            return solver if task.besides is None else under[task.besides]

        def work(task: _Task, start: Counts | None) -> Counts | None:
            return _worked(solver_of(task), task, start, settings.steps, control.seed)

        def finish(task: _Task) -> list[Local]:
            own, k = solver_of(task), task.k
            rng = np.random.default_rng([control.seed, k])
            return own.recodings(
                best[task.key], k, afterwards=lambda fewer: own.improved(fewer, k, rng=rng)
            )

        made = _made_in_order(tasks[done:], work, best, None if alone else executor, threads)
        found = FoundRecodings(problem=problem)
        last = {task.key: task for task in tasks}
        waiting = {key: last[key] for key in best}
        for task, classes in made:
            if classes is not None:
                best[task.key] = classes
                waiting[task.key] = last[task.key]
            if task is waiting.get(task.key):
                # Evaluated while others are made.
                found.add_all(finish(waiting.pop(task.key)))
            done += 1
            if not control.goes_on(_progress(tasks, done, len(best))):
                break
        for recodings in (map if alone else executor.map)(finish, waiting.values()):
            found.add_all(recodings)
    finished = done == len(tasks)
    bounds = None
    if settings.bound and sizes[-1] > 1:
        # Where somebody waits for a search that was stopped, there is nothing more to tell.
        own = SearchControl(
            threads=control.threads,
            listener=control.in_phase("the least possible loss").listener if finished else silent,
        )
        pairs = MOST_PAIRS if finished else MOST_PAIRS_WHEN_STOPPED
        bounds = loss_bounds(problem, sizes[-1], own, most_pairs=pairs).normalized
    return SearchResult(
        front=found.front(),
        method=METHOD.name,
        exact=False,
        evaluated=done,
        nodes=len(tasks),
        reason="the best that was found; other local recodings may be better"
        if finished
        else "the best that was found until the search was stopped",
        finished=finished,
        state=None if finished else _state(best, done),
        loss_bounds=bounds,
    )


def _tasks(
    sizes: Sequence[int],
    bounds: Sequence[MeasureCriterion],
    steerings: Sequence[Steering],
    rounds: int | None,
) -> Iterator[_Task]:
    """Yield what is done, in an order in which it builds on what came before."""
    anchors = [k for k in reversed(sizes) if k in (sizes[0], sizes[-1]) or _is_anchor(k)]
    bounded = [(k, bound) for bound in bounds for k in anchors]
    spread = anchors[:: -(-len(anchors) // MOST_SIZES)]
    steered = [(k, steering) for steering in steerings for k in spread]
    made = len(anchors) + len(bounded) + len(steered)
    if rounds is None:
        most = min(MOST_ROUNDS + sizes[-1] // SIZES_A_ROUND_MORE, MOST_ROUNDS_OF_LARGE)
        rounds = max(1, min(most, ANCHORS_IN_ALL // made))
    again = rounds > 1
    for k in anchors:
        yield _Task(number=0, k=k, again=again)
    between = [k for k in sizes if k not in anchors]
    for k in sorted(between, key=lambda k: (min(each for each in anchors if each > k) - k, -k)):
        yield _Task(number=0, k=k, again=again, from_k=k + 1)
    for number in range(rounds):
        if number:
            yield from (_Task(number=number, k=k, again=again) for k in reversed(sizes))
        yield from (_Task(number=number, k=k, again=again, besides=bound) for k, bound in bounded)
        yield from (_Task(number=number, k=k, again=again, steering=each) for k, each in steered)


def _is_anchor(k: int) -> bool:
    power = 10 ** max(0, len(str(k)) - 2)
    return k < ANCHORS[0] or (k % power == 0 and k // power in ANCHORS)


def _made_in_order(
    tasks: Sequence[_Task],
    work: Callable[[_Task, Counts | None], Counts | None],
    best: Mapping[str, Counts],
    executor: Executor | None,
    threads: int,
) -> Iterator[tuple[_Task, Counts | None]]:
    """Yield the recodings in the order of the tasks; an executor works ahead of what is taken."""
    if executor is None:
        for task in tasks:
            yield task, work(task, best.get(task.start))
        return
    latest: dict[str, Future[Counts | None]] = {}
    running: deque[tuple[_Task, Future[Counts | None]]] = deque()

    def wait_and_work(task: _Task, before: Future[Counts | None] | None) -> Counts | None:
        # What it builds on was begun before it, so this cannot wait forever.
        return work(task, best.get(task.start) if before is None else before.result())

    waiting = iter(tasks)
    try:
        while True:
            for task in itertools.islice(waiting, 2 * threads - len(running)):
                future = executor.submit(wait_and_work, task, latest.get(task.start))
                latest[task.key] = future
                running.append((task, future))
            if not running:
                return
            task, future = running.popleft()
            yield task, future.result()
    finally:
        for _, future in running:
            future.cancel()


def _worked(
    solver: LocalSolver, task: _Task, start: Counts | None, steps: int | None, seed: int
) -> Counts | None:
    """Return the recoding after a round; None if there is none under a bound."""
    rng = np.random.default_rng([seed, task.number, task.k])
    k = task.k
    if start is None:
        if task.number:
            return None
        try:
            start = _started(solver, k, rng, _most_visits(task))
        except UnmetError:
            if task.besides is None:
                raise
            return None
    settled = True
    if task.steering is not None:
        # Settled under the loss, but not yet under this cost.
        solver, settled = solver.steered(task.steering, start, k), task.number > 0
    classes = int(start.max()) + 1
    if steps is None:
        steps = (
            max(FEWEST_STEPS, min(classes, MOST_STEPS_OF_A_ROUND) if task.again else classes)
            if task.from_k is None
            else max(1, classes // CLASSES_A_STEP_BETWEEN)
        )
    return solver.improved(start, k, rng=rng, steps=steps, settled=settled)


def _most_visits(task: _Task) -> int:
    if not task.again:
        return MOST_VISITS
    return min(MOST_VISITS + task.k * MORE_VISITS_FOR_ONE, MOST_VISITS_FOR_ONE)


def _started(solver: LocalSolver, k: int, rng: np.random.Generator, most_visits: int) -> Counts:
    """Return the best of several ways to make a recoding from nothing."""
    starts = []
    if solver.has_nodes:
        starts.append(solver.peeled(k, most_visits=most_visits))
    if not solver.has_only_nodes:
        starts.append(solver.top_down(k))
    if solver.rules(k).rules.size:
        starts.append(solver.grown(k, rng=rng))
    return solver.improved(min(starts, key=solver.loss), k, rng=rng)


def _progress(tasks: Sequence[_Task], done: int, front_size: int) -> Progress:
    return Progress(
        settled=done,
        nodes=len(tasks),
        evaluated=done,
        front_size=front_size,
        steps=Steps(done=done, total=len(tasks), name="recodings"),
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
