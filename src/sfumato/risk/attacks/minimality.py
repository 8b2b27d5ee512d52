"""The minimality attack: what it tells that no finer recoding was released (Wong et al. 2007)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class RefinedClass:
    """A released class: the sizes of the groups that a finer recoding makes of it.

    ``having`` of its people have the sensitive value. Who knows everybody's quasi-identifiers
    knows the sizes.
    """

    sizes: tuple[int, ...]
    having: int

    @property
    def people(self) -> int:
        """The number of people."""
        return sum(self.sizes)


@dataclass(frozen=True, kw_only=True)
class MinimalityPosterior:
    """The probability that somebody of a group has the value, before and after the attack.

    A row for each class and an entry for each of its groups. ``credible`` is the prior, the share
    in the released class.
    """

    credible: tuple[float, ...]
    posteriors: tuple[tuple[float, ...], ...]

    @property
    def greatest(self) -> float:
        """The greatest posterior."""
        return max((each for row in self.posteriors for each in row), default=0.0)


def minimality(
    classes: Sequence[RefinedClass], *, most_share: Fraction, least: int = 1
) -> MinimalityPosterior | None:
    """Return what follows from the fact that the finer recoding was not released.

    The publisher releases the finest recoding in which no class has more than ``most_share`` of
    the value. So in the true table some group of the finer recoding has more. Among the ways to
    deal out the values of every released class over its people, all equally probable, only those
    count in which that is so. None if no table has such a group: then the publisher did not act
    so, and nothing follows. Groups of fewer than ``least`` would be suppressed in the finer
    recoding, so that their values fail nothing.

    >>> found = minimality([RefinedClass(sizes=(2, 5), having=2)], most_share=Fraction(1, 2))
    >>> found.credible, found.posteriors
    ((0.2857142857142857,), ((1.0, 0.0),))
    """
    meets = [_ways(each, most_share, least) for each in classes]
    every = [math.comb(each.people, each.having) for each in classes]
    shares = [Fraction(ok, all_) for ok, all_ in zip(meets, every, strict=True)]
    fine = math.prod(shares, start=Fraction(1))
    if fine == 1:
        return None
    posteriors = []
    for number, each in enumerate(classes):
        others = math.prod(
            (share for place, share in enumerate(shares) if place != number), start=Fraction(1)
        )
        prior = Fraction(each.having, each.people)
        own = []
        for group, size in enumerate(each.sizes):
            # Of the tables that meet it: the mean share of the group that has the value.
            mean = Fraction(_mean_ways(each, most_share, least, group), every[number]) / size
            own.append(float((prior - mean * others) / (1 - fine)))
        posteriors.append(tuple(own))
    return MinimalityPosterior(
        credible=tuple(each.having / each.people for each in classes),
        posteriors=tuple(posteriors),
    )


def _most(size: int, most_share: Fraction, least: int) -> int:
    """Return how many of a group may have the value."""
    return size if size < least else math.floor(size * most_share)


def _deal(sizes: Sequence[int], having: int, most_share: Fraction, least: int) -> list[int]:
    """Return the ways to give the value to 0, 1, … of some groups, none having too many."""
    ways = [1] + [0] * having
    for size in sizes:
        most = min(_most(size, most_share, least), having)
        chosen = [math.comb(size, many) for many in range(most + 1)]
        ways = [
            sum(chosen[many] * ways[total - many] for many in range(min(most, total) + 1))
            for total in range(having + 1)
        ]
    return ways


def _ways(each: RefinedClass, most_share: Fraction, least: int) -> int:
    return _deal(each.sizes, each.having, most_share, least)[each.having]


def _mean_ways(each: RefinedClass, most_share: Fraction, least: int, group: int) -> int:
    """Return Σ over the ways that meet it of how many of a group have the value."""
    size = each.sizes[group]
    rest = [other for place, other in enumerate(each.sizes) if place != group]
    ways = _deal(rest, each.having, most_share, least)
    most = min(_most(size, most_share, least), each.having)
    return sum(many * math.comb(size, many) * ways[each.having - many] for many in range(most + 1))
