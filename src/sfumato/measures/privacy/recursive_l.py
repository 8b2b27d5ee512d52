"""Recursive (c, ℓ)-diversity: the top value not too frequent (Machanavajjhala et al., 2007)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.arrays import plain_numbers
from sfumato.errors import SettingsError, shown
from sfumato.measures.measure import column_of
from sfumato.measures.privacy.diversity import DescendingCounts, Diversity

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes

_LARGEST = 10_000
_ROOM = 2**62 // _LARGEST


@dataclass(frozen=True, kw_only=True)
class RecursiveL(Diversity):
    """The largest ℓ with r_1 < c · (r_ℓ + … + r_m) in every kept class; 0 if there is none.

    r_1 >= … >= r_m are the counts of the values in a class, missing ones only if the study counts
    them. The right side falls with ℓ, so a
    class has a largest one, and the value is the least over the kept classes and sensitive
    columns. ``c`` is taken as the fraction it is close to, and the comparison made in integers.

    Bound: for the kept parts of a class C of the coarsest corner, Σ r_1 >= r_1(C) - B and the
    sum of the tails is at most the tail of C, so ℓ(n) is at most the largest ℓ <= m with
    r_1 - B < c · (r_ℓ + … + r_m).
    """

    name: ClassVar[str] = "recursive-l"
    reference: ClassVar[str] = "Machanavajjhala et al. 2007"
    meaning: ClassVar[str] = (
        "How many of the most frequent sensitive values an intruder has to rule out in every "
        "class before one value prevails (recursive l-diversity)."
    )
    counts: ClassVar[bool] = True

    c: float

    def __post_init__(self) -> None:
        plain_numbers(self)
        if isinstance(self.c, bool) or not isinstance(self.c, int | float) or math.isnan(self.c):
            raise self._wrong("not-a-number", "a number like 3")
        if not 0 < self.c <= _LARGEST:
            raise self._wrong("out-of-range", f"greater than 0 and at most {_LARGEST}, like 3")
        object.__setattr__(self, "c", float(self.c))
        if abs(self.fraction - Fraction(self.c)) > Fraction(self.c) / 10**9:
            expected = (
                f"at most four digits after the point, or a ratio of numbers up to {_LARGEST}"
            )
            raise self._wrong("too-many-digits", expected)

    def _wrong(self, code: str, expected: str) -> SettingsError:
        found = shown(self.c)
        problem = f"c of measure {self.name!r} is {found}"
        return SettingsError(problem, code=code, found=found, expected=expected)

    @property
    def fraction(self) -> Fraction:
        """The fraction that c is close to."""
        return Fraction(self.c).limit_denominator(_LARGEST)

    def _largest_l(self, batch: ClassBatch, column: str, budget: int) -> Counts:
        ranked = DescendingCounts.of(batch, column)
        tails = ranked.totals[ranked.of_class] - ranked.before
        top = ranked.counts[ranked.first][ranked.of_class] - budget * ranked.scale
        if ranked.scale * batch.table.rows >= _ROOM:
            holds = top / tails < float(self.fraction)
        else:
            holds = top * self.fraction.denominator < self.fraction.numerator * tails
        largest: Counts = np.add.reduceat(holds.astype(np.int64), ranked.first)
        return np.where(batch.known_values(column).unknown, 0, largest)

    def _worst(self, batch: ClassBatch, budget: int) -> Counts:
        columns = batch.table.sensitive
        by_column = [self._largest_l(batch, c.name, budget) for c in columns]
        worst: Counts = np.minimum.reduce(by_column)
        return worst

    def class_values(self, batch: ClassBatch) -> Counts:
        """Return ℓ of every class."""
        return self._worst(batch, 0)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least ℓ of the classes that suppression cannot remove, at its best."""
        values = np.where(classes.units > budget, self._worst(classes.batch, budget), np.inf)
        return column_of(classes.min_kept(values, empty=np.inf))
