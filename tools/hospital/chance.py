"""Chance that is the same on every machine, from which the hospital's generator draws.

numpy promises that the raw words of PCG64 stay the same; what `numpy.random.Generator` makes of
them may change with any version. So the distributions are our own, of whole numbers and of single
IEEE additions and multiplications: no logarithm, exponential or root, which differ in the last
bit between machines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sfumato.arrays import Counts


Numbers = NDArray[np.float64]

_POWERS = (
    1.0,
    0.6931471805599453,
    0.2402265069591007,
    0.05550410866482158,
    0.009618129107628477,
    0.0013333558146428443,
    0.0001540353039338161,
    1.525273380405984e-05,
)
"""ln(2)^n / n!, the Taylor series of 2^x at 0; below x = 1 its error is under 2e-6."""


def stream(seed: int, purpose: int) -> np.random.PCG64:
    """Return the random words of a seed; each purpose has words of its own.

    >>> int(stream(1, 0).random_raw())
    9441442522235856127
    """
    return np.random.PCG64([seed, purpose])


def shares(words: np.random.PCG64, count: int) -> Numbers:
    """Return numbers from 0 to below 1, all equally likely."""
    return (words.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def happens(words: np.random.PCG64, count: int, *, in_1000: int) -> NDArray[np.bool_]:
    """Say ``count`` times whether something happened that happens so often in 1000."""
    return shares(words, count) * 1000.0 < in_1000


def picks(words: np.random.PCG64, weights: Counts) -> Counts:
    """Return for every row of whole-number weights a column, as often as its weight says.

    >>> picks(stream(1, 0), np.array([[0, 5, 0], [1, 0, 0]]))
    array([1, 0])
    """
    below = np.cumsum(weights, axis=1)
    drawn = np.floor(shares(words, len(weights)) * below[:, -1]).astype(np.int64)
    return np.asarray((below <= drawn[:, np.newaxis]).sum(axis=1), dtype=np.int64)


def picks_of(words: np.random.PCG64, count: int, weights: Counts) -> Counts:
    """Return ``count`` positions in a list of whole-number weights."""
    below = np.cumsum(weights)
    drawn = np.floor(shares(words, count) * below[-1]).astype(np.int64)
    return np.asarray(np.searchsorted(below, drawn, side="right"), dtype=np.int64)


def bell(words: np.random.PCG64, count: int) -> Numbers:
    """Return numbers around 0 with deviation 1: the sum of twelve shares, all but normal."""
    total = np.full(count, -6.0)
    for _ in range(12):
        total = total + shares(words, count)
    return total


def doubled(exponents: Numbers) -> Numbers:
    """Return 2 to the power of every exponent, to six digits.

    >>> doubled(np.array([-1.0, 0.0, 3.0]))
    array([0.5, 1. , 8. ])
    """
    whole = np.floor(exponents)
    rest = exponents - whole
    total = np.zeros_like(rest)
    for factor in reversed(_POWERS):
        total = total * rest + factor
    return np.ldexp(total, whole.astype(np.int32))
