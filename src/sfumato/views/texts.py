"""What terminals and pages write alike: numbers, metrics, facts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.front.decisions.metric import metric_named
from sfumato.measures.measure import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.front.decisions.metric import Metric


def metric_text(value: float) -> str:
    """Return a value with at least four significant digits, whole numbers without a point.

    >>> metric_text(5.0), metric_text(0.25), metric_text(54370.301), metric_text(1e-7)
    ('5', '0.2500', '54,370', '1.000e-07')
    >>> metric_text(float("inf"))
    'infinite'
    """
    if not math.isfinite(value):
        return "infinite" if value > 0 else "-infinite"
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:#.4g}".rstrip(".")


def share_text(part: float, whole: float) -> str:
    """Return a part of a whole in percent.

    >>> share_text(1, 3), share_text(0, 3), share_text(1, 100_000)
    ('33.3 %', '0 %', '0.001 %')
    """
    percent = 100 * part / whole if whole else 0.0
    digits = f"{percent:.3g}" if percent >= 0.001 or not percent else f"{percent:.0e}"
    return f"{digits} %"


def shown_metrics(names: Iterable[str], *, people: bool) -> tuple[Metric, ...]:
    """Return the metrics of these names, privacy before loss, each by name.

    ``people`` says whether the study counts people, which decides on their units.
    """
    found = [metric_named(name, people=people) for name in names]
    return tuple(sorted(found, key=lambda metric: (metric.kind is Kind.LOSS, metric.name)))


def how_to_read(metric: Metric) -> str:
    """Return the name of a metric with its unit and its better direction.

    >>> how_to_read(metric_named("k"))
    'k (rows, higher is better)'
    """
    unit = f"{metric.unit}, " if metric.unit else ""
    return f"{metric.name} ({unit}{metric.direction.value} is better)"


def class_size_text(size: int, *, people: bool) -> str:
    """Return the size of a class in records, or in people.

    >>> class_size_text(1, people=False), class_size_text(5, people=True)
    ('1 record', '5 people')
    """
    return counted(size, "person", "people") if people else counted(size, "record")


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A term and what is said of it."""

    term: str
    text: str
