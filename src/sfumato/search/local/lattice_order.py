"""The nodes of the lattice in the order in which peeling visits them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.microdata.count_table import Leaves
from sfumato.search.local.cell_arrays import columns_by_cost

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.microdata.count_table import CountTable

MOST_NODES = 2_000_000
"""How many nodes are put in order; of a greater lattice, those of every other level of the columns
with most levels."""


class LatticeOrder(NamedTuple):
    """Nodes by rising mean loss, with columns by falling cost, and the blocks of every level.

    ``blocks[q, level, leaf]`` is a block, and ``counts[q, level]`` the number of blocks.
    """

    nodes: Counts
    blocks: Counts
    counts: Counts

    def thinned(self, step: int) -> LatticeOrder:
        """Return every so many nodes of them, the first and the last one included."""
        chosen = np.unique(np.append(np.arange(0, len(self.nodes), step), len(self.nodes) - 1))
        return self._replace(nodes=np.ascontiguousarray(self.nodes[chosen]))


def lattice_order(table: CountTable) -> LatticeOrder:
    """Return the nodes of a table's lattice by rising mean loss of its rows."""
    identifiers = [table.quasi_identifiers[q] for q in columns_by_cost(table)]
    heights = [each.hierarchy.height + 1 for each in identifiers]
    leaves = max(each.hierarchy.leaf_count for each in identifiers)
    blocks = np.zeros((len(identifiers), max(heights), leaves), dtype=np.int64)
    counts = np.ones((len(identifiers), max(heights)), dtype=np.int64)
    chosen: list[list[int]] = []
    losses = []
    for q, each in enumerate(identifiers):
        hierarchy = each.hierarchy
        marginal = table.marginal(Leaves(each.name))
        of_level = np.zeros(heights[q])
        for level, codes in enumerate(hierarchy.levels):
            blocks[q, level, : hierarchy.leaf_count] = codes
            counts[q, level] = hierarchy.block_count(level)
            extents = hierarchy.block_sizes(level)[codes] - 1
            cost = each.weight / max(1, hierarchy.leaf_count - 1) / table.rows
            of_level[level] = cost * float((extents * marginal).sum())
        chosen.append(list(range(each.minimum_level, heights[q])))
        losses.append(of_level)
    while np.prod([float(len(levels)) for levels in chosen]) > MOST_NODES:
        longest = max(chosen, key=len)
        longest[:] = [*longest[:-1:2], longest[-1]]
    nodes = np.array(list(itertools.product(*chosen)), dtype=np.int64)
    total = sum(of_level[nodes[:, q]] for q, of_level in enumerate(losses))
    return LatticeOrder(
        nodes=np.ascontiguousarray(nodes[np.argsort(total, kind="stable")]),
        blocks=blocks,
        counts=counts,
    )
