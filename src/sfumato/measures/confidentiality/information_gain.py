"""How much an intruder learns about whether a person satisfies a predicate (Granulation §4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats


def information_gain(satisfying: Counts, sizes: Counts, *, prior: float) -> Floats:
    """Return max((log Pr φ - log Pr_τ(φ|u)) / log Pr φ, 0) for classes of some size.

    ``prior`` is Pr φ and ``satisfying`` / ``sizes`` is Pr_τ(φ|u). It is 0 where nobody, or where
    everybody in the whole table, satisfies φ, and 1 where all rows of a class do but not all of
    the table.

    >>> information_gain(np.array([0, 1, 2, 3]), np.array([3, 3, 3, 3]), prior=1 / 3).round(3)
    array([0.   , 0.   , 0.631, 1.   ])
    """
    gain: Floats = np.zeros(sizes.shape, dtype=np.float64)
    known = satisfying > 0
    if not 0 < prior < 1:
        return gain
    share = satisfying[known] / sizes[known]
    gain[known] = np.maximum(1.0 - np.log(share) / np.log(prior), 0.0)
    return gain
