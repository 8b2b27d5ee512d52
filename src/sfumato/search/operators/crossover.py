"""Crossover at one point or two: of nodes as rows of levels, or strings as rows of bits."""

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


def two_point(
    first: Flags, second: Flags, *, crossed: Flags, rng: np.random.Generator
) -> tuple[Flags, Flags]:
    """Return both children of every pair, which swaps a middle part if it is ``crossed``.

    The two points are uniform among all pairs of different places between bits; strings of fewer
    than three bits have no two such places and stay as they are.
    """
    count, places = first.shape
    if places < 3:
        return first, second
    low = rng.integers(1, places, size=count)
    high = rng.integers(1, places - 1, size=count)
    high += high >= low
    starts, ends = np.minimum(low, high)[:, None], np.maximum(low, high)[:, None]
    middle = (np.arange(places) >= starts) & (np.arange(places) < ends)
    swapped = crossed[:, None] & middle
    return np.where(swapped, second, first), np.where(swapped, first, second)


def reduced_surrogate_crossover(
    first: Flags, second: Flags, *, rng: np.random.Generator
) -> Flags | None:
    """Return the first parent with a run of bits of the second (Booker 1987; Crossover §3.1).

    The two cuts are drawn uniformly from the places right after a bit where the parents
    disagree, so that the child differs from both; None if they disagree in fewer than two bits.
    The child may be invalid: `PartitionSpace.nearest_valid` repairs it.
    """
    differing = np.flatnonzero(first != second)
    if differing.shape[0] < 2:
        return None
    low, high = np.sort(rng.choice(differing, size=2, replace=False)) + 1
    return with_middle_of(first, second, int(low), int(high))


def with_middle_of(first: Flags, second: Flags, low: int, high: int) -> Flags:
    """Return the first parent with the bits from ``low`` up to ``high`` of the second."""
    child: Flags = first.copy()
    child[low:high] = second[low:high]
    return child
