"""Cells of some columns with their rows: what identifying combinations are found in."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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
        if not 1 <= largest:
            raise SettingsError(
                code="out-of-range",
                key="largest",
                found=str(largest),
                expected=f"a number of columns from 1 to {len(self.names)}",
            )
        largest = min(largest, len(self.names))
        if sum(1 for _ in itertools.islice(self._subsets(largest), MOST_SUBSETS + 1)) > MOST_SUBSETS:
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

    def subsets(
        self, largest: int, *, threads: int | None = None
    ) -> Iterator[CountedSubset]:
        """Count every combination of up to so many columns, the smallest first, in order."""
        chosen = self._subsets(self.check_largest(largest))
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            # Some at a time: every result has a flag for each cell.
            while batch := list(itertools.islice(chosen, 64)):
                yield from pool.map(self.count, batch)

    def count(self, columns: Sequence[int]) -> CountedSubset:
        """Count the combinations of some columns."""
        from sfumato.risk.identifying.kernels import count_combinations

        widths = self.codes.max(axis=1).astype(np.int64) + 1
        unique: Flags = np.empty(self.sizes.shape[0], dtype=np.bool_)
        codes, sizes = self.codes, self.sizes
        order = np.array(columns, dtype=np.int64)
        if np.prod(widths[order].astype(np.float64)) >= 2.0**63:
            codes, widths = _ranked(codes, order)
            order = np.arange(codes.shape[0])
        distinct, squares = count_combinations(
            np.ascontiguousarray(codes, dtype=np.int32), widths, order, sizes, unique
        )
        return CountedSubset(tuple(columns), int(distinct), float(squares), unique)


def _ranked(codes: Codes, columns: Counts) -> tuple[Codes, Counts]:
    """Return columns whose product of widths fits 63 bits: neighbours are packed and ranked."""
    packed = codes[columns[0]].astype(np.int64)
    reach = int(packed.max()) + 1
    for column in columns[1:]:
        width = int(codes[column].max()) + 1
        if reach * width >= 2**62:
            packed = np.unique(packed, return_inverse=True)[1].astype(np.int64)
            reach = int(packed.max()) + 1
        packed = packed * width + codes[column]
        reach *= width
    ranked = np.unique(packed, return_inverse=True)[1].astype(np.int32)
    return ranked[np.newaxis, :], np.array([int(ranked.max()) + 1], dtype=np.int64)
