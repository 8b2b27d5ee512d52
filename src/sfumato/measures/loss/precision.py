"""Precision: how far cells stay below the tops of their hierarchies (Sweeney, 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.class_batch import SeenFrom
from sfumato.measures.loss.generalization_height import GeneralizationHeight
from sfumato.measures.measure import Box, Direction, Monotone, Proved, Scale

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Precision(GeneralizationHeight):
    """Prec = 1 - (Σ over all cells of level / height of the hierarchy) / (N · columns).

    A suppressed cell is at the top of its hierarchy. A hierarchy without steps loses nothing
    while its rows are kept.

    The heights of hierarchies can depend on the values of the source, so that a written file does
    not show it.

    Bound: a node of a box has at least the levels of its finest corner, and suppression only
    lowers the precision, so Prec(n) <= the unsuppressed Prec(finest) (docs/method.md, B40).
    """

    name: ClassVar[str] = "precision"
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Sweeney 2002 (Prec)"
    unit: ClassVar[str] = "share of cells"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "How much of the height of its hierarchy a cell has kept on average: 1 if nothing is "
        "generalized, 0 if everything is at the top of its hierarchy or suppressed."
    )
    counts: ClassVar[bool] = False
    seen_from: ClassVar[SeenFrom] = SeenFrom.ORIGINALS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    def evaluate(self, classes: Classes) -> Floats:
        """Return the precision of every candidate."""
        climbed = climbed_shares(classes.table)
        shares = np.zeros(classes.batch.recodings, dtype=np.float64)
        for levels, share in zip(self.chosen_levels(classes), climbed, strict=True):
            shares += share[levels]
        kept = 1.0 - shares[classes.recoding] / len(climbed)
        return np.asarray(classes.kept_rows * kept / classes.table.rows, dtype=np.float64)

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the precision of the finest corner without suppression."""
        climbed = climbed_shares(tables.table)
        total = sum(share[level] for share, level in zip(climbed, box.finest_levels, strict=True))
        best = np.array([1.0 - float(total) / len(climbed)])
        return float(self.relaxed(best)[0])


def climbed_shares(table: CountTable) -> tuple[Floats, ...]:
    """Return, for every column, level / height of each of its levels."""
    return tuple(
        np.arange(hierarchy.height + 1) / max(1, hierarchy.height)
        for hierarchy in table.hierarchies
    )
