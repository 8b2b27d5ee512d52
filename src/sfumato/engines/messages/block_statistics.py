"""The statistics that can stand for all values of a block, and what engines recompute of them.

They are computed from positions on a scale and their rows, exactly and in whatever order.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sfumato.arrays import Codes


KeptValues = Mapping[tuple[int, str | None], int]
"""The kept rows of every block, or class, and value of a column."""


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


class ValuePlace(NamedTuple):
    """The block of a value, and its rank among the values of the column; None if missing."""

    block: int
    rank: int | None


@dataclass(frozen=True, kw_only=True, eq=False)
class PlacedColumn:
    """A quasi-identifier whose values are ranked; ``numbers`` has the number of every rank."""

    name: str
    statistic: Statistic
    places: Mapping[str | None, ValuePlace]
    numbers: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class ListedCells:
    """The kept cells of a local recoding: a row of codes for every column, and their classes."""

    codes: Codes
    classes: Codes


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockQuestion:
    """The statistic of every block over the rows whose class has at least ``kept`` rows.

    In a local recoding it is that of every class, and ``kept`` lists the cells, whose codes are
    the blocks of values. Rows with a missing value in a column of ``complete``, null or one of
    ``markers``, are left out before anything is counted.
    """

    columns: tuple[PlacedColumn, ...]
    kept: int | ListedCells
    complete: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()


class FoundStatistic(NamedTuple):
    """The kept rows of a block, and its statistic as a number; None if all are missing."""

    rows: int
    number: float | None
