"""A table and its space of partitions as arrays, for the kernels of column bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.recoding.partition_space import PartitionColumn
    from sfumato.search.problem import Problem

LOSS, DM, CM = 0, 1, 2
MEASURES = {"loss": LOSS, "dm": DM, "cm": CM}
"""The measures that the kernels know, by name."""


class CutArrays(NamedTuple):
    """Cells with their values, and the blocks that every column may have.

    ``leaves[q, cell]`` is the value in column q, a block of its minimum level. A block is the
    values from ``block_firsts`` to before ``block_ends``; the blocks of a column are neighbours,
    ordered by their ends, and in ``by_first`` by falling first values. A block costs a row
    ``ends[q, end] - ends[q, first] - ones[q]``. ``top`` is what a suppressed row costs. ``labels``
    counts the class labels of every cell, where they are needed.
    """

    leaves: Counts
    sizes: Counts
    labels: Floats
    lengths: Counts
    bit_starts: Counts
    block_starts: Counts
    block_firsts: Counts
    block_ends: Counts
    by_first: Counts
    ends: Floats
    ones: Floats
    top: float


def cut_arrays(problem: Problem, measure: int) -> CutArrays:
    """Return the arrays of a problem in the space of partitions."""
    table, columns = problem.table, problem.partitions.columns
    lengths = np.array([column.bits + 1 for column in columns], dtype=np.int64)
    blocks = [_blocks(column) for column in columns]
    firsts, ends = np.concatenate(blocks, axis=1)
    starts = np.cumsum([0, *(each.shape[1] for each in blocks)])
    by_first = np.concatenate(
        [
            start + np.argsort(-each[0], kind="stable")
            for start, each in zip(starts[:-1], blocks, strict=True)
        ]
    )
    places = np.zeros((len(columns), int(lengths.max()) + 1), dtype=np.float64)
    ones = np.zeros(len(columns), dtype=np.float64)
    leaves: Counts = np.empty(table.cell_codes.shape, dtype=np.int64)
    weights = [each.weight for each in table.quasi_identifiers]
    for q, (column, weight) in enumerate(zip(columns, weights, strict=True)):
        hierarchy, level = column.hierarchy, column.minimum_level
        leaves[q] = hierarchy.levels[level][table.cell_codes[q]]
        if hierarchy.leaf_count > 1:
            ones[q] = weight / (hierarchy.leaf_count - 1)
        block_starts = [*hierarchy.block_starts(level).tolist(), hierarchy.leaf_count]
        places[q, : len(block_starts)] = np.array(block_starts) * ones[q]
    rows = float(table.rows)
    return CutArrays(
        leaves=leaves,
        sizes=table.cell_sizes.astype(np.int64),
        labels=_labels(problem) if measure == CM else np.zeros((1, 1)),
        lengths=lengths,
        bit_starts=np.array([column.start for column in columns], dtype=np.int64),
        block_starts=starts.astype(np.int64),
        block_firsts=firsts,
        block_ends=ends,
        by_first=by_first.astype(np.int64),
        ends=places,
        ones=ones,
        top={LOSS: float(sum(weights)), DM: rows, CM: 1.0}[measure],
    )


def _blocks(column: PartitionColumn) -> Counts:
    """Return the first values and the ends of all blocks that a column may have, by their ends."""
    length = column.bits + 1
    if column.constrained:
        found = {(value, value + 1) for value in range(length)}
        found |= {(node.first, node.last + 1) for node in column.tree.nodes}
        pairs = np.array(sorted(found, key=lambda block: block[::-1]), dtype=np.int64)
        return np.ascontiguousarray(pairs.T)
    ends = np.repeat(np.arange(1, length + 1), np.arange(1, length + 1))
    firsts = np.arange(len(ends)) - (ends - 1) * ends // 2
    return np.stack([firsts, ends]).astype(np.int64)


def _labels(problem: Problem) -> Floats:
    """Return how many rows of every cell have every class label."""
    table = problem.table
    assert table.label is not None, "the measure has checked that there is a label"
    counts: Floats = np.zeros((table.cells, len(table.label.values)), dtype=np.float64)
    codes = table.entry_codes_of(table.label.name)
    np.add.at(counts, (table.cell_of_entry, codes), table.entry_counts)
    return counts
