"""A property of all rows of classes, sorted by its value: what measures of bias look at.

Quantiles, the worst tenth and the Gini coefficient are functions of how many rows have which
value (Comparison §2: k is about the worst off only, and hides how the others fare). The suppressed
rows are a class of their own, as in every measure of all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.unit_values import size_of, unit_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes

_CLASSES_AT_ONCE = 2_000_000
_ROOM = 2**62


@dataclass(frozen=True, kw_only=True, eq=False)
class RowValues:
    """The values that occur in each of several classes, ascending, with their rows.

    Candidate ``c`` owns the entries from ``starts[c]`` on; a value occurs once in it, so that
    results do not depend on how its classes were reached. Every candidate has ``total`` rows.
    """

    starts: Counts
    values: Counts | Floats
    rows: Counts
    total: int

    @classmethod
    def gather(
        cls, candidate: Counts, values: Counts | Floats, rows: Counts, *, total: int
    ) -> RowValues:
        """Sort and merge (candidate, value, rows) triples."""
        order = np.lexsort((values, candidate))
        candidate, values, rows = candidate[order], values[order], rows[order]
        differs = (candidate[1:] != candidate[:-1]) | (values[1:] != values[:-1])
        first = np.flatnonzero(np.concatenate(([True], differs)))
        candidate = candidate[first]
        new = np.concatenate(([True], candidate[1:] != candidate[:-1]))
        return cls(
            starts=np.flatnonzero(new),
            values=values[first],
            rows=np.add.reduceat(rows, first),
            total=total,
        )

    @cached_property
    def below(self) -> Counts:
        """How many rows of the same candidate have a lesser value, for every entry."""
        before = np.cumsum(self.rows) - self.rows
        ends = np.append(self.starts[1:], self.rows.shape[0])
        behind: Counts = before - np.repeat(before[self.starts], ends - self.starts)
        return behind

    def _sum(self, by_entry: Counts | Floats) -> Counts | Floats:
        sums: Counts | Floats = np.add.reduceat(by_entry, self.starts)
        return sums

    def quantile(self, rank: int) -> Counts | Floats:
        """Return the value of the row of a rank, counted from 1, the least first."""
        here = (self.below < rank) & (self.below + self.rows >= rank)
        found: Counts | Floats = self.values[here]
        return found

    def mean_of_least(self, count: int) -> Floats:
        """Return the mean over the ``count`` rows with the least values."""
        taken = np.clip(count - self.below, 0, self.rows)
        return np.asarray(self._sum(self.values * taken) / count, dtype=np.float64)

    def mean_of_greatest(self, count: int) -> Floats:
        """Return the mean over the ``count`` rows with the greatest values."""
        above = self.total - self.below - self.rows
        taken = np.clip(count - above, 0, self.rows)
        return np.asarray(self._sum(self.values * taken) / count, dtype=np.float64)

    def gini(self) -> Floats:
        """Return Σ over pairs of rows of |x - y| / (N · Σ x), 0 where all values are 0."""
        values = self.values
        if np.issubdtype(values.dtype, np.integer) and self.total**3 >= _ROOM:
            values = values.astype(np.float64)
        # In pairs of rows a value counts as often as rows are below it, less those above it.
        weights = self.rows * (2 * self.below + self.rows - self.total)
        apart, whole = self._sum(values * weights), self._sum(values * self.rows)
        scale = self.total * np.where(whole == 0, 1, whole)
        return np.asarray(apart / scale, dtype=np.float64)


def row_values(
    classes: Classes, by_class: Counts | Floats, suppressed: Counts | Floats
) -> Iterator[RowValues]:
    """Yield the rows of all candidates, some at a time, so that memory stays bounded.

    ``by_class`` is the value of every class of the batch, ``suppressed`` that of the suppressed
    rows of every candidate.
    """
    batch = classes.batch
    lengths = batch.class_counts[classes.recoding]
    chunk = np.cumsum(lengths) // _CLASSES_AT_ONCE
    firsts = np.flatnonzero(np.concatenate(([True], chunk[1:] != chunk[:-1])))
    for low, high in zip(firsts, [*firsts[1:], classes.count], strict=True):
        number = np.arange(high - low)
        which = np.repeat(number, lengths[low:high])
        starts = np.concatenate(([0], np.cumsum(lengths[low:high])[:-1]))
        own = np.arange(which.shape[0])
        own += (batch.offsets[classes.recoding[low:high]] - starts)[which]
        kept = classes.keeps(which + low, own)
        own, which = own[kept], which[kept]
        gone = classes.suppressed_rows[low:high]
        some = gone > 0
        yield RowValues.gather(
            np.concatenate((which, number[some])),
            _joined(by_class[own], suppressed[low:high][some]),
            np.concatenate((batch.sizes[own], gone[some])),
            total=classes.table.rows,
        )


def size_values(classes: Classes, *, least: int = 0) -> Iterator[RowValues]:
    """Yield the sizes of everybody's class, in people or rows, none of them below ``least``.

    The suppressed rows of a candidate are one class.
    """
    if classes.table.people is None:
        yield from row_values(classes, np.maximum(classes.sizes, least), classes.suppressed_rows)
        return
    for found in unit_values(classes, None, size_of, greatest=False):
        yield RowValues.gather(
            found.candidates,
            np.maximum(found.values, least),
            found.units,
            total=classes.table.units,
        )


def _joined(first: Counts | Floats, second: Counts | Floats) -> Counts | Floats:
    if np.issubdtype(first.dtype, np.integer):
        return np.concatenate((first, second), dtype=np.int64)
    return np.concatenate((first, second), dtype=np.float64)
