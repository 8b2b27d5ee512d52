"""The cells of a table as the kernels of local recoding read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.microdata.output import Output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sfumato.arrays import Counts, Floats
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable

    Records = NDArray[np.void]

NODE, INTERVAL, VALUES = range(3)
"""What a label is to the kernels."""

_KINDS = {Output.HIERARCHY: NODE, Output.INTERVAL: INTERVAL, Output.SET: VALUES}
_INTERVAL_WORDS = 3


COLUMN = np.dtype(
    [
        ("kind", np.int64),
        ("cost", np.float64),
        ("word", np.int64),
        ("word_end", np.int64),
        ("leaf", np.int64),
        ("missing", np.int64),
        ("plain", np.int64),
    ]
)
"""A column: its kind, what one more domain value in a label costs a row, the words of its labels,
its first leaf, the code of missing values (-1 without), and whether leaves are single values."""
LEAF = np.dtype([("node", np.int64), ("width", np.int64)])
"""A leaf: its node, and how many domain values it stands for."""
NODE_OF_TREE = np.dtype([("parent", np.int64), ("level", np.int64), ("extent", np.int64)])
"""A node: its parent (-1 without), its level, and its number of domain values less one."""


class CellArrays(NamedTuple):
    """Cells, their sizes, and what their labels cost.

    ``codes[c, q]`` is the leaf of cell ``c`` in column ``q``; columns are in the order of falling
    cost. ``sizes[c]`` are its rows, or its people where there is a person key: then kernels weigh
    people, and who is in several cells of a class is counted in each. The label of a class is a
    row of words: the number of a node; the first and the last leaf of an interval and whether
    values are missing; or a bit for every leaf. A class costs what its rows lose. If a search is
    steered by other objectives, a class of n rows that lose l each costs
    n · (l + ``steering[0]`` · l² + ``steering[1]`` · n).
    """

    codes: Counts
    sizes: Counts
    columns: Records
    leaves: Records
    nodes: Records
    steering: Floats


def columns_by_cost(table: CountTable) -> list[int]:
    """Return the quasi-identifiers by what one more domain value in a label costs, falling."""
    costs = [_cost(each) for each in table.quasi_identifiers]
    return sorted(range(len(costs)), key=lambda q: -costs[q])


def _cost(identifier: CountedQuasiIdentifier) -> float:
    return identifier.weight / max(1, identifier.hierarchy.leaf_count - 1)


def cell_arrays(table: CountTable, outputs: Mapping[str, Output]) -> CellArrays:
    """Return the cells of a table, with labels of the given kind for every column."""
    order = columns_by_cost(table)
    columns = np.zeros(len(order), dtype=COLUMN)
    leaves: list[Records] = []
    nodes: list[Records] = []
    word = leaf = node = 0
    for place, q in enumerate(order):
        identifier = table.quasi_identifiers[q]
        hierarchy, least = identifier.hierarchy, identifier.minimum_level
        count = hierarchy.leaf_count
        kind = _KINDS[outputs[identifier.name]]
        length = {NODE: 1, INTERVAL: _INTERVAL_WORDS, VALUES: -(-count // 64)}[kind]
        missing = -1 if identifier.missing_leaf is None else identifier.missing_leaf
        columns[place] = (kind, _cost(identifier), word, word + length, leaf, missing, least == 0)
        of_leaf = np.zeros(count, dtype=LEAF)
        of_leaf["node"] = node + hierarchy.levels[least]
        of_leaf["width"][hierarchy.block_starts(least)] = hierarchy.block_sizes(least)
        leaves.append(of_leaf)
        for level in range(least, hierarchy.height + 1):
            sizes = hierarchy.block_sizes(level)
            of_level = np.zeros(sizes.shape[0], dtype=NODE_OF_TREE)
            above = node + sizes.shape[0]
            top = level == hierarchy.height
            of_level["parent"] = -1 if top else above + hierarchy.between(level, level + 1)
            of_level["level"], of_level["extent"] = level, sizes - 1
            nodes.append(of_level)
            node = above
        word, leaf = word + length, leaf + count
    return CellArrays(
        codes=np.ascontiguousarray(table.cell_codes[order].T, dtype=np.int64),
        sizes=table.cell_units.astype(np.int64),
        columns=columns,
        leaves=np.concatenate(leaves),
        nodes=np.concatenate(nodes),
        steering=np.zeros(0),
    )
