"""The metrics of a view, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import metric_named
from sfumato.measures.measure import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.front.decisions.metric import Metric


def shown_metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    """Return the metrics of these names, privacy before loss, each by name."""
    found = map(metric_named, names)
    return tuple(sorted(found, key=lambda metric: (metric.kind is Kind.LOSS, metric.name)))


def how_to_read(metric: Metric) -> str:
    """Return the name of a metric with its unit and its better direction.

    >>> how_to_read(metric_named("k"))
    'k (rows, higher is better)'
    """
    unit = f"{metric.unit}, " if metric.unit else ""
    return f"{metric.name} ({unit}{metric.direction.value} is better)"
