"""Single point crossover: two swap their levels, or their bits, from a place on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Flags

Parents = TypeVar("Parents", "Counts", "Flags")
"""Nodes as rows of levels, or strings as rows of bits."""


def single_point_crossover(
    parents: Counts, *, probability: float, rng: np.random.Generator
) -> Counts:
    """Return the children of nodes that are paired at random, each in one pair (PBG §6).

    A pair is crossed with the probability, at a point that is uniform among those between two
    columns; otherwise it moves on unchanged. Of an odd number the one that is left moves on too.
    """
    count, columns = parents.shape
    children: Counts = parents[rng.permutation(count)]
    pairs = count // 2
    crossed = rng.random(pairs) < probability
    if columns < 2:
        return children
    first, second = children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2]
    children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2] = single_point(
        first, second, crossed=crossed, rng=rng
    )
    return children


def single_point(
    first: Parents, second: Parents, *, crossed: Flags, rng: np.random.Generator
) -> tuple[Parents, Parents]:
    """Return both children of every pair, which swaps its ends at a point if it is ``crossed``.

    The point is uniform among those between two places, so that either part has some.
    """
    count, places = first.shape
    if places < 2:
        return first, second
    points: Counts = np.asarray(rng.integers(1, places, size=count))
    swapped = crossed[:, None] & (np.arange(places) >= points[:, None])
    return np.where(swapped, second, first), np.where(swapped, first, second)
