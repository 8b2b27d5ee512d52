"""How a property is spread over the rows of a written file: what the bias measures must be.

It shares no code with the measures, and the Gini coefficient is computed by another formula.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, kw_only=True)
class RowSpread:
    """How many rows have which value, in ascending order of the values."""

    values: tuple[float, ...]
    rows: tuple[int, ...]

    @classmethod
    def of(cls, kept: Iterable[tuple[float, int]], *, suppressed: float, times: int) -> RowSpread:
        """Return the spread over kept rows, as (value, rows), and ``times`` suppressed ones."""
        rows: Counter[float] = Counter()
        for value, count in (*kept, (suppressed, times)):
            rows[value] += count
        values = tuple(sorted(value for value in rows if rows[value]))
        return cls(values=values, rows=tuple(rows[value] for value in values))

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(self.rows)

    def gini(self) -> float:
        """Return the Gini coefficient: Σ over pairs of rows of |x - y| / (N · Σ x).

        Between two neighbouring values lies the distance of every pair of a row below and a row
        above it.

        >>> RowSpread(values=(1, 3), rows=(1, 1)).gini()
        0.25
        """
        total, below = self.total, accumulate(self.rows)
        apart = sum(
            (high - low) * rows * (total - rows)
            for (low, high), rows in zip(pairwise(self.values), below, strict=False)
        )
        whole = sum(value * rows for value, rows in zip(self.values, self.rows, strict=True))
        return apart / (total * whole) if whole else 0.0

    def quantile(self, share: str) -> float:
        """Return the value of the row of rank ⌈share · N⌉, the least first."""
        rank = max(1, math.ceil(Fraction(share) * self.total))
        reached = zip(self.values, accumulate(self.rows), strict=True)
        return next((value for value, rows in reached if rows >= rank), 0.0)

    def worst_tenth(self, *, greatest: bool) -> float:
        """Return the mean over the ⌈N / 10⌉ rows with the least values, or the greatest."""
        count = left = -(-self.total // 10)
        step = -1 if greatest else 1
        taken = []
        for value, rows in zip(self.values[::step], self.rows[::step], strict=True):
            taken.append(value * min(rows, left))
            left -= min(rows, left)
        return math.fsum(taken) / count if count else 0.0
