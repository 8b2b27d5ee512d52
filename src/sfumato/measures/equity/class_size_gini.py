"""How unequally the rows share privacy: the Gini coefficient of class sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.equity.row_spread import ClassSizeSpread
from sfumato.measures.measure import Direction, Monotone

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.measures.equity.row_values import RowValues


@dataclass(frozen=True, kw_only=True)
class ClassSizeGini(ClassSizeSpread):
    """The Gini coefficient of the class sizes of all rows: 0 if everybody's class is as large.

    Σ over pairs of rows of |size - size'| / (N · Σ size), a class of its own for the suppressed
    rows. It measures the bias that k hides (Comparison §2). It moves both ways along
    generalization, and no bound is known.
    """

    name: ClassVar[str] = "class-size-gini"
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Comparison §2 (anonymization bias); Gini 1912"
    unit: ClassVar[str] = "Gini coefficient"
    meaning: ClassVar[str] = (
        "How unequally records are protected by their class sizes: 0 if all classes are equally "
        "large, near 1 if few records are in very large classes."
    )
    meaning_of_people: ClassVar[str] = (
        "How unequally people are protected by their class sizes: 0 if all classes are equally "
        "large, near 1 if few people are in very large classes."
    )

    def spread(self, rows: RowValues) -> Floats:
        """Return the Gini coefficient of every candidate."""
        return rows.gini()
