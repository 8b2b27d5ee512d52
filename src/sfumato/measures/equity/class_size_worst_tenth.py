"""How the worst tenth of the rows fares: their mean class size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.equity.class_size_quantile import at_least
from sfumato.measures.equity.row_spread import ClassSizeSpread, tenth
from sfumato.measures.measure import Direction, Monotone, Proved, Scale, column_of

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.measures.equity.row_values import RowValues


@dataclass(frozen=True, kw_only=True)
class ClassSizeWorstTenth(ClassSizeSpread):
    """The mean class size of the ⌈N/10⌉ rows in the smallest classes.

    Between k, which looks at one class, and weighted-k, in which few rows in large classes
    outweigh many in small ones. The suppressed rows are one class.

    Bound: as for class-size-quantile, the worst tenth of max(|C|, B), C being the row's class in
    the coarsest corner.
    """

    name: ClassVar[str] = "class-size-worst-tenth"
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Comparison §2 (anonymization bias)"
    unit: ClassVar[str] = "rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "The mean class size of the tenth of the records that are in the smallest classes."
    )
    meaning_of_people: ClassVar[str] = (
        "The mean class size, in people, of the tenth of the people who are in the smallest "
        "classes."
    )
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def spread(self, rows: RowValues) -> Floats:
        """Return the mean of every candidate's worst tenth."""
        return rows.mean_of_least(tenth(rows.total))

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the worst tenth of max(size, B)."""
        return column_of(np.concatenate([self.spread(rows) for rows in at_least(classes, budget)]))
