"""Two-point crossover of reduced surrogates (TRAD): cuts fall only where the parents disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Flags


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
    return two_point(first, second, int(low), int(high))


def two_point(first: Flags, second: Flags, low: int, high: int) -> Flags:
    """Return the first parent with the bits from ``low`` up to ``high`` of the second."""
    child: Flags = first.copy()
    child[low:high] = second[low:high]
    return child
