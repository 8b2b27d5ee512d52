"""By how much individuals gain and lose: a histogram with losses left and gains right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.compare.vectors.exact_sum import is_whole

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.compare.vectors.common_refinement import CommonRefinement

_MOST_BINS = 12
_LINEAR = 20.0
"""Gains whose 99th percentile is within this many times the median get bins of equal width."""


@dataclass(frozen=True, kw_only=True)
class GainBin:
    """The rows that gain more than ``low`` and at most ``high``; mirrored for those that lose."""

    low: float
    high: float
    rows: int


@dataclass(frozen=True, kw_only=True)
class GainHistogram:
    """Rows by how much worse off they are in the first anonymization, unchanged, better off.

    Bins of ``worse`` and ``better`` ascend from the smallest difference to the greatest that
    occurs on their side; some between may be empty.
    """

    worse: tuple[GainBin, ...]
    unchanged: int
    better: tuple[GainBin, ...]


def gain_histogram(pair: CommonRefinement, *, fewest: int = 1) -> GainHistogram:
    """Return the histogram of a pair of vectors.

    Bins begin and end at round numbers, the same on both sides: in equal steps, or by 1, 2, 5,
    10, … where gains differ by orders of magnitude. A bin of fewer than ``fewest`` rows joins the
    nearest that is not empty, so that none is about a handful of people; only if all who gain or
    lose are fewer there is such a bin.

    >>> from sfumato.compare.vectors.common_refinement import CommonRefinement
    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([4, 6, 4, 3], name="class-size")
    >>> b = PropertyVector.of_rows([3, 7, 7, 3], name="class-size")
    >>> found = gain_histogram(CommonRefinement.of(a, b))
    >>> [(bin.low, bin.high, bin.rows) for bin in found.worse]
    [(0.0, 1.0, 1), (1.0, 2.0, 0), (2.0, 3.0, 1)]
    """
    gains, counts = pair.gains.astype(np.float64), pair.counts
    edges = _edges(np.abs(gains[gains != 0]), counts[gains != 0], whole=is_whole(pair.gains))
    return GainHistogram(
        worse=_bins(-gains[gains < 0], counts[gains < 0], edges, fewest),
        unchanged=int(counts[gains == 0].sum()),
        better=_bins(gains[gains > 0], counts[gains > 0], edges, fewest),
    )


def _edges(sizes: Floats, counts: Counts, *, whole: bool) -> list[float]:
    """Return the ends of bins from 0 up to the greatest difference."""
    if not sizes.size:
        return [0.0]
    order = np.argsort(sizes)
    sums = np.cumsum(counts[order])
    small, median, large = (
        float(sizes[order][np.searchsorted(sums, sums[-1] * part)]) for part in (0.01, 0.5, 0.99)
    )
    greatest = float(sizes.max())
    if large <= _LINEAR * median:
        step = _round_up(greatest / _MOST_BINS)
        step = max(1.0, step) if whole else step
        return [
            float(f"{step * place:.9g}") for place in range(math.ceil(greatest / step - 1e-9) + 1)
        ]
    edges = [greatest]
    while len(edges) <= _MOST_BINS and edges[-1] > small:
        edges.append(_round_below(edges[-1]))
    return [0.0, *reversed(edges[1:]), _round_up(greatest)]


def _round_up(value: float) -> float:
    """Return the least of 1, 2, 5 times a power of ten that is not below a value."""
    power = math.floor(math.log10(value))
    return next(
        _decimal(part, power)
        for part in (1, 2, 5, 10)
        if _decimal(part, power) >= value * (1 - 1e-12)
    )


def _round_below(value: float) -> float:
    """Return the greatest of 1, 2, 5 times a power of ten that is below a value."""
    power = math.floor(math.log10(value)) - 1
    return max(
        _decimal(part, power)
        for part in (1, 2, 5, 10, 20, 50)
        if _decimal(part, power) < value * (1 - 1e-12)
    )


def _decimal(part: int, power: int) -> float:
    return float(f"{part}e{power}")


def _bins(sizes: Floats, counts: Counts, edges: list[float], fewest: int) -> tuple[GainBin, ...]:
    """Count one side; bins of too few rows join others.

    Differences of floats miss a round number by their rounding, so that edges give way a little.
    """
    if not sizes.size:
        return ()
    inner = np.array(edges[1:-1]) * (1 + 1e-9)
    rows: Counts = np.zeros(len(edges) - 1, dtype=np.int64)
    np.add.at(rows, np.searchsorted(inner, sizes, side="left"), counts)
    found = [
        GainBin(low=low, high=high, rows=number)
        for low, high, number in zip(edges[:-1], edges[1:], rows.tolist(), strict=True)
    ][: int(np.flatnonzero(rows)[-1]) + 1]
    while True:
        filled = [place for place, each in enumerate(found) if each.rows]
        few = [place for place in filled if found[place].rows < fewest]
        if not few or len(filled) == 1:
            return tuple(found)
        place = few[-1]
        nearest = min((other for other in filled if other != place), key=lambda o: abs(o - place))
        first, last = sorted((place, nearest))
        found[first : last + 1] = [
            GainBin(
                low=found[first].low,
                high=found[last].high,
                rows=found[first].rows + found[last].rows,
            )
        ]
