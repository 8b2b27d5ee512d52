"""The statistics that can stand for all values of a block: mean, median, mode.

They are computed from positions on a scale and their rows, exactly and in whatever order.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Statistic(enum.StrEnum):
    """What a microaggregated release puts in place of the values of a block (Granulation §3.1)."""

    MEAN = "mean"
    MEDIAN = "median"
    MODE = "mode"


def mean_position(rows: Mapping[int, int]) -> Fraction:
    """Return Σ position · rows / Σ rows, exactly.

    >>> mean_position({161: 1, 167: 1, 163: 1, 160: 1, 165: 1, 168: 1})
    Fraction(164, 1)
    """
    total = sum(position * count for position, count in rows.items())
    return Fraction(total, sum(rows.values()))


def median_position(rows: Mapping[int, int]) -> int:
    """Return the position in the middle, the lower one of an even number of rows.

    >>> median_position({26015: 1, 26032: 1, 26328: 1, 26617: 1, 26628: 1})
    26328
    >>> median_position({1: 2, 2: 2})
    1
    """
    half = -(-sum(rows.values()) // 2)
    passed = 0
    for position in sorted(rows):
        passed += rows[position]
        if passed >= half:
            return position
    raise ValueError("a median needs a row")


def mode_position(rows: Mapping[int, int]) -> int:
    """Return the position of most rows, the first of several.

    >>> mode_position({2: 3, 0: 1, 1: 3})
    1
    """
    return min(rows, key=lambda position: (-rows[position], position))
