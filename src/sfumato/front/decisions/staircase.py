"""The staircase of a front: how much loss each further step of privacy costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import Metric, objective_metrics
from sfumato.measures.measure import Kind

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
