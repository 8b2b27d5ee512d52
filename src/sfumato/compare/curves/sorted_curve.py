"""How a property is spread over individuals: its values in order, as a curve of few steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.compare.vectors.exact_sum import exact_sum
from sfumato.measures.measure import Direction
from sfumato.microdata.count_table import exact_bincount

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.compare.vectors.property_vector import PropertyVector

MOST_STEPS = 256


@dataclass(frozen=True, kw_only=True)
class SortedCurve:
    """The values of all individuals, the worst off first.

    The individuals from ``shares[i - 1]`` to ``shares[i]`` of all have the value ``values[i]``.
    """

    shares: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class SpreadMetrics:
    """A property in six numbers: the worst off, the mean of the worst tenth, and so on.

    ``gini`` is the Gini coefficient, 0 if everybody has the same and nearly 1 if one has all.
    """

    worst: float
    worst_tenth: float
    median: float
    mean: float
    best: float
    gini: float


def sorted_curve(vector: PropertyVector, *, most: int = MOST_STEPS) -> SortedCurve:
    """Return the curve of a vector, exact where it has at most ``most`` different values.

    Of more, it has ``most`` steps of equally many individuals, each with the value of the one in
    its middle; the first and the last step have the worst and the best value.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> sorted_curve(PropertyVector.of_rows([3, 7, 7, 3, 7], name="class-size"))
    SortedCurve(shares=(0.4, 1.0), values=(3, 7))
    """
    values, counts = worst_first(vector)
    upto = np.cumsum(counts)
    shares: Floats = upto / vector.rows
    if values.shape[0] > most:
        middle = (2 * np.arange(most) + 1) * vector.rows // (2 * most)
        places = np.searchsorted(upto, middle, side="right")
        places[0], places[-1] = 0, values.shape[0] - 1
        values, shares = values[places], np.arange(1, most + 1) / most
    last = np.append(values[1:] != values[:-1], True)
    return SortedCurve(shares=tuple(shares[last].tolist()), values=tuple(values[last].tolist()))


def spread_metrics(vector: PropertyVector) -> SpreadMetrics:
    """Return a vector in six numbers.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> found = spread_metrics(PropertyVector.of_rows([3, 7, 7, 3, 7], name="class-size"))
    >>> found.worst, found.worst_tenth, found.median, found.mean, round(found.gini, 4)
    (3, 3.0, 7, 5.4, 0.1778)
    """
    values, counts = worst_first(vector)
    upto = np.cumsum(counts)
    tenth = -(-vector.rows // 10)
    among = np.clip(tenth - (upto - counts), 0, counts)
    ascending = slice(None) if vector.direction is Direction.HIGHER else slice(None, None, -1)
    return SpreadMetrics(
        worst=values[0].item(),
        worst_tenth=exact_sum((values, among)) / tenth,
        median=values[np.searchsorted(upto, (vector.rows + 1) // 2)].item(),
        mean=exact_sum((values, counts)) / vector.rows,
        best=values[-1].item(),
        gini=_gini(values[ascending].astype(np.float64), counts[ascending]),
    )


def worst_first(vector: PropertyVector) -> tuple[Counts | Floats, Counts]:
    """Return the different values of a vector and their numbers of rows, the worst first."""
    values: Counts | Floats
    values, which = np.unique(vector.values, return_inverse=True)  # type: ignore[assignment]
    counts = exact_bincount(which, vector.counts, values.shape[0])
    if vector.direction is Direction.LOWER:
        return values[::-1], counts[::-1]
    return values, counts


def _gini(ascending: Floats, counts: Counts) -> float:
    """Return Σ (2·rank - N - 1)·value / (N · Σ value), ranks averaged over equal values."""
    rows = int(counts.sum())
    total = float((ascending * counts).sum())
    if total == 0:
        return 0.0
    before = np.cumsum(counts) - counts
    weights = counts * (2.0 * before + counts - rows)
    return float((weights * ascending).sum()) / (rows * total)
