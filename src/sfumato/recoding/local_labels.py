"""The labels of the classes of a local recoding: what they cover, and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import Leaves
from sfumato.microdata.output import Output
from sfumato.recoding.local_texts import Cover, cover_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.arrays import Codes, Counts, Flags, Floats
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable
    from sfumato.recoding.local import Local

_BITS = 64
"""Sets of so many leaves are compared as whole numbers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LocalColumn:
    """The labels of one quasi-identifier: which of them every class has.

    ``sizes`` has the number of domain values of every label, and ``rows`` the rows of the table
    whose value it covers. ``kept`` are the leaves of the cells that are kept.
    """

    output: Output
    identifier: CountedQuasiIdentifier
    of_class: Counts
    sizes: Counts
    rows: Counts
    kept: Codes
    _cover: Callable[[int], Cover]
    """The cover of a label."""

    @property
    def name(self) -> str:
        """The name of the quasi-identifier."""
        return self.identifier.name

    @cached_property
    def covers(self) -> tuple[Cover, ...]:
        """What every label covers."""
        return tuple(map(self._cover, range(self.sizes.shape[0])))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every label. Those of different labels differ."""
        return cover_texts(self.covers, self.output, self.identifier, np.unique(self.kept))

    def shares(self, leaves: Flags) -> Floats:
        """Return the part of every label that lies in some leaves of the domain."""
        owner, covered = self._covered
        inside = np.bincount(owner, weights=leaves[covered], minlength=self.sizes.shape[0])
        found: Floats = inside / self.sizes
        return found

    @cached_property
    def _covered(self) -> tuple[Counts, Codes]:
        """All leaves of all labels, each with its label."""
        leaves = [self.leaves(cover) for cover in self.covers]
        owner = np.repeat(np.arange(len(leaves)), [each.shape[0] for each in leaves])
        return owner, np.concatenate(leaves)

    def leaves(self, cover: Cover) -> Codes:
        """Return the leaves that a cover holds."""
        return covered_leaves(cover, self.identifier.hierarchy, self.identifier.minimum_level)


def local_columns(table: CountTable, recoding: Local) -> tuple[LocalColumn, ...]:
    """Return the labels of all classes of a recoding, from the cells that it keeps."""
    recoding.check(table)
    kept = np.flatnonzero(recoding.classes >= 0)
    order = kept[np.argsort(recoding.classes[kept], kind="stable")]
    starts = np.flatnonzero(np.diff(recoding.classes[order], prepend=-1))
    makers = {Output.HIERARCHY: _nodes, Output.INTERVAL: _intervals, Output.SET: _sets}
    return tuple(
        makers[recoding.outputs[identifier.name]](
            table.cell_codes[q][order],
            starts,
            identifier,
            table.marginal(Leaves(identifier.name)),
        )
        for q, identifier in enumerate(table.quasi_identifiers)
    )


def covered_leaves(cover: Cover, hierarchy: PartitionedDomain, minimum_level: int) -> Codes:
    """Return all leaves of the domain that a cover holds."""
    if cover.listed:
        blocks = hierarchy.levels[minimum_level][list(cover.listed)]
        leaves = np.flatnonzero(np.isin(hierarchy.levels[minimum_level], blocks))
    else:
        leaves = np.arange(cover.first, cover.last + 1)
    if cover.missing:
        leaves = np.append(leaves, hierarchy.leaf_count - 1)
    return leaves.astype(np.int32)


def _of_ranges(
    output: Output,
    identifier: CountedQuasiIdentifier,
    marginal: Counts,
    ranges: Sequence[Counts],
    codes: Codes,
) -> LocalColumn:
    """Return the labels of classes that cover ranges: first, last, missing and level of each."""
    leaves, levels = identifier.hierarchy.leaf_count, identifier.hierarchy.height + 2
    first, last, missing, level = ranges
    # One number says it all: sorting numbers is much quicker than sorting rows. Levels begin at -1.
    keys = ((first * leaves + last) * 2 + missing) * levels + level + 1
    different, of_class = np.unique(keys, return_inverse=True)
    rest, level = np.divmod(different, levels)
    rest, missing = np.divmod(rest, 2)
    first, last = np.divmod(rest, leaves)
    level -= 1
    upto = np.concatenate(([0], np.cumsum(marginal)))

    def cover(number: int) -> Cover:
        return Cover(
            int(first[number]),
            int(last[number]),
            bool(missing[number]),
            level=None if level[number] < 0 else int(level[number]),
        )

    return LocalColumn(
        output=output,
        identifier=identifier,
        of_class=of_class.ravel().astype(np.int64),
        sizes=last - first + 1 + missing,
        rows=upto[last + 1] - upto[first] + missing * marginal[-1],
        kept=codes,
        _cover=cover,
    )


def _nodes(
    codes: Codes, starts: Counts, identifier: CountedQuasiIdentifier, marginal: Counts
) -> LocalColumn:
    """Return the lowest nodes of the hierarchy that cover the values of the classes."""
    hierarchy = identifier.hierarchy
    first, last, level_of = (np.full(starts.shape[0], -1, dtype=np.int64) for _ in range(3))
    for level in range(identifier.minimum_level, hierarchy.height + 1):
        blocks = hierarchy.levels[level][codes]
        least, most = np.minimum.reduceat(blocks, starts), np.maximum.reduceat(blocks, starts)
        now = (least == most) & (level_of < 0)
        first[now] = hierarchy.block_starts(level)[least[now]]
        last[now] = first[now] + hierarchy.block_sizes(level)[least[now]] - 1
        level_of[now] = level
    ranges = first, last, np.zeros_like(first), level_of
    return _of_ranges(Output.HIERARCHY, identifier, marginal, ranges, codes)


def _intervals(
    codes: Codes, starts: Counts, identifier: CountedQuasiIdentifier, marginal: Counts
) -> LocalColumn:
    """Return the least and the greatest values of the classes, and whether some are missing."""
    missing_leaf = -1 if identifier.missing_leaf is None else identifier.missing_leaf
    known = codes != missing_leaf
    wide, beyond = codes.astype(np.int64), np.iinfo(np.int64).max
    first = np.minimum.reduceat(np.where(known, wide, beyond), starts)
    last = np.maximum.reduceat(np.where(known, wide, -1), starts)
    missing = np.maximum.reduceat(~known, starts).astype(np.int64)
    nothing = last < 0
    first[nothing] = last[nothing] = missing_leaf
    missing[nothing] = 0
    # A cell has the first leaf of a block of the minimum level.
    level = identifier.minimum_level
    blocks = identifier.hierarchy.levels[level][last]
    last += identifier.hierarchy.block_sizes(level)[blocks] - 1
    ranges = first, last, missing, np.full_like(first, -1)
    return _of_ranges(Output.INTERVAL, identifier, marginal, ranges, codes)


def _sets(
    codes: Codes, starts: Counts, identifier: CountedQuasiIdentifier, marginal: Counts
) -> LocalColumn:
    """Return the sets of values of the classes."""
    hierarchy, least = identifier.hierarchy, identifier.minimum_level
    classes = np.repeat(np.arange(starts.shape[0]), np.diff(np.append(starts, codes.shape[0])))
    pairs = np.unique(classes * np.int64(hierarchy.leaf_count) + codes)
    owner, leaves = np.divmod(pairs, hierarchy.leaf_count)
    begins = np.searchsorted(owner, np.arange(starts.shape[0] + 1))
    of_class, own = _different(leaves, begins, hierarchy.leaf_count)
    block = hierarchy.levels[least]
    of_block = np.bincount(block, weights=marginal).astype(np.int64)
    sizes = np.add.reduceat(hierarchy.block_sizes(least)[block[leaves]], begins[:-1])
    rows = np.add.reduceat(of_block[block[leaves]], begins[:-1])

    def cover(place: int) -> Cover:
        at = own[place]
        listed = tuple(leaves[begins[at] : begins[at + 1]].tolist())
        return Cover(listed[0], listed[-1], listed=listed)

    return LocalColumn(
        output=Output.SET,
        identifier=identifier,
        of_class=of_class,
        sizes=sizes[own],
        rows=rows[own],
        kept=codes,
        _cover=cover,
    )


def _different(leaves: Counts, begins: Counts, leaf_count: int) -> tuple[Counts, Counts]:
    """Return a number for every set of leaves, the same for equal sets, and one of each number."""
    if leaf_count <= _BITS:
        words = np.bitwise_or.reduceat(np.uint64(1) << leaves.astype(np.uint64), begins[:-1])
        _, own, number = np.unique(words, return_index=True, return_inverse=True)
        return number.astype(np.int64), own.astype(np.int64)
    seen: dict[bytes, int] = {}
    content, width = leaves.astype(np.int32).tobytes(), np.dtype(np.int32).itemsize
    ends = (begins * width).tolist()
    of_class = [seen.setdefault(content[begin:end], len(seen)) for begin, end in pairwise(ends)]
    return np.array(of_class, dtype=np.int64), np.unique(of_class, return_index=True)[1]
