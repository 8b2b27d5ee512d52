"""Box dominance: dominance seen through a grid over the objectives (PBG §5)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError, shown
from sfumato.front.dominance import as_costs, nondominated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags, Floats
    from sfumato.measures.measure import Direction


def checked_epsilon(epsilon: Sequence[float], *, objectives: int) -> Floats:
    """Return a discretization vector as an array, or refuse what is not one.

    >>> checked_epsilon((1, 100), objectives=2).tolist()
    [1.0, 100.0]
    """
    if len(epsilon) != objectives:
        raise SettingsError(
            f"epsilon has {len(epsilon)} entries, and there are {objectives} objectives",
            code="wrong-length",
            key="epsilon",
            found=str(len(epsilon)),
            expected="one entry for each objective",
        )
    for value in epsilon:
        number = isinstance(value, int | float | np.floating) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value <= 0:
            raise SettingsError(
                f"epsilon has the width {shown(value)}",
                code="out-of-range",
                key="epsilon",
                found=shown(value),
                expected="finite numbers above 0",
            )
    sides: Floats = np.array(epsilon, dtype=np.float64)
    sides.flags.writeable = False
    return sides


def boxes(values: Floats, epsilon: Sequence[float] | Floats) -> Floats:
    """Return the box of every point (a row): B_i = ⌊I_i / ε_i⌋.

    The raw values count, each in its own direction: ⌊−loss/ε⌋ would be other boxes. Division and
    rounding down are monotone in doubles as in real numbers, so a point that dominates another is
    never in a worse box.

    >>> boxes(np.array([[7.0, 250.0], [5.0, 199.0]]), (5, 100)).tolist()
    [[1.0, 2.0], [1.0, 1.0]]
    """
    if np.isnan(values).any():
        raise ValueError("a point has a value that is not a number; it has no box")
    # A quotient that is too great for a double is the last box of its side.
    with np.errstate(over="ignore"):
        found: Floats = np.floor(values / np.asarray(epsilon, dtype=np.float64))
    # There is one zero, not two: a box is compared and hashed as its bytes.
    return found + 0.0


def box_dominates(
    better: Floats,
    worse: Floats,
    directions: Sequence[Direction],
    epsilon: Sequence[float] | Floats,
) -> bool:
    """Say whether one point box-dominates another: T_l ≽_box T_m.

    If they are in different boxes, the box of T_l must dominate that of T_m; if they are in the
    same box, T_l must dominate T_m.

    >>> from sfumato.measures.measure import Direction
    >>> both = (Direction.HIGHER, Direction.LOWER)
    >>> box_dominates(np.array([6.0, 120.0]), np.array([5.0, 110.0]), both, (5, 100))
    False
    >>> box_dominates(np.array([11.0, 120.0]), np.array([5.0, 110.0]), both, (5, 100))
    True
    """
    pair = np.stack((better, worse))
    costs = as_costs(boxes(pair, epsilon), directions)
    if (costs[0] == costs[1]).all():
        costs = as_costs(pair, directions)
    return bool((costs[0] <= costs[1]).all() and (costs[0] < costs[1]).any())


def nondominated_boxes(
    values: Floats, directions: Sequence[Direction], epsilon: Sequence[float] | Floats
) -> Floats:
    """Return the boxes of points that no box of another point dominates, each once, ascending.

    >>> from sfumato.measures.measure import Direction
    >>> both = (Direction.HIGHER, Direction.LOWER)
    >>> points = np.array([[5.0, 110.0], [11.0, 120.0], [7.0, 90.0]])
    >>> nondominated_boxes(points, both, (5, 100)).tolist()
    [[1.0, 0.0], [2.0, 1.0]]
    """
    unique: Floats = np.unique(boxes(values, epsilon), axis=0)
    best: Flags = nondominated(unique, directions)
    return unique[best]
