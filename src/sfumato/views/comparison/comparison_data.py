"""What a comparison's page shows: one frozen value, computed here and drawn by the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.compare.curves.gain_histogram import GainHistogram
    from sfumato.compare.curves.group_bias import GroupBias
    from sfumato.compare.curves.individual_curve import IndividualCurve
    from sfumato.compare.curves.sorted_curve import SortedCurve, SpreadMetrics
    from sfumato.compare.verdict import Outcome
    from sfumato.measures.measure import Direction
    from sfumato.measures.scale import Scale
    from sfumato.views.texts import Fact


@dataclass(frozen=True, kw_only=True)
class ShownVerdict:
    """What a comparator says: both index values, the outcome for the first, and a sentence."""

    comparator: str
    reference: str
    first: float
    second: float
    outcome: Outcome
    sentence: str


@dataclass(frozen=True, kw_only=True)
class ComparedProperty:
    """A property of every individual under both anonymizations.

    Pairs have the first anonymization first. ``scale`` is the one that it is drawn on.
    ``by_individual`` orders the individuals by the first and by the second; ``groups`` has the
    groups of every column of the page, in order.
    """

    name: str
    meaning: str
    unit: str
    direction: Direction
    scale: Scale
    better_off: int
    worse_off: int
    unchanged: int
    summary: str
    curves: tuple[SortedCurve, SortedCurve]
    metrics: tuple[SpreadMetrics, SpreadMetrics]
    by_individual: tuple[IndividualCurve, IndividualCurve]
    histogram: GainHistogram
    groups: tuple[tuple[GroupBias, ...], ...]
    verdicts: tuple[ShownVerdict, ...]


@dataclass(frozen=True, kw_only=True)
class ComparisonData:
    """All that the page of a comparison shows.

    ``names`` are what the two anonymizations are called. Of groups of fewer than ``fewest`` rows
    nothing is told. ``chosen`` and ``by`` are the places of the property and of the column that
    the page opens with.
    """

    source: str
    names: tuple[str, str]
    rows: int
    fewest: int
    facts: tuple[Fact, ...]
    properties: tuple[ComparedProperty, ...]
    columns: tuple[str, ...]
    chosen: int
    by: int
    together: tuple[ShownVerdict, ...]
    together_on: tuple[str, ...]
