"""What a report shows: one frozen value, computed here and drawn by the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import Metric

if TYPE_CHECKING:
    from sfumato.views.facts import Fact
    from sfumato.views.run.class_size_curve import ClassSizeCurve


@dataclass(frozen=True, kw_only=True)
class ReportMetric(Metric):
    """A metric, whether it is an objective, and its value before anything is recoded."""

    objective: bool
    before: float | None


@dataclass(frozen=True, kw_only=True)
class ReportLevel:
    """A level of a column, or a partition with a ``name``: its blocks and the labels of some."""

    blocks: int
    examples: tuple[str, ...]
    name: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReportColumn:
    """A quasi-identifier and its partitions; ``on_levels`` if these are levels of a hierarchy."""

    name: str
    weight: float
    values: int
    levels: tuple[ReportLevel, ...]
    on_levels: bool = True


@dataclass(frozen=True, kw_only=True)
class ReportSentence:
    """A trade-off in words, between two solutions.

    ``gain`` says what it brings: "more privacy", or more of one value if another one of privacy
    gets worse.
    """

    text: str
    start: int
    end: int
    flat: bool
    gain: str


@dataclass(frozen=True, kw_only=True)
class ReportRegion:
    """A flat region: its ends, all its solutions, and what it costs to cross it, in words."""

    start: int
    end: int
    solutions: tuple[int, ...]
    text: str


@dataclass(frozen=True, kw_only=True)
class ReportSolution:
    """A solution. Metrics, levels and losses are in the order of the report's lists.

    ``alone`` is the share of released rows that are alone in their class, ``loss_parts`` are the
    shares of the columns in all of the loss.
    """

    id: int
    levels: tuple[int, ...]
    metrics: tuple[float | None, ...]
    suppressed: int
    kept: int
    classes: int
    alone: float
    curve: ClassSizeCurve
    column_losses: tuple[float, ...]
    loss_parts: tuple[float, ...]
    up: ReportSentence | None
    down: ReportSentence | None


@dataclass(frozen=True, kw_only=True)
class ReportData:
    """All that a report shows.

    ``source`` is the name of the file and not its path. ``x`` and ``y`` are the places of the
    metrics that the chart starts with, ``alone_before`` is the share of rows that no other row
    shares its quasi-identifiers with, ``command`` releases the solution whose id takes the place
    of ``{id}``.
    """

    source: str
    made: str
    rows: int
    facts: tuple[Fact, ...]
    metrics: tuple[ReportMetric, ...]
    columns: tuple[ReportColumn, ...]
    solutions: tuple[ReportSolution, ...]
    x: int
    y: int
    staircase: tuple[int, ...]
    knee: int | None
    chosen: int
    regions: tuple[ReportRegion, ...]
    sentences: tuple[ReportSentence, ...]
    alone_before: float
    command: str
