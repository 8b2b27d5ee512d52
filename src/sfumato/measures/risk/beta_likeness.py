"""β-likeness: no value much more frequent in a class than in the table (Cao & Karras 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, column_of
from sfumato.measures.risk.value_lifts import lifts_by_column

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes
    from sfumato.measures.risk.value_lifts import ValueLifts


@dataclass(frozen=True, kw_only=True)
class BetaLikeness(Measure):
    """The greatest relative gain of a value in a kept class; infinite if nothing is kept.

    β = max of (q - p) / p over the values with q > p, q the share of a value in the class and p
    that in all N rows; 0 if there is none. With several sensitive columns it is the worst. With a
    person key everybody weighs 1, split equally over their different values.

    Bound: as for frequency-l, some kept part of a class C of the coarsest corner has at least the
    share (count - B) / (|C| - B) of a value with count > B (docs/method.md, B29).
    """

    name: ClassVar[str] = "beta-likeness"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Cao & Karras 2012, def. 1"
    unit: ClassVar[str] = "relative gain"
    meaning: ClassVar[str] = (
        "How much more probable some sensitive value of a person becomes, relative to its share "
        "in the whole table, once their class is known (β-likeness). At 1 it is twice as probable."
    )
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def gains(self, lifts: ValueLifts, *, slack: float = 0.0) -> Floats:  # noqa: ARG002
        """Return what every value of a class contributes."""
        return lifts.gains

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the greatest gain in every class."""
        found = [lifts.greatest(self.gains(lifts)) for lifts in lifts_by_column(batch)]
        values: Floats = np.maximum.reduce(found)
        return values

    def evaluate(self, classes: Classes) -> Floats:
        """Return β of every candidate."""
        return classes.max_kept(self.class_values(classes.batch), empty=np.inf)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the greatest gain that suppression cannot take away."""
        slack = 1e-9
        found = [
            lifts.greatest(np.maximum(self.gains(lifts, slack=slack) - slack * lifts.lifts, 0.0))
            for lifts in lifts_by_column(classes.batch, budget=budget)
        ]
        return column_of(classes.max_kept(np.maximum.reduce(found), empty=0.0))
