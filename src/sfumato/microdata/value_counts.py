"""Counts of carried values by group, kept sparse: only values that occur take room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueCounts:
    """For every group the values that occur in it, ascending, with their counts.

    Group ``g`` owns the entries from ``starts[g]`` to ``starts[g + 1]``. Several columns can
    share one `ValueCounts`: ``spans`` says which range of value codes belongs to which.
    """

    starts: Counts
    values: Codes
    counts: Counts
    spans: Mapping[Hashable, tuple[int, int]]

    @property
    def width(self) -> int:
        """The number of value codes over all columns."""
        return max((end for _, end in self.spans.values()), default=0)

    @classmethod
    def gather(
        cls,
        parts: Sequence[tuple[Counts, Counts, Counts]],
        *,
        spans: Mapping[Hashable, tuple[int, int]],
        groups: int,
    ) -> ValueCounts:
        """Build from unordered (group, value, count) triples; equal pairs are added up."""
        width = max((end for _, end in spans.values()), default=0)
        if not parts:
            return cls(
                starts=np.zeros(groups + 1, dtype=np.int64),
                values=np.zeros(0, dtype=np.int32),
                counts=np.zeros(0, dtype=np.int64),
                spans=dict(spans),
            )
        group = np.concatenate([part[0] for part in parts])
        value = np.concatenate([part[1] for part in parts])
        count = np.concatenate([part[2] for part in parts])
        # Groups and values are both positions of arrays that fit in memory, so that their
        # combination stays far below 2**63.
        combined = group * np.int64(width) + value
        order = np.argsort(combined, kind="stable")
        combined, count = combined[order], count[order]
        first = np.flatnonzero(np.concatenate(([True], combined[1:] != combined[:-1])))
        totals = np.add.reduceat(count, first)
        combined = combined[first]
        starts = np.searchsorted(combined, np.arange(groups + 1) * np.int64(width))
        return cls(
            starts=starts.astype(np.int64),
            values=(combined % width).astype(np.int32),
            counts=totals.astype(np.int64),
            spans=dict(spans),
        )

    def without(self, code: int) -> ValueCounts:
        """Return the counts of one column without a value, except where nothing else is.

        So no group is empty that had something; `only` tells where the value is alone.

        >>> starts, values = np.array([0, 2, 3]), np.array([0, 1, 1], dtype=np.int32)
        >>> counts = np.array([2, 3, 4])
        >>> of = ValueCounts(starts=starts, values=values, counts=counts, spans={"a": (0, 2)})
        >>> of.without(1).counts.tolist(), of.only(1).tolist()
        ([2, 4], [False, True])
        """
        alone = np.repeat(self.only(code), np.diff(self.starts))
        inside = (self.values != code) | alone
        before = np.concatenate(([0], np.cumsum(inside)))
        return ValueCounts(
            starts=before[self.starts],
            values=self.values[inside],
            counts=self.counts[inside],
            spans=self.spans,
        )

    def only(self, code: int) -> Flags:
        """Say of every group whether a value is the only one in it."""
        first = np.minimum(self.starts[:-1], max(0, self.values.shape[0] - 1))
        single: Flags = np.diff(self.starts) == 1
        return single & (self.values[first] == code) if self.values.size else single

    @classmethod
    def of_groups(cls, counts: Counts) -> ValueCounts:
        """Return groups in which there is nothing to tell apart: one value each."""
        groups = counts.shape[0]
        return cls(
            starts=np.arange(groups + 1, dtype=np.int64),
            values=np.zeros(groups, dtype=np.int32),
            counts=counts,
            spans={None: (0, 1)},
        )

    def column(self, name: Hashable) -> ValueCounts:
        """Return the counts of one column alone, its value codes starting at zero."""
        low, high = self.spans[name]
        if len(self.spans) == 1:
            return self
        inside = (self.values >= low) & (self.values < high)
        before = np.concatenate(([0], np.cumsum(inside)))
        return ValueCounts(
            starts=before[self.starts],
            values=(self.values[inside] - np.int32(low)).astype(np.int32),
            counts=self.counts[inside],
            spans={name: (0, high - low)},
        )
