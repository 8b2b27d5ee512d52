"""Sums over rows from values and multiplicities, as exact as if every row were added alone.

A float times its multiplicity is rounded, and then compressed and expanded vectors would differ
in their last bits. So everything is added as whole numbers of any size, floats as the 53 digits
of their mantissas shifted by their exponents, and the sum is rounded once.
"""

from __future__ import annotations

import math
from fractions import Fraction
from operator import lshift, mul
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats

_DIGITS = 53


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
        return sum(sum(map(mul, values.tolist(), counts.tolist())) for values, counts in terms)
    mantissas, exponents = np.frexp(np.concatenate([values for values, _ in terms], dtype=float))
    if not np.isfinite(mantissas).all():
        raise OverflowError("only finite values can be summed")
    least = int(exponents.min(initial=0))
    digits = np.ldexp(mantissas, _DIGITS).astype(np.int64).tolist()
    counts = np.concatenate([counts for _, counts in terms]).tolist()
    total = sum(map(lshift, map(mul, digits, counts), (exponents - least).tolist()))
    try:
        return float(Fraction(total) * Fraction(2) ** (least - _DIGITS))
    except OverflowError:
        return math.inf if total > 0 else -math.inf
