"""Protection: the inverse of the diversity of a class (Loukides & Shao, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, SeenFrom, column_of
from sfumato.measures.utility.usefulness import mean_diversity
from sfumato.microdata.count_table import Leaves

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


def _inverse(diversity: Floats) -> Floats:
    inverse: Floats = np.full(diversity.shape, np.inf)
    np.divide(1.0, diversity, out=inverse, where=diversity > 0)
    return inverse


@dataclass(frozen=True, kw_only=True)
class Protection(Measure):
    """1 / usefulness, at least 1; infinite where all rows of every class are alike.

    Despite its name less is better: the inverse diversity is the risk side of the pair, and the
    more the rows of a class differ, the less a class tells about its members. So usefulness and
    protection cannot both be low, which is the trade-off the two were made for.

    Bound: a kept class is at most as diverse as the class of the coarsest corner around it, and
    B suppressed rows have diversity 1, so usefulness(n) <= usefulness(coarsest) + B / N, and
    protection(n) is at least the inverse of that.
    """

    name: ClassVar[str] = "protection"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Loukides & Shao 2007; MOEA §1.3.2"
    unit: ClassVar[str] = "inverse mean diversity"
    meaning: ClassVar[str] = (
        "How similar the original values within a class are, on average: low values mean that a "
        "class hides more about its members."
    )
    seen_from: ClassVar[SeenFrom] = SeenFrom.ORIGINALS
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the leaves of all quasi-identifiers."""
        return tuple(Leaves(name) for name in table.names)

    def evaluate(self, classes: Classes) -> Floats:
        """Return the protection of every candidate."""
        return _inverse(mean_diversity(classes))

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the inverse of the greatest diversity that is possible below, relaxed."""
        greatest = mean_diversity(classes) + budget / classes.table.rows
        return column_of(self.relaxed(_inverse(np.minimum(1.0, greatest))))
