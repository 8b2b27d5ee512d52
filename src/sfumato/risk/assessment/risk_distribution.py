"""How many people of a table have which risk of being found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.arrays import Counts

BANDS = (1, 2, 4, 9, 19, 99)
"""The greatest sizes of the bands that a distribution is shown by; the last one has no end."""


@dataclass(frozen=True, kw_only=True)
class RiskDistribution:
    """The risk of ``people[i]`` people is one over ``sizes[i]``; sizes ascend.

    A size is that of the smallest class that shows somebody, in the table for prosecutor risk and
    in the population for journalist risk.

    >>> found = RiskDistribution(sizes=(1, 5, 10), people=(2, 5, 20))
    >>> found.highest, found.at_highest, round(found.mean, 4), found.above(0.1)
    (1.0, 2, 0.1852, 7)
    >>> found.by_band()
    (2, 0, 0, 5, 20, 0, 0)
    """

    sizes: tuple[int, ...]
    people: tuple[int, ...]

    @classmethod
    def of(cls, sizes: Counts, people: Counts) -> RiskDistribution:
        """Add up the people of equal sizes."""
        different, place = np.unique(sizes, return_inverse=True)
        totals = np.zeros(different.shape[0], dtype=np.int64)
        np.add.at(totals, place.ravel(), people)
        return cls(sizes=tuple(different.tolist()), people=tuple(totals.tolist()))

    @property
    def everybody(self) -> int:
        """The number of people."""
        return sum(self.people)

    @property
    def highest(self) -> float:
        """The risk of the most exposed; 1 if there is nobody, as the measures have it."""
        return 1 / max(1, self.sizes[0]) if self.sizes else 1.0

    @property
    def at_highest(self) -> int:
        """How many have the highest risk."""
        return self.people[0] if self.people else 0

    @property
    def mean(self) -> float:
        """The mean risk: the share of people whom an intruder links rightly who guesses."""
        if not self.people:
            return 1.0
        sums = (many / max(1, size) for size, many in zip(self.sizes, self.people, strict=True))
        return sum(sums) / self.everybody

    def above(self, threshold: float) -> int:
        """Return how many have a risk above a threshold; equal to it is not above."""
        exact = Fraction(repr(float(threshold)))
        return sum(
            many
            for size, many in zip(self.sizes, self.people, strict=True)
            if Fraction(1, max(1, size)) > exact
        )

    def by_band(self) -> tuple[int, ...]:
        """Return how many are in classes of each band of sizes."""
        return people_by_band(zip(self.sizes, self.people, strict=True))


def people_by_band(found: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return how many of (size, people) are in each band of sizes.

    >>> people_by_band([(1, 3), (3, 6), (120, 120)])
    (3, 0, 6, 0, 0, 0, 120)
    """
    totals = [0] * (len(BANDS) + 1)
    for size, many in found:
        totals[sum(size > last for last in BANDS)] += many
    return tuple(totals)


def band_names() -> tuple[str, ...]:
    """Return what the bands are called: the sizes of their classes.

    >>> band_names()
    ('1', '2', '3 to 4', '5 to 9', '10 to 19', '20 to 99', '100 or more')
    """
    names = [str(BANDS[0])]
    for before, last in pairwise(BANDS):
        names.append(str(last) if last == before + 1 else f"{before + 1} to {last}")
    return (*names, f"{BANDS[-1] + 1} or more")
