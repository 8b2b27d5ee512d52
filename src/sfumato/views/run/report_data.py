"""What a report shows: one frozen value, computed here and drawn by the page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import Metric
from sfumato.views.words import WORDS, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk.identifying.column_subsets import IdentifyingSubset
    from sfumato.study.runs.run import ColumnLabels
    from sfumato.views.run.freedoms_view import FreedomsView
    from sfumato.views.run.report_utility import ReportUtility
    from sfumato.views.texts import Fact


MOST_STEPS = 64


@dataclass(frozen=True, kw_only=True)
class ClassSizeCurve:
    """The share of released rows in classes of up to some size, at a few sizes.

    ``shares[i]`` is exactly the share at ``sizes[i]``. ``median`` is the smallest class size such
    that half of the released rows are in classes up to it; 0 if no row is released.
    """

    sizes: tuple[int, ...]
    shares: tuple[float, ...]
    median: int


def class_size_curve(
    class_sizes: Sequence[tuple[int, int]], *, most: int = MOST_STEPS
) -> ClassSizeCurve:
    """Return the curve of (class size, rows in classes of that size), ascending.

    Of more than ``most`` sizes the first and the last are kept, and of those between as many as
    lie evenly on a logarithmic axis: the curve leaves out steps, and never moves one.

    >>> class_size_curve([(2, 4), (3, 6), (10, 10)])
    ClassSizeCurve(sizes=(2, 3, 10), shares=(0.2, 0.5, 1.0), median=3)
    """
    if not class_sizes:
        return ClassSizeCurve(sizes=(), shares=(), median=0)
    sizes = [size for size, _ in class_sizes]
    sums = list(accumulate(rows for _, rows in class_sizes))
    median = next(size for size, rows in zip(sizes, sums, strict=True) if 2 * rows >= sums[-1])
    kept = _spread(sizes, most)
    return ClassSizeCurve(
        sizes=tuple(sizes[place] for place in kept),
        shares=tuple(sums[place] / sums[-1] for place in kept),
        median=median,
    )


def _spread(sizes: Sequence[int], most: int) -> list[int]:
    """Return the places of at most ``most`` sizes, evenly on a logarithmic axis."""
    if len(sizes) <= most:
        return list(range(len(sizes)))
    low, high = math.log(sizes[0]), math.log(sizes[-1])
    last_of_part = {
        min(most - 2, int((math.log(size) - low) / (high - low) * (most - 1))): place
        for place, size in enumerate(sizes[:-1])
    }
    return sorted({0, *list(last_of_part.values())[1:], len(sizes) - 1})


@dataclass(frozen=True, kw_only=True)
class ReportMetric(Metric):
    """A metric, whether it is an objective, and its value before anything is recoded."""

    objective: bool
    before: float | None


@dataclass(frozen=True, kw_only=True)
class ReportLevel:
    """A level of a column, or a partition with a ``name``: its blocks and the labels of some.

    ``on_level`` says that it is a level of the hierarchy.
    """

    blocks: int
    examples: tuple[str, ...]
    name: str | None = None
    on_level: bool = True


@dataclass(frozen=True, kw_only=True)
class ReportColumn:
    """A quasi-identifier and its partitions; ``on_levels`` if all are levels of a hierarchy."""

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

    ``alone`` is the share of released rows that are alone in their class, ``risk`` the shares of
    those in classes of each band of sizes, ``loss_parts`` are the
    shares of the columns in all of the loss. A local recoding has no levels, and ``labels`` of
    every column instead. ``bound`` says what is proved about the loss of local recodings.
    ``equals`` is how many more solutions have the same classes and objectives; one of all of them
    is ``listed``.
    """

    id: int
    freedom: str
    levels: tuple[int | None, ...]
    labels: tuple[ColumnLabels, ...]
    bound: str | None
    metrics: tuple[float | None, ...]
    suppressed: int
    kept: int
    classes: int
    alone: float
    risk: tuple[float, ...]
    curve: ClassSizeCurve
    equals: int
    listed: bool
    column_losses: tuple[float, ...]
    loss_parts: tuple[float, ...]
    up: ReportSentence | None
    down: ReportSentence | None


@dataclass(frozen=True, kw_only=True)
class ReportData:
    """All that a report shows.

    ``source`` is the name of the file and not its path. ``counts_people`` says that classes are as
    large as the number of their people, and not of their rows. ``x`` and ``y`` are the places of
    the metrics that the chart starts with, ``alone_before`` is the share of rows that no other row
    shares its quasi-identifiers with, ``command`` releases the solution whose id takes the place
    of ``{id}``. ``knee_weighs`` says what the knee balances, ``opening`` why the report opens with
    the ``chosen`` solution. ``freedoms`` says what each freedom of
    recoding loses where there are several. ``risk_before`` has the shares of original rows in
    classes of each of the ``risk_bands``, ``identifying`` how identifying columns are before.
    ``utility`` says what analysts can still do with one solution, if that was computed.
    ``folded_text`` says how many solutions are not listed. ``words`` are those that the page
    explains.
    """

    source: str
    made: str
    rows: int
    counts_people: bool
    facts: tuple[Fact, ...]
    metrics: tuple[ReportMetric, ...]
    columns: tuple[ReportColumn, ...]
    solutions: tuple[ReportSolution, ...]
    x: int
    y: int
    staircase: tuple[int, ...]
    knee: int | None
    knee_weighs: str
    chosen: int
    opening: str
    regions: tuple[ReportRegion, ...]
    sentences: tuple[ReportSentence, ...]
    alone_before: float
    risk_bands: tuple[str, ...]
    risk_before: tuple[float, ...]
    command: str
    folded_text: str = ""
    freedoms: FreedomsView | None = None
    identifying: tuple[IdentifyingSubset, ...] | None = None
    utility: ReportUtility | None = None
    words: tuple[Word, ...] = WORDS
