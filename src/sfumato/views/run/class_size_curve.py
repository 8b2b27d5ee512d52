"""The distribution of class sizes as a curve (the insets of MOEA fig. 1.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_STEPS = 64


@dataclass(frozen=True, kw_only=True)
class ClassSizeCurve:
    """The share of released rows in classes of up to some size, at a few sizes.

    ``shares[i]`` is exactly the share at ``sizes[i]``. ``median`` is the smallest class size such
    that half of the released rows are in classes up to it; 0 if no row is released.
    """

    sizes: tuple[int, ...]
    shares: tuple[float, ...]
    median: int


def class_size_curve(
    class_sizes: Sequence[tuple[int, int]], *, most: int = MOST_STEPS
) -> ClassSizeCurve:
    """Return the curve of (class size, rows in classes of that size), ascending.

    Of more than ``most`` sizes the first and the last are kept, and of those between as many as
    lie evenly on a logarithmic axis: the curve leaves out steps, and never moves one.

    >>> class_size_curve([(2, 4), (3, 6), (10, 10)])
    ClassSizeCurve(sizes=(2, 3, 10), shares=(0.2, 0.5, 1.0), median=3)
    """
    if not class_sizes:
        return ClassSizeCurve(sizes=(), shares=(), median=0)
    sizes = [size for size, _ in class_sizes]
    sums = list(accumulate(rows for _, rows in class_sizes))
    median = next(size for size, rows in zip(sizes, sums, strict=True) if 2 * rows >= sums[-1])
    kept = _spread(sizes, most)
    return ClassSizeCurve(
        sizes=tuple(sizes[place] for place in kept),
        shares=tuple(sums[place] / sums[-1] for place in kept),
        median=median,
    )


def _spread(sizes: Sequence[int], most: int) -> list[int]:
    """Return the places of at most ``most`` sizes, evenly on a logarithmic axis."""
    if len(sizes) <= most:
        return list(range(len(sizes)))
    low, high = math.log(sizes[0]), math.log(sizes[-1])
    last_of_part = {
        min(most - 2, int((math.log(size) - low) / (high - low) * (most - 1))): place
        for place, size in enumerate(sizes[:-1])
    }
    return sorted({0, *list(last_of_part.values())[1:], len(sizes) - 1})
