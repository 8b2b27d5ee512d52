"""weighted-k: the mean class size that a row sees (MOEA §1.4.1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, Scale

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class WeightedK(Measure):
    """The class size of the average row, always before suppression.

    weighted-k = Σ i · |E_i| / Σ |E_i| = Σ |class|² / N over all classes; the index P_s-avg of
    Comparison §3.

    With a person key it is the mean over people of how many people are in their class, the
    smallest if they are in several.

    Bound: merging classes only adds to Σ |class|², so weighted-k(n) <= weighted-k(coarsest)
    under every policy.
    """

    name: ClassVar[str] = "weighted-k"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "MOEA §1.4.1.1; Comparison §3 (P_s-avg)"
    unit: ClassVar[str] = "rows"
    before_suppression: ClassVar[bool] = True
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "The size of the equivalence class of the average record, before suppression."
    )
    meaning_of_people: ClassVar[str] = (
        "The number of people in the equivalence class of the average person, before suppression."
    )
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return weighted-k of every candidate."""
        return classes.squares / classes.table.units
