"""Associations of pairs of columns before and after: Cramér's V, correlations, distances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.microdata.count_table import exact_bincount
from sfumato.utility.bins import Bins, bins_of
from sfumato.utility.distributions import shares_of, total_variation

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.utility.released_table import ReleasedColumn, ReleasedTable

_DENSE = 4_000_000
_CHUNK = 50_000


class PairPicture(Record):
    """Two columns together before and after, over their bins.

    The correlation of numbers and dates is that of the originals, and of the middles of labels;
    it is left out where a column is a category, or does not vary.
    """

    first: str = Field(description="A column.")
    second: str = Field(description="Another column.")
    total_variation: float = Field(description="½ Σ |before − after| over pairs of bins, 0 to 1.")
    cramers_v_before: float = Field(description="Cramér's V of the originals, 0 to 1.")
    cramers_v_after: float = Field(description="Cramér's V of the released rows, 0 to 1.")
    correlation_before: float | None = Field(default=None, description="Of the originals.")
    correlation_after: float | None = Field(
        default=None, description="By the middles of the released labels."
    )


def cramers_v(joint: Floats) -> float:
    """Return Cramér's V of a table of counts: √(χ² / N / (min(rows, columns) − 1)).

    Rows and columns without counts do not count; it is 0 where a single one is left.

    >>> cramers_v(np.array([[10.0, 0.0], [0.0, 10.0]])), cramers_v(np.array([[5.0, 5.0]]))
    (1.0, 0.0)
    """
    table = joint[joint.sum(axis=1) > 0][:, joint.sum(axis=0) > 0]
    least = min(table.shape) - 1
    if least < 1:
        return 0.0
    total = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    chi = float(((table - expected) ** 2 / expected).sum())
    return min(1.0, math.sqrt(max(0.0, chi / total / least)))


def correlation(first: Floats, second: Floats, weights: Floats | Counts) -> float | None:
    """Return Pearson's correlation of weighted pairs; None where a side does not vary.

    >>> numbers = np.array([1.0, 2.0, 3.0])
    >>> round(correlation(numbers, -numbers, np.ones(3)), 12)
    -1.0
    """
    known = ~np.isnan(first) & ~np.isnan(second) & (weights > 0)
    if not known.any() or not np.ptp(first[known]) or not np.ptp(second[known]):
        return None
    x, y, n = first[known], second[known], weights[known].astype(np.float64)
    x = x - (x * n).sum() / n.sum()
    y = y - (y * n).sum() / n.sum()
    spread = math.sqrt(float((x * x * n).sum())) * math.sqrt(float((y * y * n).sum()))
    return max(-1.0, min(1.0, float((x * y * n).sum()) / spread))


def pair_pictures(released: ReleasedTable) -> tuple[PairPicture, ...]:
    """Return every pair of columns before and after."""
    original = released.original
    columns, shown = original.columns, released.columns
    bins = [
        bins_of(column, exact_bincount(column.codes, original.counts, len(column.leaves)))
        for column in columns
    ]
    kept = np.flatnonzero(released.kept)
    weights = original.counts[kept]
    # The bins of labels are found once for each column, not for each pair.
    spread = [each.into_bins(own.of_leaf, own.count) for each, own in zip(shown, bins, strict=True)]
    binned = [own.of_leaf[column.codes] for own, column in zip(bins, columns, strict=True)]
    middles = [None if c.middle is None else c.middle[c.codes[kept]] for c in shown]
    own_numbers = [
        None if c.value_numbers is None else c.value_numbers[c.value_codes] for c in columns
    ]
    found = []
    for i in range(len(columns)):
        for j in range(i + 1, len(columns)):
            before = joint_counts(binned[i], binned[j], original.counts, bins[i], bins[j])
            after = released_joint(
                (shown[i], spread[i]), (shown[j], spread[j]), kept=kept, weights=weights
            )
            found.append(
                PairPicture(
                    first=columns[i].name,
                    second=columns[j].name,
                    total_variation=total_variation(shares_of(before), shares_of(after)),
                    cramers_v_before=cramers_v(before),
                    cramers_v_after=cramers_v(after),
                    correlation_before=_correlation(
                        own_numbers[i], own_numbers[j], original.counts
                    ),
                    correlation_after=_correlation(middles[i], middles[j], weights),
                )
            )
    return tuple(found)


def _correlation(first: Floats | None, second: Floats | None, weights: Counts) -> float | None:
    return None if first is None or second is None else correlation(first, second, weights)


def joint_counts(
    first: object, second: object, weights: Counts, rows: Bins, columns: Bins
) -> Floats:
    """Return the rows of every pair of bins."""
    places = np.asarray(first, dtype=np.int64) * columns.count + np.asarray(second)
    found = exact_bincount(places, weights, rows.count * columns.count)
    return found.reshape(rows.count, columns.count).astype(np.float64)


def released_joint(
    first: tuple[ReleasedColumn, Floats],
    second: tuple[ReleasedColumn, Floats],
    *,
    kept: Counts,
    weights: Counts,
) -> Floats:
    """Return the rows of every pair of bins, spread evenly over what the labels of a row cover.

    Every column comes with the shares of its labels in the bins. Within a row the columns are taken
    to be independent: Σ over pairs of labels of rows × share of the first × share of the second.
    """
    (one, rows), (other, columns) = first, second
    pairs = one.codes[kept].astype(np.int64) * other.labels + other.codes[kept]
    if one.labels * other.labels <= _DENSE:
        table = exact_bincount(pairs, weights, one.labels * other.labels)
        dense = table.reshape(one.labels, other.labels).astype(np.float64)
        found: Floats = rows.T @ dense @ columns
        return found
    different, which = np.unique(pairs, return_inverse=True)
    counts = exact_bincount(which, weights, different.shape[0])
    total = np.zeros((rows.shape[1], columns.shape[1]))
    for start in range(0, different.shape[0], _CHUNK):
        part = slice(start, start + _CHUNK)
        i, j = np.divmod(different[part], other.labels)
        total += (rows[i] * counts[part, None]).T @ columns[j]
    return total
