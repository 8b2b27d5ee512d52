"""The partitions of one quasi-identifier that a set of recodings chooses from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Flags, Floats
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


@dataclass(frozen=True, kw_only=True, eq=False)
class PartitionBook:
    """Numbered partitions of one ordered domain, with what measures ask about their blocks.

    A recoding is one page number for every quasi-identifier. For full-domain recodings the pages
    are the levels of the hierarchy; for bit strings and admissible partitions they are the
    different partitions that occur. ``block_of[page, leaf]`` is the block of a leaf; blocks are
    numbered in the order of their first leaf. ``leaf_rows`` are the rows of every leaf, ``levels``
    the level of every page if pages are levels.
    """

    block_of: Codes
    leaf_rows: Counts
    levels: Counts | None = None

    def __post_init__(self) -> None:
        # A kernel reads blocks without looking: one out of range would spill into another column.
        leaves = self.leaf_rows.shape[0]
        if self.block_of.ndim != 2 or self.block_of.shape[1] != leaves:
            raise SettingsError(
                f"the partitions have the shape {self.block_of.shape}",
                code="wrong-length",
                found=str(self.block_of.shape),
                expected=f"a row for each partition, with a block for each of the {leaves} leaves",
            )
        if self.block_of.min() < 0 or self.block_of.max() >= leaves:
            span = f"{self.block_of.min()} to {self.block_of.max()}"
            raise SettingsError(
                f"the blocks are numbered from {span}",
                code="out-of-range",
                found=span,
                expected=f"numbers from 0 to {leaves - 1}, at most one block for each leaf",
            )
        self.block_of.flags.writeable = False

    @classmethod
    def of_levels(cls, hierarchy: PartitionedDomain, leaf_rows: Counts) -> PartitionBook:
        """Return the book whose pages are the levels of a hierarchy."""
        return cls(
            block_of=np.stack(hierarchy.levels),
            leaf_rows=leaf_rows,
            levels=np.arange(len(hierarchy.levels)),
        )

    @classmethod
    def of_partitions(cls, partitions: Sequence[Codes], leaf_rows: Counts) -> PartitionBook:
        """Return the book of the given partitions, each a block number for every leaf."""
        return cls(block_of=np.stack(list(partitions)).astype(np.int32), leaf_rows=leaf_rows)

    @property
    def pages(self) -> int:
        """The number of partitions."""
        return int(self.block_of.shape[0])

    @property
    def leaves(self) -> int:
        """The number of leaves of the domain."""
        return int(self.block_of.shape[1])

    def label_of_leaf(self, page: int) -> Codes:
        """Return the block of every leaf."""
        blocks: Codes = self.block_of[page]
        return blocks

    def covered(self, page: int) -> Flags:
        """Return which leaves every block of a page has."""
        return covered_by(self.block_of[page])

    def _by_block(self, leaf_values: Counts) -> Counts:
        pages = np.arange(self.pages)[:, None] * self.leaves
        # Sums in floating point, many times faster than in integers; exact, as they stay below
        # 2^53, the number of rows that no table reaches.
        totals = np.bincount(
            (self.block_of + pages).ravel(),
            weights=np.broadcast_to(leaf_values, self.block_of.shape).ravel(),
            minlength=self.block_of.size,
        )
        return totals.astype(np.int64).reshape(self.block_of.shape)

    @cached_property
    def block_sizes(self) -> Counts:
        """The number of leaves of every block, a row for each page (0 beyond its last block)."""
        return self._by_block(np.ones(self.leaves, dtype=np.int64))

    @property
    def partitions(self) -> Counts:
        """The block sizes of every page: a page is a partition of the domain."""
        return self.block_sizes

    @cached_property
    def block_rows(self) -> Counts:
        """The number of rows of every block, a row for each page (0 beyond its last block)."""
        return self._by_block(self.leaf_rows)

    def bits(self, pages: Counts) -> Floats:
        """Return the bits that every page costs when nothing is suppressed.

        Σ over leaves of rows(leaf) · log2(rows(block) / rows(leaf)); leaves without rows cost
        nothing.
        """
        occurring = np.flatnonzero(self.leaf_rows)
        rows = self.leaf_rows[occurring]
        distinct, which = np.unique(pages, return_inverse=True)
        blocks = self.block_of[distinct][:, occurring].astype(np.intp)
        # A row must be summed in the same order however many there are: contiguous rows are.
        block_rows = np.ascontiguousarray(
            np.take_along_axis(self.block_rows[distinct], blocks, axis=1)
        )
        bits: Floats = (rows * np.log2(block_rows / rows)).sum(axis=1)
        return bits[which]

    @cached_property
    def extents(self) -> Counts:
        """The sum over all rows of |block| - 1, for every page: the numerator of GLM."""
        totals: Counts = ((self.block_sizes - 1) * self.block_rows).sum(axis=1)
        return totals

    def shares(self, leaves: Flags) -> Floats:
        """Return the part of every block that lies in some leaves, a row for each page."""
        inside = self._by_block(leaves.astype(np.int64))
        found: Floats = inside / np.maximum(self.block_sizes, 1)
        return found


def covered_by(blocks: Codes) -> Flags:
    """Return which leaves every block has, from the block of every leaf.

    >>> covered_by(np.array([0, 0, 1], dtype=np.int32)).astype(int).tolist()
    [[1, 1, 0], [0, 0, 1]]
    """
    flags: Flags = np.arange(int(blocks.max()) + 1)[:, np.newaxis] == blocks
    return flags
