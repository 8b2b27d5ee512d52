"""Values that a random COUNT query asks for in one column (Xiao and Tao 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts


def drawn_leaves(
    rng: np.random.Generator, occurring: Counts, share: float, *, ordered: bool
) -> Counts:
    """Draw about a share of the leaves that occur: neighbours if they are ordered, or any.

    Leaves between two neighbours that do not occur are meant too.

    >>> drawn_leaves(np.random.default_rng(1), np.array([2, 5, 9]), 0.5, ordered=True).tolist()
    [2, 3, 4, 5]
    """
    number = min(occurring.size, max(1, int(np.ceil(occurring.size * share - 1e-9))))
    if ordered:
        start = int(rng.integers(occurring.size - number + 1))
        return np.arange(occurring[start], occurring[start + number - 1] + 1)
    return np.sort(rng.choice(occurring, size=number, replace=False))
