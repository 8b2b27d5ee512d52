"""δ-disclosure privacy: no value much more or less frequent than in the table."""

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
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class DeltaDisclosure(Measure):
    """The greatest |log2(q / p)| of a value that occurs in a kept class; infinite if none is kept.

    q is the share of the value in the class and p that in all N rows. Values that do not occur in
    a class are left out: by the letter of the definition they would make it infinite. Merging can
    make a rare value occur where it did not, so that it is not monotone. With several sensitive
    columns it is the worst. With a person key everybody weighs 1, split over their values.

    Bound: it is at least log2(1 + β) with the bound of β-likeness (docs/method.md, B30).
    """

    name: ClassVar[str] = "delta-disclosure"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Brickell & Shmatikov 2008, §3"
    unit: ClassVar[str] = "bits"
    meaning: ClassVar[str] = (
        "How much more or less frequent a sensitive value is in some class than in the whole "
        "table, in powers of two (δ-disclosure privacy, over the values that occur)."
    )
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the greatest distance of every class."""
        found = [lifts.greatest(np.abs(np.log2(lifts.lifts))) for lifts in lifts_by_column(batch)]
        values: Floats = np.maximum.reduce(found)
        return values

    def evaluate(self, classes: Classes) -> Floats:
        """Return δ of every candidate."""
        return classes.max_kept(self.class_values(classes.batch), empty=np.inf)

    def inherited(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that it is not: a value can be rare in a merged class and absent in its parts."""
        return False

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the logarithm of the greatest lift that suppression cannot take away."""
        found = [
            lifts.greatest(np.log2(np.maximum(lifts.lifts * (1 - 1e-9), 1.0)))
            for lifts in lifts_by_column(classes.batch, budget=budget)
        ]
        return column_of(self.relaxed(classes.max_kept(np.maximum.reduce(found), empty=0.0)))
