"""The baseline of the sweep: one node measured by regrouping the count table with NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.data.count_table import CountTable


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
