"""S_k: the class sizes of all rows together (PBG §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.unit_values import size_sums
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, Scale, column_of

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes


def at_most_all(squares: Counts, rows: int, budget: int) -> Counts:
    """Return squares + B², or N² where that is less: so it fits 64 bits whenever N² does."""
    return np.minimum(squares, rows * rows - budget * budget) + budget * budget


@dataclass(frozen=True, kw_only=True)
class SK(Measure):
    """The sum over rows of the size of their class; the suppressed rows are one class.

    S_k = Σ |class|² over the kept classes + (suppressed rows)². With a person key it is the sum
    over people of how many people are in their class, the smallest if they are in several.

    Bound: merging adds to Σ |class|², and at most B suppressed rows form a class that does not
    exist in the coarsest corner: S_k(n) <= S_k(coarsest) + B² (without B² it is false).
    """

    name: ClassVar[str] = "s-k"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "PBG §6; Comparison §3"
    unit: ClassVar[str] = "rows, summed over rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "The class sizes of all records added up. It rises whenever any record shares its "
        "quasi-identifiers with more others."
    )
    meaning_of_people: ClassVar[str] = (
        "The people of a class, added up over all people, each in the smallest class that they "
        "are in. It rises whenever anybody shares their quasi-identifiers with more others."
    )
    counts: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return S_k of every candidate."""
        return size_sums(classes).astype("float64")

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return S_k + B², added as integers; never beyond N², which no S_k exceeds."""
        return column_of(at_most_all(size_sums(classes), classes.table.units, budget))
