"""Sums over rows from values and multiplicities, as exact as if every row were added alone.

A value times its multiplicity is rounded, and then compressed and expanded vectors would differ
in their last bits. So whole numbers are added as whole numbers, and a product of floats is kept
as two floats whose sum is exact (Dekker 1971); `math.fsum` adds all of them without error and
rounds once.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats

_ROOM = 2**62
_SPLITTER = 2.0**27 + 1.0
_TAME = 2.0**900


def is_whole(values: Counts | Floats) -> bool:
    """Say whether values are whole numbers by their type."""
    return bool(np.issubdtype(values.dtype, np.integer))


def shifted(values: Counts | Floats, by: float) -> Counts | Floats:
    """Return values - by, as whole numbers where both are.

    >>> shifted(np.array([3, 5]), 2.0).tolist(), shifted(np.array([3, 5]), 0.5).tolist()
    ([1, 3], [2.5, 4.5])
    """
    if is_whole(values) and float(by).is_integer():
        whole: Counts = values.astype(np.int64) - int(by)
        return whole
    floats: Floats = values.astype(np.float64) - float(by)
    return floats


def exact_sum(*terms: tuple[Counts | Floats, Counts]) -> int | float:
    """Return Σ value · count over all terms: exact for whole numbers, else rounded once.

    A negative count subtracts, so that a difference of sums is zero only if they are equal.

    >>> exact_sum((np.array([2, 3]), np.array([10, 1])))
    23
    >>> exact_sum((np.array([0.1]), np.array([3]))) == math.fsum([0.1, 0.1, 0.1])
    True
    """
    if all(is_whole(values) for values, _ in terms):
        return sum(_whole_sum(values, counts) for values, counts in terms)
    parts: list[float] = []
    for values, counts in terms:
        floats = np.asarray(values, dtype=np.float64)
        sizes = np.abs(floats[floats != 0])
        if sizes.size and (sizes.max() > _TAME or sizes.min() < 1 / _TAME):
            return _sum_of_fractions(terms)
        parts += _products(floats, counts.astype(np.float64)).tolist()
    return math.fsum(parts)


def _whole_sum(values: Counts | Floats, counts: Counts) -> int:
    if values.size == 0:
        return 0
    greatest = max(abs(int(values.max())), abs(int(values.min())))
    if greatest * int(np.abs(counts).sum()) < _ROOM:
        return int((values.astype(np.int64) * counts).sum())
    return sum(value * count for value, count in zip(values.tolist(), counts.tolist(), strict=True))


def _products(values: Floats, counts: Floats) -> Floats:
    """Return the rounded products and their errors, which add up to the products exactly."""
    rounded = values * counts
    high, low = _halves(values)
    count_high, count_low = _halves(counts)
    left = ((rounded - high * count_high) - low * count_high) - high * count_low
    error = low * count_low - left
    return np.concatenate((rounded, error))


def _halves(values: Floats) -> tuple[Floats, Floats]:
    """Return two floats of half the digits each whose sum is the value (Veltkamp's splitting)."""
    scaled = values * _SPLITTER
    high = scaled - (scaled - values)
    return high, values - high


def _sum_of_fractions(terms: tuple[tuple[Counts | Floats, Counts], ...]) -> float:
    total = Fraction(0)
    for values, counts in terms:
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            total += Fraction(value) * count
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf
