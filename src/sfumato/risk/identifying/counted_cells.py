"""Cells of some columns with their rows: what identifying combinations are found in."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.engines.messages.grouped_counts import GroupedCounts
    from sfumato.microdata.count_table import CountTable

MOST_SUBSETS = 200_000
"""More combinations of columns are not looked at: the largest subset must be smaller."""


class CountedSubset(NamedTuple):
    """What grouping by some columns gives: combinations, Σ rows², and which cells are unique."""

    columns: tuple[int, ...]
    distinct: int
    squares: float
    unique: Flags


class SubsetTally(NamedTuple):
    """The same without flags: how many rows are unique."""

    columns: tuple[int, ...]
    distinct: int
    squares: float
    unique: int


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedCells:
    """Distinct combinations of the values of columns, with the rows of each.

    ``codes`` has a row for each column. No value is here, and nothing tells one row from another.
    """

    names: tuple[str, ...]
    codes: Codes
    sizes: Counts

    @classmethod
    def of_table(cls, table: CountTable) -> CountedCells:
        """Return the cells of a count table: its quasi-identifiers."""
        return cls(names=table.names, codes=table.cell_codes, sizes=table.cell_sizes)

    @classmethod
    def of_grouped(cls, grouped: GroupedCounts) -> CountedCells:
        """Return what an engine counted, by all its columns."""
        codes = np.stack([column.codes for column in grouped.columns.values()])
        return cls(names=tuple(grouped.columns), codes=codes, sizes=grouped.counts)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.sizes.sum())

    def check_largest(self, largest: int) -> int:
        """Refuse a size of subsets that no table of these columns has, or that has too many."""
        if not largest >= 1:
            raise SettingsError(
                code="out-of-range",
                key="largest",
                found=str(largest),
                expected=f"a number of columns from 1 to {len(self.names)}",
            )
        largest = min(largest, len(self.names))
        if (
            sum(1 for _ in itertools.islice(self._subsets(largest), MOST_SUBSETS + 1))
            > MOST_SUBSETS
        ):
            raise SettingsError(
                f"{len(self.names)} columns have more than {MOST_SUBSETS:,} combinations of up to "
                f"{largest}",
                code="too-many",
                key="largest",
                found=str(largest),
                remedy="name fewer columns, or choose a smaller size of combinations",
            )
        return largest

    def _subsets(self, largest: int) -> Iterator[tuple[int, ...]]:
        for size in range(1, largest + 1):
            yield from itertools.combinations(range(len(self.names)), size)

    def subsets(self, largest: int, *, threads: int | None = None) -> Iterator[CountedSubset]:
        """Count every combination of up to so many columns, the smallest first, in order."""
        chosen = self._subsets(self.check_largest(largest))
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            # Some at a time: every result has a flag for each cell.
            while batch := list(itertools.islice(chosen, 64)):
                yield from pool.map(self.count, batch)

    def tallies(self, largest: int, *, threads: int | None = None) -> Iterator[SubsetTally]:
        """Return what `subsets` does without the flags, which takes a third of the time.

        Combinations that differ in their last column share the packed code of the others.
        """
        largest = self.check_largest(largest)
        every = range(len(self.names))
        prefixes = (
            prefix for size in range(largest) for prefix in itertools.combinations(every, size)
        )
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            while batch := list(itertools.islice(prefixes, 64)):
                for found in pool.map(self._extended, batch):
                    yield from found

    def _extended(self, prefix: tuple[int, ...]) -> list[SubsetTally]:
        """Count a prefix with each of the columns after it."""
        from sfumato.risk.identifying.kernels import count_extensions

        last = np.arange(prefix[-1] + 1 if prefix else 0, len(self.names))
        if not last.shape[0]:
            return []
        packed = np.zeros(self.sizes.shape[0], dtype=np.int64)
        reach = 1
        for column in prefix:
            packed, reach = self._packed(packed, reach, column, room=2**62)
        if reach * int(self._widths.max()) >= 2**62:
            packed = np.unique(packed, return_inverse=True)[1].astype(np.int64)
            reach = int(packed.max()) + 1
        found = np.zeros((last.shape[0], 2), dtype=np.int64)
        squares = np.zeros(last.shape[0])
        count_extensions(
            packed, float(reach), self._codes, self._widths, last, self._sizes, found, squares
        )
        return [
            SubsetTally((*prefix, int(column)), int(distinct), float(square), int(unique))
            for column, (distinct, unique), square in zip(last, found, squares, strict=True)
        ]

    def _packed(self, packed: Counts, reach: int, column: int, *, room: int) -> tuple[Counts, int]:
        """Return a packed code with one more column, ranked again where it would not fit."""
        width = int(self._widths[column])
        if reach * width >= room:
            packed = np.unique(packed, return_inverse=True)[1].astype(np.int64)
            reach = int(packed.max()) + 1
        wider: Counts = packed * width + self.codes[column]
        return wider, reach * width

    @cached_property
    def _widths(self) -> Counts:
        widths: Counts = self.codes.max(axis=1).astype(np.int64) + 1
        return widths

    @cached_property
    def _codes(self) -> Codes:
        # Numba compiles once for arrays that may be written to.
        return np.array(self.codes, dtype=np.int32, order="C")

    @cached_property
    def _sizes(self) -> Counts:
        return np.array(self.sizes, dtype=np.int64)

    def count(self, columns: Sequence[int]) -> CountedSubset:
        """Count the combinations of some columns."""
        from sfumato.risk.identifying.kernels import count_combinations

        packed = np.zeros(self.sizes.shape[0], dtype=np.int64)
        reach = 1
        for column in columns:
            packed, reach = self._packed(packed, reach, column, room=2**62)
        unique: Flags = np.empty(self.sizes.shape[0], dtype=np.bool_)
        distinct, squares = count_combinations(packed, float(reach), self._sizes, unique)
        return CountedSubset(tuple(columns), int(distinct), float(squares), unique)
