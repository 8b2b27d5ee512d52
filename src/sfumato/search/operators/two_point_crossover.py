"""Two-point crossover: two swap what lies between two places (Granulation fig. 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Flags


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
