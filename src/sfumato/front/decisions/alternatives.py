"""What a publisher could have instead of a choice (the questions of MOEA §1.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.arrays import plain_numbers
from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.front.decisions.flat_regions import FlatRegion, flat_regions
from sfumato.front.decisions.metric import Metric, objective_metrics
from sfumato.front.front import Solution
from sfumato.measures.measure import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.front.front import Front


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """How much worse a value may get for another to become better.

    ``loss`` is what may be added to an objective of loss: a share, of all cells where the
    objective is such a share, else of what lies between the extremes of the front. ``privacy`` is
    the part of an objective of privacy that may be given up.
    """

    loss: float = 0.01
    privacy: float = 0.1

    def __post_init__(self) -> None:
        plain_numbers(self)
        for name in ("loss", "privacy"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not (number and 0 <= value <= 1):
                raise SettingsError.wrong_setting(
                    name, value, "a share from 0 to 1, like 0.01", code="out-of-range"
                )


DEFAULT_TOLERANCE = Tolerance()


@dataclass(frozen=True, kw_only=True)
class Alternatives:
    """The solutions that answer the questions of a publisher who has chosen some metrics.

    ``chosen`` are those metrics. ``at_no_cost`` are better in one of them and worse in none.
    ``more_privacy`` gain privacy, give up none of it, and lose no more than is tolerable;
    ``less_loss`` lose less in some way, more in none, and give up tolerable parts of the privacy.
    The best of each come first. ``region`` is the flat region that the chosen solution lies in.
    """

    chosen: Mapping[str, float]
    at_no_cost: tuple[Solution, ...]
    more_privacy: tuple[Solution, ...]
    less_loss: tuple[Solution, ...]
    region: FlatRegion | None


def alternatives(
    front: Front,
    chosen: Solution | Mapping[str, float],
    *,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
) -> Alternatives:
    """Return what a front offers instead of one of its solutions, or of wished metrics.

    A publisher who guesses k = 5 may learn that 7 costs no more, and 12 hardly more (MOEA §1.2).
    Wished metrics need not name all objectives; the others are not looked at.
    """
    if isinstance(chosen, Solution):
        values, metrics = dict(chosen.values), list(objective_metrics(front))
        region = next((each for each in flat_regions(front) if chosen in each.solutions), None)
    else:
        values, metrics, region = dict(chosen), _wished_metrics(front, chosen), None
    privacy = [metric for metric in metrics if metric.kind is Kind.PRIVACY]
    losses = [metric for metric in metrics if metric.kind is not Kind.PRIVACY]
    widths = {metric.name: _width(front, metric) for metric in losses}
    free, private, cheap = [], [], []
    for solution in front:
        if solution is chosen:
            continue
        gained, given_up = _compared(privacy, solution.values, values)
        saved, added = _compared(losses, solution.values, values)
        if (gained or saved) and not given_up and not added:
            free.append(solution)
        elif (
            gained
            and not given_up
            and all(
                abs(solution.values[f.name] - values[f.name]) <= tolerance.loss * widths[f.name]
                for f in added
            )
        ):
            private.append(solution)
        elif (
            saved
            and not added
            and all(
                abs(solution.values[f.name] - values[f.name])
                <= tolerance.privacy * abs(values[f.name])
                for f in given_up
            )
        ):
            cheap.append(solution)
    return Alternatives(
        chosen=values,
        at_no_cost=_best_first(free, privacy + losses),
        more_privacy=_best_first(private, privacy + losses),
        less_loss=_best_first(cheap, losses + privacy),
        region=region,
    )


def _wished_metrics(front: Front, wished: Mapping[str, float]) -> list[Metric]:
    unknown = [name for name in wished if name not in front.objectives]
    if unknown or not wished:
        raise SettingsError(
            f"{', '.join(map(repr, unknown)) or 'nothing'} is not an objective of the front",
            code="unknown-objective",
            key="wished",
            found=", ".join(map(repr, unknown)) or "nothing",
            expected=tuple(front.objectives),
            suggestion=closest(unknown[0], front.objectives) if unknown else None,
        )
    for name, value in wished.items():
        if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
            raise SettingsError.wrong_setting(name, value, "a number", code="not-a-number")
    return [metric for metric in objective_metrics(front) if metric.name in wished]


def _width(front: Front, metric: Metric) -> float:
    """Return what the tolerance of a loss is a share of."""
    if metric.percent:
        return 1.0
    values = [solution.values[metric.name] for solution in front]
    finite = [value for value in values if math.isfinite(value)]
    return max(finite) - min(finite) if finite else 0.0


def _compared(
    metrics: Iterable[Metric], values: Mapping[str, float], chosen: Mapping[str, float]
) -> tuple[list[Metric], list[Metric]]:
    """Return the metrics that are better than the chosen ones, and those that are worse."""
    known = list(metrics)
    better = [f for f in known if f.better(values[f.name], chosen[f.name])]
    worse = [f for f in known if f.better(chosen[f.name], values[f.name])]
    return better, worse


def _best_first(solutions: list[Solution], metrics: list[Metric]) -> tuple[Solution, ...]:
    return tuple(
        sorted(solutions, key=lambda s: (*(f.cost(s.values[f.name]) for f in metrics), s.id))
    )
