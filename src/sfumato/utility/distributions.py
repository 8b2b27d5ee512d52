"""Distributions of columns before and after: how far they are apart, and means and quantiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.microdata.count_table import exact_bincount
from sfumato.utility.bins import bins_of
from sfumato.utility.value_numbers import ValueKind

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.utility.analysed_table import AnalysedColumn
    from sfumato.utility.released_table import ReleasedColumn, ReleasedTable

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


class Statistic(Record):
    """A mean or a quantile: of the originals, and by the middles of the labels that are released.

    That of the released rows' originals lies between ``low`` and ``high``, which are computed from
    the least and the greatest value under every label.
    """

    name: str = Field(description="mean, or the share of rows below: 0.5 is the median.")
    before: float = Field(description="Of the originals.")
    after: float = Field(description="By the middles of the released labels.")
    low: float = Field(description="By the least values under the labels.")
    high: float = Field(description="By the greatest values under the labels.")


class ColumnPicture(Record):
    """A column before and after.

    Distances are between the distributions over the values of the domain, rows spread evenly over
    the values of their label; the shares are those of bins. Dates count days since 0001-01-01.
    """

    name: str = Field(description="The column.")
    kind: ValueKind = Field(description="What its values are.")
    recoded: bool = Field(description="Whether it is a quasi-identifier.")
    total_variation: float = Field(description="½ Σ |before − after| over the values, 0 to 1.")
    jensen_shannon: float = Field(description="The Jensen-Shannon divergence in bits, 0 to 1.")
    bins: tuple[str, ...] = Field(description="What the bins are called.")
    before: tuple[float, ...] = Field(description="The share of the originals in every bin.")
    after: tuple[float, ...] = Field(description="The share of the released rows in every bin.")
    statistics: tuple[Statistic, ...] = Field(
        default=(), description="The mean and quantiles, of numbers and dates."
    )


def total_variation(before: Floats, after: Floats) -> float:
    """Return ½ Σ |p − q| of two distributions.

    >>> total_variation(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    0.5
    """
    return float(np.abs(before - after).sum() / 2)


def jensen_shannon(before: Floats, after: Floats) -> float:
    """Return the Jensen-Shannon divergence of two distributions in bits (Lin 1991).

    It is H((p + q) / 2) − (H(p) + H(q)) / 2: 0 for equal ones, 1 for those that share nothing.

    >>> jensen_shannon(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    middle = (before + after) / 2
    found = _entropy(middle) - (_entropy(before) + _entropy(after)) / 2
    return float(min(1.0, max(0.0, found)))


def _entropy(shares: Floats) -> float:
    known = shares[shares > 0]
    return float(-(known * np.log2(known)).sum())


def shares_of(counts: Floats | Counts) -> Floats:
    """Return counts as shares of their sum; nothing but zeros of nothing."""
    total = counts.sum()
    found: Floats = counts / total if total else np.zeros(counts.shape, dtype=np.float64)
    return found


def column_pictures(released: ReleasedTable) -> tuple[ColumnPicture, ...]:
    """Return all columns before and after."""
    original = released.original
    return tuple(
        _picture(column, shown, original.counts, released.counts)
        for column, shown in zip(original.columns, released.columns, strict=True)
    )


def _picture(
    column: AnalysedColumn, shown: ReleasedColumn, counts: Counts, kept: Counts
) -> ColumnPicture:
    leaves = len(column.leaves)
    rows = exact_bincount(column.codes, counts, leaves)
    before = shares_of(rows)
    by_label = exact_bincount(shown.codes, kept, shown.labels)
    after = shares_of(shown.spread(by_label.astype(np.float64), leaves))
    bins = bins_of(column, rows)
    return ColumnPicture(
        name=column.name,
        kind=column.kind,
        recoded=column.recoded,
        total_variation=total_variation(before, after),
        jensen_shannon=jensen_shannon(before, after),
        bins=bins.names,
        before=_binned(before, bins.of_leaf, bins.count),
        after=_binned(after, bins.of_leaf, bins.count),
        statistics=_statistics(column, shown, counts, by_label),
    )


def _binned(shares: Floats, of_leaf: Codes, bins: int) -> tuple[float, ...]:
    return tuple(np.bincount(of_leaf, weights=shares, minlength=bins).tolist())


def _statistics(
    column: AnalysedColumn, shown: ReleasedColumn, counts: Counts, by_label: Counts
) -> tuple[Statistic, ...]:
    """Return the mean and the quantiles; none for categories, or where no value is known."""
    if column.kind is ValueKind.CATEGORY or column.value_numbers is None:
        return ()
    rows = exact_bincount(column.value_codes, counts, len(column.texts))
    ends = (shown.middle, shown.low, shown.high)
    found = []
    for name in ("mean", *QUANTILES):
        values = [_statistic(name, column.value_numbers, rows)]
        values += [_statistic(name, each, by_label) for each in ends if each is not None]
        if None in values:
            return ()
        before, after, low, high = (value for value in values if value is not None)
        found.append(Statistic(name=str(name), before=before, after=after, low=low, high=high))
    return tuple(found)


def _statistic(name: str | float, numbers: Floats, rows: Counts) -> float | None:
    """Return the mean of weighted numbers, or the least one that a share of them reaches."""
    known = ~np.isnan(numbers) & (rows > 0)
    if not known.any():
        return None
    values, weights = numbers[known], rows[known]
    if isinstance(name, str):
        return float((values * weights).sum() / weights.sum())
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    place = int(np.searchsorted(reached, name * reached[-1] * (1 - 1e-12)))
    return float(values[order[place]])
