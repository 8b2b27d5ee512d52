"""The tree of a hierarchy, and which partitions of its leaves are cuts through it."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Flags
    from sfumato.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, kw_only=True)
class TreeNode:
    """An inner node: the leaves under it, and the first leaf of every child.

    Children that are leaves themselves are among them. ``inner`` are the places, in the list of
    the tree's nodes, of the children that are not.
    """

    first: int
    last: int
    children: tuple[int, ...]
    inner: tuple[int, ...]

    @cached_property
    def borders(self) -> tuple[int, ...]:
        """The bits between two of its children: bit i lies between the leaves i and i + 1."""
        return tuple(start - 1 for start in self.children[1:])


class _Layout(NamedTuple):
    """The nodes of a tree side by side: their leaves, and the bits between their children.

    The bits of a node begin at ``starts``; ``nodes`` has the node of every bit.
    """

    firsts: Counts
    lasts: Counts
    borders: Counts
    starts: Counts
    nodes: Counts


@dataclass(frozen=True, kw_only=True)
class TaxonomyTree:
    """The inner nodes of a hierarchy, children before parents, so that the last is the root.

    A node that repeats at several levels is here once. A string of bits over the leaves, 1 where
    two neighbours are cut apart, is *valid* if every block is the leaf set of one node: then a
    node that is cut anywhere inside is cut between all its children (Crossover §2.3).

    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> rows = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]
    >>> tree = TaxonomyTree.of(Hierarchy.from_rows(rows, name="demo"))
    >>> tree.valid_strings, tree.valid(np.array([[0, 0], [1, 0], [0, 1], [1, 1]])).tolist()
    (3, [True, False, True, True])
    """

    leaf_count: int
    nodes: tuple[TreeNode, ...]

    @classmethod
    def of(cls, hierarchy: Hierarchy, *, minimum_level: int = 0) -> TaxonomyTree:
        """Return the tree of a hierarchy; its leaves are the blocks of the minimum level."""
        count = hierarchy.block_count(minimum_level)
        starts_at = [
            np.flatnonzero(np.diff(hierarchy.between(minimum_level, level), prepend=-1)).tolist()
            for level in range(minimum_level, hierarchy.height + 1)
        ]
        nodes: list[TreeNode] = []
        # The place of the node that begins at a leaf; None for the leaf alone.
        below: dict[int, int | None] = dict.fromkeys(range(count))
        for fine, coarse in itertools.pairwise(starts_at):
            starts = [*coarse, count]
            position = 0
            for first, end in itertools.pairwise(starts):
                children = []
                while position < len(fine) and fine[position] < end:
                    children.append(fine[position])
                    position += 1
                if len(children) > 1:
                    under = [below[child] for child in children]
                    inner = tuple(place for place in under if place is not None)
                    below[first] = len(nodes)
                    nodes.append(
                        TreeNode(first=first, last=end - 1, children=tuple(children), inner=inner)
                    )
        return cls(leaf_count=count, nodes=tuple(nodes))

    @property
    def bits(self) -> int:
        """The number of bits, one between every two neighbouring leaves."""
        return self.leaf_count - 1

    @cached_property
    def valid_strings(self) -> int:
        """The number of valid strings: of a leaf 1, of a node 1 + the product of its children's."""
        ways: list[int] = []
        for node in self.nodes:
            ways.append(1 + math.prod(ways[child] for child in node.inner))
        return ways[-1] if ways else 1

    def valid(self, strings: Flags | Counts) -> Flags:
        """Say of every string (a row of bits) whether it is valid."""
        if not self.nodes:
            return np.ones(strings.shape[0], dtype=np.bool_)
        layout = self._layout
        ones = _ones_before(strings)
        cut_inside = ones[:, layout.lasts] > ones[:, layout.firsts]
        cut_between = np.logical_and.reduceat(strings[:, layout.borders], layout.starts, axis=1)
        return np.asarray((cut_between | ~cut_inside).all(axis=1))

    @cached_property
    def _layout(self) -> _Layout:
        borders = [node.borders for node in self.nodes]
        return _Layout(
            firsts=np.array([node.first for node in self.nodes]),
            lasts=np.array([node.last for node in self.nodes]),
            borders=np.array([bit for bits in borders for bit in bits]),
            starts=np.cumsum([0, *map(len, borders)])[:-1],
            nodes=np.repeat(np.arange(len(borders)), [len(bits) for bits in borders]),
        )

    def strings(self) -> Iterator[tuple[int, ...]]:
        """Iterate over all valid strings; only for small trees."""
        return self._strings(len(self.nodes) - 1) if self.nodes else iter([(0,) * self.bits])

    def _strings(self, place: int) -> Iterator[tuple[int, ...]]:
        node = self.nodes[place]
        yield (0,) * (node.last - node.first)
        by_first = {self.nodes[child].first: child for child in node.inner}
        parts = [
            list(self._strings(by_first[child])) if child in by_first else [()]
            for child in node.children
        ]
        for chosen in itertools.product(*parts):
            yield tuple(itertools.chain(chosen[0], *((1, *part) for part in chosen[1:])))

    def random_strings(self, count: int, *, rng: np.random.Generator) -> Flags:
        """Return valid strings drawn by recursion down the tree (MOEA §1.4.5).

        From the root on, every node decides with even chance whether to keep its subtrees apart;
        if it does not, all that lies under it is one block.
        """
        strings: Flags = np.zeros((count, max(0, self.bits)), dtype=np.bool_)
        if not self.nodes:
            return strings
        apart: Flags = rng.random((len(self.nodes), count)) < 0.5
        for place in range(len(self.nodes) - 1, -1, -1):
            for child in self.nodes[place].inner:
                apart[child] &= apart[place]
        strings[:, self._layout.borders] = apart[self._layout.nodes].T
        return strings


def _ones_before(strings: Flags | Counts) -> Counts:
    """Return how many bits before every place are 1, a column more than there are bits."""
    ones: Counts = np.zeros((strings.shape[0], strings.shape[1] + 1), dtype=np.int64)
    np.cumsum(strings, axis=1, out=ones[:, 1:])
    return ones
