"""Welch's test of two means whose variances differ, from what papers print of their samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class Sample:
    """What is known of a sample: its size, its mean and its (unbiased) variance."""

    count: int
    mean: float
    variance: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Sample:
        """Return what is known of two or more values.

        >>> Sample.of([1.0, 2.0, 3.0])
        Sample(count=3, mean=2.0, variance=1.0)
        """
        if len(values) < 2:
            raise ValueError("a sample needs two or more values to have a variance")
        return cls(
            count=len(values), mean=float(np.mean(values)), variance=float(np.var(values, ddof=1))
        )

    @property
    def squared_error(self) -> float:
        """The squared standard error of the mean."""
        return self.variance / self.count


@dataclass(frozen=True, kw_only=True)
class Welch:
    """The difference of two means, its standard error with both samples' errors, and p."""

    difference: float
    error: float
    p: float


def welch_test(first: Sample, second: Sample) -> Welch:
    """Compare two means, two-sided (Welch 1947).

    ::

        t = (m₁ - m₂) / √(v₁/n₁ + v₂/n₂)
        degrees of freedom = (v₁/n₁ + v₂/n₂)² / ((v₁/n₁)²/(n₁ - 1) + (v₂/n₂)²/(n₂ - 1))

    Needs scipy. Where neither sample varies, p is 1 if the means are equal and 0 if not.

    >>> one = Sample(count=20, mean=0.912, variance=1.1e-3)
    >>> other = Sample(count=20, mean=0.93, variance=1.1e-3)
    >>> found = welch_test(one, other)
    >>> round(found.difference, 3), round(found.error, 4), round(found.p, 3)
    (-0.018, 0.0105, 0.094)
    """
    from scipy.special import stdtr

    difference = first.mean - second.mean
    squared = first.squared_error + second.squared_error
    if squared == 0:
        return Welch(difference=difference, error=0.0, p=float(difference == 0))
    freedom = squared**2 / sum(each.squared_error**2 / (each.count - 1) for each in (first, second))
    error = math.sqrt(squared)
    p = 2 * float(stdtr(freedom, -abs(difference) / error))
    return Welch(difference=difference, error=error, p=p)
