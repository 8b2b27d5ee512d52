"""The exact rank sum test of two samples (Wilcoxon 1945; Mann and Whitney 1947)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class RankSum:
    """What the test says.

    ``u`` is the number of pairs in which the figure of the first sample is the greater one, a tie
    counting one half. ``p`` is the chance of a U at least as far from its mean if both samples
    are alike. ``lower`` is how often a figure of the first sample is the smaller one, of all
    pairs, a tie counting one half.
    """

    u: float
    p: float
    lower: float


def rank_sum_test(first: Sequence[float], second: Sequence[float]) -> RankSum:
    """Compare two samples by the ranks of their figures, two-sided.

    Ties share the mean of their ranks, and the distribution is the exact one given these ranks:
    every choice of ``len(first)`` of all ranks is as likely as any other. The sums of ranks are
    counted by dynamic programming over whole numbers, twice the ranks.

    >>> rank_sum_test([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    RankSum(u=0.0, p=0.1, lower=1.0)
    """
    if not first or not second:
        raise ValueError("a rank sum test needs two samples that are not empty")
    size, other = len(first), len(second)
    doubled = _doubled_ranks([*first, *second])
    found = sum(doubled[:size])
    ways = _ways(doubled, size)
    # Twice the mean of the rank sum; what is at least as far from it as ours counts.
    mean = size * (size + other + 1)
    distance = abs(found - mean)
    extreme = sum(count for total, count in ways.items() if abs(total - mean) >= distance)
    u = found / 2 - size * (size + 1) / 2
    return RankSum(u=u, p=extreme / math.comb(size + other, size), lower=1 - u / (size * other))


def _doubled_ranks(figures: Sequence[float]) -> list[int]:
    """Return twice the rank of every figure, ties at the mean of theirs.

    >>> _doubled_ranks([5.0, 1.0, 5.0])
    [5, 2, 5]
    """
    ascending = sorted(figures)
    first: dict[float, int] = {}
    last: dict[float, int] = {}
    for place, figure in enumerate(ascending, start=1):
        first.setdefault(figure, place)
        last[figure] = place
    return [first[figure] + last[figure] for figure in figures]


def _ways(doubled: Sequence[int], size: int) -> dict[int, int]:
    """Return in how many ways ``size`` of the ranks add up to every sum."""
    ways: list[dict[int, int]] = [{0: 1}, *({} for _ in range(size))]
    for rank in doubled:
        for chosen in range(size, 0, -1):
            for total, count in ways[chosen - 1].items():
                ways[chosen][total + rank] = ways[chosen].get(total + rank, 0) + count
    return ways[size]
