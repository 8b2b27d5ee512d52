"""A front as a small chart: privacy against loss, a point for each solution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import metric_named, objective_metrics
from sfumato.measures.measure import Kind
from sfumato.views.run.solution_view import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.front.decisions.metric import Metric
    from sfumato.study.runs.run import Run

NORMALIZED = "normalized-loss"


@dataclass(frozen=True, kw_only=True)
class ChartAxis:
    """A metric from its least to its greatest shown value; ``logarithmic`` if ratios count."""

    name: str
    better: str
    low: float
    high: float
    logarithmic: bool
    ends: tuple[str, str]

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 at the low end to 1 at the high one.

        >>> axis = ChartAxis(name="k", better="higher", low=1, high=100, logarithmic=True,
        ...                  ends=("1", "100"))
        >>> axis.place(10)
        0.5
        """
        if self.high == self.low:
            return 0.0
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, kw_only=True)
class ChartPoint:
    """A solution: how freely it recodes, its two values, and whether a rule picks it."""

    freedom: str
    x: float
    y: float
    picked: bool


@dataclass(frozen=True, kw_only=True)
class FrontChart:
    """The axes, and the points of the front."""

    x: ChartAxis
    y: ChartAxis
    points: tuple[ChartPoint, ...]


def front_chart(
    run: Run, *, solutions: Iterable[int] | None = None, picked: int | None = None
) -> FrontChart | None:
    """Return the chart of a run's solutions, or of some of them; None where there is none to draw.

    It has the first objective of privacy and the first of loss, as a share where that is known.
    """
    metrics = objective_metrics(run.result.front, people=run.counts_people)
    privacy = next((each for each in metrics if each.kind is Kind.PRIVACY), None)
    loss = next((each for each in metrics if each.kind is Kind.LOSS), None)
    if privacy is None or loss is None:
        return None
    if loss.name == "loss" and NORMALIZED in run.before.metrics:
        loss = metric_named(NORMALIZED)
    front = run.result.front
    shown = (
        [each.id for each in folded(run, front.solutions, keep=picked)]
        if solutions is None
        else solutions
    )
    points = tuple(
        ChartPoint(
            freedom=run.result.front[id].freedom,
            x=run.metrics[id][privacy.name],
            y=run.metrics[id][loss.name],
            picked=id == picked,
        )
        for id in shown  # noqa: A001 - the number of a solution
    )
    points = tuple(each for each in points if math.isfinite(each.x) and math.isfinite(each.y))
    if len(points) < 2:
        return None
    return FrontChart(
        x=_axis(privacy, [point.x for point in points]),
        y=_axis(loss, [point.y for point in points]),
        points=points,
    )


def _axis(metric: Metric, values: Sequence[float]) -> ChartAxis:
    low, high = min(values), max(values)
    if metric.percent:
        low = 0.0
    return ChartAxis(
        name=metric.name,
        better=metric.direction.value,
        low=low,
        high=high,
        logarithmic=metric.logarithmic and low > 0,
        ends=(metric.written(low), metric.written(high)),
    )
