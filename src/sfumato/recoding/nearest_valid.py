"""The valid string that is nearest to a string of cuts, by Hamming distance."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags
    from sfumato.hierarchies.taxonomy_tree import TaxonomyTree

MOST_REMEMBERED = 50_000
"""So many strings of a column are remembered: a search repairs the same few again and again."""


def nearest_valid(
    tree: TaxonomyTree, string: Sequence[bool] | Flags, *, rng: np.random.Generator
) -> Flags:
    """Return a valid string at the least Hamming distance, uniform among those that are nearest.

    By dynamic programming up the tree: a node is either one block, which turns every 1 inside it,
    or cut between all its children, which turns every 0 there and leaves each child to itself::

        distance(v) = min(ones inside v, zeros between its children + Σ distance(child))

    (Iyengar 2002 replaces an invalid string by the closest valid one; Crossover §3.2 takes closest
    to mean Hamming distance, and leaves open which of several.)
    """
    return Repairs(tree).nearest(string, rng=rng)


class _Branches(NamedTuple):
    """In how many ways every node can be nearest, in how many of them it is cut.

    ``only`` is the nearest string if no tie has to be broken to find it.
    """

    ways: list[int]
    cut_ways: list[int]
    only: Flags | None


class Repairs:
    """Repairs strings of one tree as `nearest_valid` does, and remembers what it counted."""

    def __init__(self, tree: TaxonomyTree) -> None:
        self._tree = tree
        self._branches = lru_cache(maxsize=MOST_REMEMBERED)(self._counted)

    def nearest(self, string: Sequence[bool] | Flags, *, rng: np.random.Generator) -> Flags:
        """Return a nearest valid string; draws only where several are as near."""
        branches = self._branches(np.asarray(string, dtype=np.bool_).tobytes())
        if branches.only is not None:
            return branches.only
        return self._walked(branches.ways, branches.cut_ways, rng)

    def _counted(self, string: bytes) -> _Branches:
        # Plain lists: single bits of an array take ten times as long to read.
        bits = list(string)
        ones = list(itertools.accumulate(bits, initial=0))
        distances: list[int] = []
        ways: list[int] = []
        cut_ways: list[int] = []
        for node in self._tree.nodes:
            whole = ones[node.last] - ones[node.first]
            between = [bits[border] for border in node.borders].count(0)
            apart = between + sum(distances[child] for child in node.inner)
            apart_ways = math.prod(ways[child] for child in node.inner)
            distances.append(min(whole, apart))
            cut_ways.append(apart_ways if apart <= whole else 0)
            ways.append(cut_ways[-1] + (whole <= apart))
        only: Flags | None = None
        if not ways or ways[-1] == 1:
            only = self._walked(ways, cut_ways, None)
            only.flags.writeable = False
        return _Branches(ways, cut_ways, only)

    def _walked(
        self, ways: list[int], cut_ways: list[int], rng: np.random.Generator | None
    ) -> Flags:
        nodes = self._tree.nodes
        found: Flags = np.zeros(self._tree.bits, dtype=np.bool_)
        open_nodes = [len(nodes) - 1] if nodes else []
        while open_nodes:
            place = open_nodes.pop()
            # Of equally near strings each is as likely: a branch counts as often as it has some.
            if cut_ways[place] and (
                cut_ways[place] == ways[place]
                or (rng is not None and rng.random() < cut_ways[place] / ways[place])
            ):
                node = nodes[place]
                found[list(node.borders)] = True
                open_nodes.extend(node.inner)
        return found
