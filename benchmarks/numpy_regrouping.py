"""The baseline of the searches: one recoding measured by grouping the count table with NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts
    from sfumato.microdata.count_table import CountTable


def regroup(table: CountTable, levels: tuple[int, ...], budget: int) -> tuple[int, float, int]:
    """Return k, loss and distinct ℓ of a node, as one would write it with `numpy.unique`."""
    key = np.zeros(table.cells, dtype=np.int64)
    radices = []
    for q, (hierarchy, level) in enumerate(zip(table.hierarchies, levels, strict=True)):
        radices.append(hierarchy.block_count(level))
        key = key * radices[-1] + hierarchy.levels[level][table.cell_codes[q]]
    uniques, classes = np.unique(key, return_inverse=True)
    sizes = np.bincount(classes, weights=table.cell_sizes).astype(np.int64)

    values = len(table.sensitive[0].values)
    entry_class = np.repeat(classes, np.diff(table.entry_starts))
    pairs = np.unique(entry_class * values + table.entry_codes[0])
    distinct = np.bincount(pairs // values)

    ascending = np.sort(sizes)
    total = np.cumsum(ascending)
    k = int(ascending[min(int(np.searchsorted(total, budget, side="right")), len(total) - 1)])
    kept = sizes >= k
    suppressed = int(sizes[~kept].sum())
    loss = float(len(levels) * suppressed)
    for q in range(len(levels) - 1, -1, -1):
        hierarchy = table.hierarchies[q]
        extents = hierarchy.block_sizes(levels[q])[uniques % radices[q]] - 1
        loss += float((sizes * extents)[kept].sum()) / max(1, hierarchy.leaf_count - 1)
        uniques = uniques // radices[q]
    return k, loss, int(distinct[kept].min())


def group_blocks(
    codes: Sequence[Counts], sizes: Counts, block_of: Sequence[Counts], budget: int
) -> tuple[int, float]:
    """Return k and loss of a recoding, given the block of every leaf of every quasi-identifier.

    ``codes`` and ``sizes`` are those of rows, each of size 1, or of the cells of a count table.
    """
    key = np.zeros(sizes.shape[0], dtype=np.int64)
    radices = [int(blocks[-1]) + 1 for blocks in block_of]
    for q, blocks in enumerate(block_of):
        key = key * radices[q] + blocks[codes[q]]
    uniques, classes = np.unique(key, return_inverse=True)
    rows = np.bincount(classes, weights=sizes).astype(np.int64)
    ascending = np.sort(rows)
    total = np.cumsum(ascending)
    k = int(ascending[min(int(np.searchsorted(total, budget, side="right")), len(total) - 1)])
    kept = rows >= k
    loss = float(len(block_of) * int(rows[~kept].sum()))
    for q in range(len(block_of) - 1, -1, -1):
        extents = np.bincount(block_of[q])[uniques % radices[q]] - 1
        loss += float((rows * extents)[kept].sum()) / max(1, len(block_of[q]) - 1)
        uniques = uniques // radices[q]
    return k, loss
