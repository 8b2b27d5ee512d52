"""C_AVG: the average class against the smallest one (LeFevre et al., 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.classes import Classes
from sfumato.classes.suppression import limited
from sfumato.measures.measure import ROUNDING, Box, Direction, Kind, Measure, Monotone, Proved

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables


@dataclass(frozen=True, kw_only=True)
class AverageClass(Measure):
    """C_AVG = kept rows / kept classes / k, at least 1; infinite where nothing is kept.

    LeFevre et al. divide by the k that was asked for; here it is the k that was achieved, so
    that the value is about the recoding alone: 1 means that all classes are equally large. It is
    a loss and counts rows: with a person key, k is here the rows of the smallest class.

    Bound: at least N - B rows are kept, in no more classes than the finest corner has, and k is
    at most that of the coarsest corner: C_AVG(n) >= (N - B) / classes(finest) / k(coarsest).
    """

    name: ClassVar[str] = "c-avg"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "LeFevre et al. 2006; MOEA §1.3.2"
    unit: ClassVar[str] = "classes of k rows"
    meaning: ClassVar[str] = (
        "The average class size divided by k. 1 means that all classes are equally large, so that "
        "none is larger than k requires."
    )
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_finest: ClassVar[bool] = True
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return C_AVG of every candidate."""
        smallest = classes.min_kept(classes.sizes, empty=0.0)
        average: Floats = np.full(classes.count, np.inf)
        kept = ~classes.empty
        average[kept] = classes.kept_rows[kept] / classes.kept_classes[kept] / smallest[kept]
        return average

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:
        """Say whether it is proved: not where classes are suppressed by their people."""
        return tables.table.people is None and super().has_bound(tables, budget)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the number of classes, and k under the largest threshold within the limit."""
        suppressed = Classes.of(classes.batch, limited(budget))
        smallest = suppressed.smallest_kept
        return np.stack((classes.batch.class_counts.astype(np.float64), smallest), axis=1)

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the average class of the finest corner against k of the coarsest, at least 1."""
        if box.finest is None or box.coarsest is None:
            return 1.0
        rows = tables.table.rows - box.budget
        least = rows / float(box.finest[0]) / float(box.coarsest[1])
        return max(1.0, least * (1.0 - ROUNDING))
