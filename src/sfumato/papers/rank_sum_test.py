"""The rank sum test of two samples, exact with ties (Wilcoxon 1945; Mann and Whitney 1947)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 99_999
"""How many ways to deal tied values out are drawn; p is then not below 2 / 100,000."""


@dataclass(frozen=True, kw_only=True)
class RankSum:
    """What the test says.

    ``u`` is the number of pairs in which the first sample has the greater value, a tie counting
    one half. ``p`` is the probability of a U at least as far from its mean if both samples are
    alike, two-sided. ``lower`` is the share of pairs in which the first sample has the smaller
    value, a tie counting one half.
    """

    u: float
    p: float
    lower: float


def rank_sum_test(first: Sequence[float], second: Sequence[float]) -> RankSum:
    """Compare two samples of two or more values by their ranks, two-sided.

    Without ties the distribution of U is exact. With ties it is that of all ways to deal the
    values out to the samples, or of `RESAMPLES` of them drawn at random if there are more.

    >>> rank_sum_test([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    RankSum(u=0.0, p=0.1, lower=1.0)
    """
    if min(len(first), len(second)) < 2:
        raise ValueError("a rank sum test needs two samples of two or more values")
    from scipy.stats import PermutationMethod, mannwhitneyu

    together = [*first, *second]
    tied = len(set(together)) < len(together)
    found = mannwhitneyu(
        first,
        second,
        alternative="two-sided",
        method=PermutationMethod(n_resamples=RESAMPLES, rng=1) if tied else "exact",
    )
    u = float(found.statistic)
    return RankSum(u=u, p=float(found.pvalue), lower=1 - u / (len(first) * len(second)))
