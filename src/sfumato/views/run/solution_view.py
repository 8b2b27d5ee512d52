"""A solution of a front as it is listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sfumato.classes.suppression import Threshold
from sfumato.errors.listing import counted
from sfumato.front.decisions.metric import metric_named
from sfumato.views.run.loss_bound import loss_bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run
    from sfumato.views.run.loss_bound import LossBound

Thing = TypeVar("Thing")


@dataclass(frozen=True, kw_only=True)
class SolutionView:
    """A solution: its recoding, its objective ``values`` and all ``metrics`` of the run.

    ``recoding`` is as documents store it, without the cells of a local one; ``levels`` is empty if
    it has none. ``freedom`` says how freely it chooses. ``coarseness`` has the level or the number
    of blocks of every quasi-identifier, or of different labels in a local recoding, as ``counted``
    says. Classes of fewer rows than ``threshold`` are suppressed. ``bound`` is the proved one of a
    local recoding. ``equals`` is how many more solutions of the front have the same classes and
    objectives, and ``same_as`` the id of that which is listed for all of them, if not this one.
    """

    id: int
    freedom: str
    levels: Mapping[str, int]
    recoding: Mapping[str, Mapping[str, object]]
    counted: str
    coarseness: Mapping[str, int]
    values: Mapping[str, float]
    suppressed: int
    threshold: int
    classes: int
    metrics: Mapping[str, float]
    bound: LossBound | None
    equals: int
    same_as: int | None


def solution_views(
    run: Run, solutions: Sequence[Solution], *, keep: int | None = None
) -> tuple[SolutionView, ...]:
    """Return solutions of a run as they are listed, ``keep`` among them."""
    sets = Counter(run.stands_for)
    shown = {run.stands_for[each.id]: each.id for each in folded(run, solutions, keep=keep)}
    return tuple(
        SolutionView(
            id=solution.id,
            freedom=solution.freedom,
            levels=solution.levels,
            recoding={solution.recoding.kind: solution.recoding.shown()},
            counted="labels" if run.details[solution.id].labels else solution.recoding.heading,
            coarseness=_coarseness(run, solution),
            values=solution.values,
            suppressed=solution.suppressed,
            threshold=solution.threshold,
            classes=run.details[solution.id].classes,
            metrics=run.details[solution.id].metrics,
            bound=loss_bound(run, solution),
            equals=sets[run.stands_for[solution.id]] - 1,
            same_as=_other(shown[run.stands_for[solution.id]], solution.id),
        )
        for solution in solutions
    )


def _other(shown: int, own: int) -> int | None:
    return None if shown == own else shown


def listed(solutions: Sequence[SolutionView]) -> tuple[SolutionView, ...]:
    """Return one of all solutions that have the same classes and objectives."""
    return tuple(solution for solution in solutions if solution.same_as is None)


def folded(
    run: Run, solutions: Sequence[Solution], *, keep: int | None = None
) -> tuple[Solution, ...]:
    """Return one of all solutions that have the same classes and objectives, in their order.

    It is the finest one, unless that is not among the solutions or ``keep`` is another of them.
    """
    shown: dict[int, int] = {}
    for solution in solutions:
        finest = run.stands_for[solution.id]
        if solution.id in (finest, keep) and shown.get(finest) != keep:
            shown[finest] = solution.id
        else:
            shown.setdefault(finest, solution.id)
    chosen = set(shown.values())
    return tuple(solution for solution in solutions if solution.id in chosen)


def folded_text(count: int) -> str:
    """Return the line that says how many solutions are not shown.

    >>> folded_text(1)
    '1 more recoding has the same classes as one of these and is not shown.'
    """
    has = "has" if count == 1 else "have"
    shown = "is not shown" if count == 1 else "are not shown"
    return f"{counted(count, 'more recoding')} {has} the same classes as one of these and {shown}."


def solution_name(run: Run, solution: Solution) -> str:
    """Return how a choice names a solution: its number and its objectives."""
    objectives = run.result.front.objectives
    values = (
        f"{name} {metric_named(name, direction=objectives[name]).written(value)}"
        for name, value in solution.values.items()
    )
    return f"{solution.id}: {', '.join(values)}"


def _coarseness(run: Run, solution: Solution) -> dict[str, int]:
    labels = run.details[solution.id].labels
    return {name: each.count for name, each in labels.items()} or solution.recoding.numbers()


def every_threshold(run: Run) -> bool:
    """Say whether the search tried every threshold of suppression."""
    return run.study_file.study.suppression.threshold is Threshold.EVERY


def spread(things: Sequence[Thing], most: int) -> Sequence[Thing]:
    """Return at most ``most`` of several things, the first and the last among them, evenly spread.

    >>> spread(range(100), 4)
    [0, 33, 66, 99]
    """
    if len(things) <= most:
        return things
    last = len(things) - 1
    return [things[round(place * last / (most - 1))] for place in range(most)]
