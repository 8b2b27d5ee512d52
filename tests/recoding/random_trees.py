"""Random hierarchies for tests of partitions."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from sfumato.hierarchies.domains.category_domain import CategoryDomain
from sfumato.hierarchies.hierarchy import Hierarchy

WORKCLASS = Hierarchy.from_rows(
    [
        ("A", "self-employed", "*"),
        ("B", "self-employed", "*"),
        ("C", "government", "*"),
        ("D", "government", "*"),
        ("E", "government", "*"),
        ("F", "private", "*"),
        ("G", "unpaid", "*"),
        ("H", "unpaid", "*"),
    ],
    name="workclass",
)
"""The tree of Crossover fig. 2 with the letters of its examples: AB, CDE, F and GH."""


@st.composite
def random_hierarchies(draw: st.DrawFn, *, most_leaves: int = 9) -> Hierarchy:
    """Draw a hierarchy of runs that merge from level to level; levels may repeat blocks."""
    leaves = draw(st.integers(1, most_leaves))
    levels = [np.arange(leaves)]
    for _ in range(draw(st.integers(0, 3))):
        blocks = int(levels[-1][-1]) + 1
        joins = draw(st.lists(st.booleans(), min_size=blocks - 1, max_size=blocks - 1))
        merged = np.array([0, *itertools.accumulate(int(not join) for join in joins)])
        levels.append(merged[levels[-1]])
    if levels[-1][-1] != 0:
        levels.append(np.zeros(leaves, dtype=np.int64))
    labels = [
        tuple(f"{'v' if level == 0 else f'L{level}B'}{block}" for block in range(codes[-1] + 1))
        for level, codes in enumerate(levels)
    ]
    return Hierarchy(
        domain=CategoryDomain(values=labels[0]),
        levels=tuple(codes.astype(np.int32) for codes in levels),
        labels=tuple(labels),
    )


def node_sets(hierarchy: Hierarchy) -> set[tuple[int, ...]]:
    """The leaf sets of all nodes of the tree."""
    return {
        tuple(np.flatnonzero(codes == block).tolist())
        for codes in hierarchy.levels
        for block in range(int(codes[-1]) + 1)
    }


def block_sets(bits: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The blocks of a string as leaf sets."""
    blocks: list[tuple[int, ...]] = [(0,)]
    for leaf, bit in enumerate(bits, start=1):
        if bit:
            blocks.append((leaf,))
        else:
            blocks[-1] = (*blocks[-1], leaf)
    return blocks


def valid_by_definition(hierarchy: Hierarchy) -> set[tuple[int, ...]]:
    """All strings whose every block is the leaf set of a node, by trying all strings."""
    nodes = node_sets(hierarchy)
    return {
        bits
        for bits in itertools.product((0, 1), repeat=hierarchy.leaf_count - 1)
        if all(block in nodes for block in block_sets(bits))
    }
