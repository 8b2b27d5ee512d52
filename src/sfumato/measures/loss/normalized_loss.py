"""The general loss metric as a share of the greatest possible loss (Iyengar; PBG §7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.loss.loss import exact_loss, finest_cells, lost_extents, total_weight
from sfumato.measures.measure import (
    Box,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    Scale,
    SeenFrom,
)

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


def greatest_loss(table: CountTable) -> float:
    """Return the loss of a wholly suppressed table, 1 if all its weights are 0."""
    return table.rows * total_weight(table) or 1.0


@dataclass(frozen=True, kw_only=True)
class NormalizedLoss(Measure):
    """The loss divided by that of the wholly suppressed table: between 0 and 1.

    normalized-loss = (GL + SL) / (N · Σ weights), where Σ weights is the number of
    quasi-identifiers unless weights are set.

    Bound: that of the loss, divided alike; it holds under every policy.
    """

    name: ClassVar[str] = "normalized-loss"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Iyengar 2002; MOEA eqs. 1.2-1.4; PBG §7 (GLM)"
    unit: ClassVar[str] = "share of all cells"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "Information loss as a share of all quasi-identifier cells: 0 % is the original table, "
        "100 % a table that tells nothing."
    )
    seen_from: ClassVar[SeenFrom] = SeenFrom.BLOCKS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    def evaluate(self, classes: Classes) -> Floats:
        """Return the normalized loss of every candidate."""
        return exact_loss(classes).total(lost_extents(classes)) / greatest_loss(classes.table)

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the unsuppressed normalized loss of the finest corner."""
        return finest_cells(tables, box.finest_levels) / greatest_loss(tables.table)
