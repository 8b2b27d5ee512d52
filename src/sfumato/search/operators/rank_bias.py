"""Rank-based selection with a linear bias, as in GENITOR (Whitley 1989)."""

from __future__ import annotations

import math


def biased_place(uniform: float, *, count: int, bias: float) -> int:
    """Return the place of the one selected, 0 being the best of ``count``.

    The chance falls linearly with the place, and the best is ``bias`` times as likely as the one
    in the middle. From a number u that is uniform in [0, 1)::

        place = count · (bias - √(bias² - 4 (bias - 1) u)) / (2 (bias - 1))

    >>> [biased_place(u, count=100, bias=1.5) for u in (0.0, 0.5, 0.999999)]
    [0, 38, 99]
    """
    root = math.sqrt(bias * bias - 4 * (bias - 1) * uniform)
    return min(count - 1, int(count * (bias - root) / (2 * (bias - 1))))
