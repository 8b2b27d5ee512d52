"""Protection: the inverse of the diversity of a row's class (Loukides & Shao, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import (
    ROUNDING,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    SeenFrom,
    column_of,
)
from sfumato.measures.utility.usefulness import diversities
from sfumato.microdata.count_table import Leaves

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


def inverse_diversities(classes: Classes) -> Floats:
    """Return the inverse of the mean diversity of every class over the quasi-identifiers.

    A class whose rows are all alike has no diversity. It counts as one whose rows differ by the
    least there can be: by one step in one column.
    """
    found = diversities(classes)
    total: Floats = np.zeros(classes.batch.sizes.shape, dtype=np.float64)
    for diversity, greatest in found:
        total += diversity / greatest
    least = 1 / max(greatest for _, greatest in found)
    inverse: Floats = len(found) / np.maximum(total, least)
    return inverse


@dataclass(frozen=True, kw_only=True)
class Protection(Measure):
    """The mean over rows of 1 / the diversity of the row's class; 1 for a suppressed row.

    Despite its name less is better: the inverse diversity is the risk side of the pair, and the
    more the rows of a class differ, the less a class tells about its members. It is a mean of
    inverses, not the inverse of a mean: so it tells two recodings of one usefulness apart, and
    is the worse the more unequal their classes are. Where the rows of a class are all alike,
    they count as if they differed by one step in one column.

    Bound: a kept class is at most as diverse as the class of the coarsest corner around it, and a
    suppressed row counts 1. So protection(n) >= protection(coarsest) - B / N · (v - 1), where v is
    the greatest inverse diversity of a class there.
    """

    name: ClassVar[str] = "protection"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Loukides & Shao 2007; MOEA §1.3.2"
    unit: ClassVar[str] = "mean inverse diversity"
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
        kept = classes.add_kept(classes.batch.sizes * inverse_diversities(classes))
        found: Floats = (kept + classes.suppressed_rows) / classes.table.rows
        return found

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least protection that is possible below, relaxed before the subtraction."""
        greatest = classes.max_kept(inverse_diversities(classes), empty=1.0)
        saved = (budget / classes.table.rows) * (greatest - 1) * (1 + ROUNDING)
        least = self.relaxed(self.evaluate(classes)) - saved
        return column_of(np.maximum(1 - ROUNDING, least))
