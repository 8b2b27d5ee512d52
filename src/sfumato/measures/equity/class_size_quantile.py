"""The class size that a share of the rows does not exceed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.measures.equity.row_spread import ClassSizeSpread
from sfumato.measures.equity.row_values import size_values
from sfumato.measures.measure import Direction, Monotone, Proved, Scale, column_of

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes
    from sfumato.measures.equity.row_values import RowValues


@dataclass(frozen=True, kw_only=True)
class ClassSizeQuantile(ClassSizeSpread):
    """The least class size such that a share ``q`` of all rows is in a class of that or less.

    q = 0.5, the default, is the class size of the typical row, q = 0 that of the worst off. The
    suppressed rows are one class. The row is that of rank ⌈q·N⌉, in decimal arithmetic.

    Bound: a kept row's class lies in its class C of the coarsest corner, and a suppressed row has
    at most B rows beside it: no row has more than max(|C|, B), whose quantile is the bound.
    """

    name: ClassVar[str] = "class-size-quantile"
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Comparison §2 (anonymization bias)"
    unit: ClassVar[str] = "rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "The class size that a given share of the records does not exceed; by default that of "
        "the median record."
    )
    meaning_of_people: ClassVar[str] = (
        "The class size, in people, that a given share of the people does not exceed; by default "
        "that of the median person."
    )
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    q: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.q <= 1:
            raise SettingsError(
                f"q of measure {self.name!r} is {self.q}",
                code="out-of-range",
                found=str(self.q),
                expected="a share of the rows from 0 (the worst off) to 1",
            )

    def rank(self, rows: int) -> int:
        """Return the rank of the row in question, counted from 1."""
        share = Decimal(repr(float(self.q))) * rows
        return max(1, int(share.to_integral_value(rounding="ROUND_CEILING")))

    def spread(self, rows: RowValues) -> Counts | Floats:
        """Return the quantile of every candidate."""
        return rows.quantile(self.rank(rows.total))

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the quantile of max(size, B)."""
        return column_of(np.concatenate([self.spread(rows) for rows in at_least(classes, budget)]))


def at_least(classes: Classes, budget: int) -> list[RowValues]:
    """Return the class sizes of rows without suppression, none of them below the budget."""
    return list(size_values(classes, least=budget))
