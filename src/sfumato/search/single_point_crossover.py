"""Single point crossover of nodes: two swap their levels from a column on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.data.arrays import Counts


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
    points = rng.integers(1, columns, size=pairs)
    swapped = crossed[:, None] & (np.arange(columns) >= points[:, None])
    first, second = children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2]
    children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2] = (
        np.where(swapped, second, first),
        np.where(swapped, first, second),
    )
    return children
