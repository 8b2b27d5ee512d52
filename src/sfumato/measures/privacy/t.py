"""t-closeness: every class distributed like the whole table (Li et al., 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, column_of
from sfumato.measures.privacy.earth_movers_distance import earth_movers_distance

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes


def _worst_distances(batch: ClassBatch) -> Floats:
    columns = batch.table.sensitive
    worst: Floats = np.maximum.reduce([earth_movers_distance(batch, c) for c in columns])
    return worst


@dataclass(frozen=True, kw_only=True)
class T(Measure):
    """The greatest distance of a kept class to the distribution of all N rows; 1 if none is kept.

    With a person key everybody weighs 1, split equally over their different values in the class,
    or in the table.

    t = max over kept classes of EMD(class, table), by the ground distance of each sensitive
    column (equal unless it has another); with several columns the worst.

    Bound: the distance to a fixed distribution is convex, so one kept part of a class C of the
    coarsest corner is at least as far away as all kept rows of C are; these are C without
    b <= B rows, which moves it by at most b / |C|: t(n) >= t(C) - B / |C|.
    """

    name: ClassVar[str] = "t"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Li, Li & Venkatasubramanian 2007, §§4-5"
    unit: ClassVar[str] = "earth mover's distance"
    meaning: ClassVar[str] = (
        "How far the distribution of the sensitive attribute in some class is from its "
        "distribution in the whole table (t-closeness). At 0 a class reveals nothing beyond the "
        "table."
    )
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return t of every candidate."""
        return classes.max_kept(_worst_distances(classes.batch), empty=1.0)

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the distance of every class."""
        return _worst_distances(batch)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the greatest distance that suppression cannot take away."""
        sizes = classes.units
        # Relaxed before the subtraction: its rounding error is relative to what it starts from.
        least = self.relaxed(_worst_distances(classes.batch)) - budget / sizes
        least = np.where(sizes > budget, np.maximum(least, 0.0), 0.0)
        return column_of(classes.max_kept(least, empty=0.0))
