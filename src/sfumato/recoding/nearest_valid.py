"""The valid string that is nearest to a string of cuts, by Hamming distance."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags
    from sfumato.hierarchies.taxonomy_tree import TaxonomyTree


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
    # Plain lists: single bits of an array take ten times as long to read.
    bits: list[bool] = np.asarray(string, dtype=np.bool_).tolist()
    ones = list(itertools.accumulate(bits, initial=0))
    distances: list[int] = []
    ways: list[int] = []
    cut_ways: list[int] = []
    for node in tree.nodes:
        whole = ones[node.last] - ones[node.first]
        between = [bits[border] for border in node.borders].count(False)
        apart = between + sum(distances[child] for child in node.inner)
        apart_ways = math.prod(ways[child] for child in node.inner)
        distances.append(min(whole, apart))
        cut_ways.append(apart_ways if apart <= whole else 0)
        ways.append(cut_ways[-1] + (whole <= apart))
    found: Flags = np.zeros(len(bits), dtype=np.bool_)
    open_nodes = [len(tree.nodes) - 1] if tree.nodes else []
    while open_nodes:
        place = open_nodes.pop()
        # Of equally near strings each is as likely: a branch counts as often as it has some.
        if cut_ways[place] and (
            cut_ways[place] == ways[place] or rng.random() < cut_ways[place] / ways[place]
        ):
            node = tree.nodes[place]
            found[list(node.borders)] = True
            open_nodes.extend(node.inner)
    return found
