"""GL: what the kept rows lose by generalization alone (MOEA eq. 1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.loss.loss import exact_loss, finest_cells, total_weight
from sfumato.measures.measure import (
    ROUNDING,
    Box,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    SeenFrom,
)

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class GeneralizationLoss(Measure):
    """GL in cells: (|block| - 1) / (|domain| - 1) summed over the cells of the kept rows.

    Bound: suppression takes at most B rows out of the sum, each of which adds at most Σ weights,
    and what stays only grows along generalization: GL(n) >= GL(finest) - (Σ weights) · B.
    """

    name: ClassVar[str] = "gl"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Iyengar 2002; MOEA eq. 1.2; Crossover §2.2"
    unit: ClassVar[str] = "cells"
    meaning: ClassVar[str] = (
        "The part of the information loss that generalization causes in the released records, "
        "in cells."
    )
    counts: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.BLOCKS
    bound_proved: ClassVar[Proved] = Proved.LIMITED

    def evaluate(self, classes: Classes) -> Floats:
        """Return GL of every candidate."""
        return exact_loss(classes).total(classes.kept_extents)

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return GL of the finest corner less all that suppression can take out of it."""
        # Relaxed before the subtraction: its rounding error is relative to what it starts from.
        least = finest_cells(tables, box.finest_levels) * (1.0 - ROUNDING)
        return max(0.0, least - total_weight(tables.table) * box.budget)
