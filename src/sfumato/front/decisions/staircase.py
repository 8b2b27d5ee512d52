"""The staircase of a front: how much loss each further step of privacy costs, and what falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import Metric, objective_metrics
from sfumato.measures.measure import Direction, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.front.front import Front, Solution


@dataclass(frozen=True, kw_only=True)
class Step:
    """Solutions that share their privacy and their loss, lowest id first."""

    solutions: tuple[Solution, ...]
    privacy: float
    loss: float

    @property
    def first(self) -> Solution:
        """The solution with the lowest id."""
        return self.solutions[0]


@dataclass(frozen=True, kw_only=True)
class Staircase:
    """The non-dominated solutions in one metric of privacy and one of loss.

    Steps go up: each has more privacy and more loss than the one before.
    """

    privacy: Metric
    loss: Metric
    steps: tuple[Step, ...]


def staircase(front: Front) -> Staircase | None:
    """Return the staircase of a front in its first objective of privacy and its first of loss.

    With two objectives every solution lies on it. With more, those that are only there for a
    further objective are left out. None if the front lacks one of the two kinds.
    """
    metrics = objective_metrics(front)
    privacy = next((metric for metric in metrics if metric.kind is Kind.PRIVACY), None)
    loss = next((metric for metric in metrics if metric.kind is Kind.LOSS), None)
    if privacy is None or loss is None:
        return None
    return Staircase(privacy=privacy, loss=loss, steps=_steps(front.solutions, privacy, loss))


def _steps(solutions: Sequence[Solution], privacy: Metric, loss: Metric) -> tuple[Step, ...]:
    places: dict[tuple[float, float], list[Solution]] = {}
    for solution in solutions:
        place = (solution.values[privacy.name], solution.values[loss.name])
        places.setdefault(place, []).append(solution)
    least_loss_first = sorted(places, key=lambda p: (loss.cost(p[1]), privacy.cost(p[0])))
    steps: list[Step] = []
    for place in least_loss_first:
        if steps and not privacy.better(place[0], steps[-1].privacy):
            continue
        here = tuple(sorted(places[place], key=lambda solution: solution.id))
        steps.append(Step(solutions=here, privacy=place[0], loss=place[1]))
    return tuple(steps)


@dataclass(frozen=True, kw_only=True)
class PrivacyFall:
    """A value of privacy that is worse after a step than before it.

    >>> from sfumato.front.decisions.metric import metric_named
    >>> print(PrivacyFall(metric=metric_named("distinct-l"), before=3, after=2))
    distinct-l falls from 3 to 2
    >>> print(PrivacyFall(metric=metric_named("t"), before=0.2, after=0.25))
    t rises from 0.2 to 0.25
    """

    metric: Metric
    before: float
    after: float

    def __str__(self) -> str:
        way = "falls" if self.metric.direction is Direction.HIGHER else "rises"
        before, after = map(self.metric.written, (self.before, self.after))
        if before == after:
            return f"{self.metric.name} {way} slightly from {before}"
        return f"{self.metric.name} {way} from {before} to {after}"


def privacy_falls(front: Front, start: Solution, end: Solution) -> tuple[PrivacyFall, ...]:
    """Return the objectives of privacy that are worse at the end than at the start."""
    return tuple(
        PrivacyFall(metric=metric, before=start.values[metric.name], after=end.values[metric.name])
        for metric in _of_privacy(front)
        if metric.better(start.values[metric.name], end.values[metric.name])
    )


def some_privacy_falls(front: Front, start: Sequence[Solution], end: Sequence[Solution]) -> bool:
    """Say whether privacy falls on any of the ways from some solutions to some others."""
    return any(
        min(metric.cost(one.values[metric.name]) for one in start)
        < max(metric.cost(other.values[metric.name]) for other in end)
        for metric in _of_privacy(front)
    )


def _of_privacy(front: Front) -> list[Metric]:
    return [metric for metric in objective_metrics(front) if metric.kind is Kind.PRIVACY]
