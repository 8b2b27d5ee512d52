"""SL: what the suppressed rows lose, all their cells (MOEA eq. 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.loss.loss import exact_loss
from sfumato.measures.measure import Box, Direction, Kind, Measure, Monotone, Proved, SeenFrom

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class SuppressionLoss(Measure):
    """SL in cells: (Σ weights) × suppressed rows; without weights, n_QI × suppressed rows.

    It is 0 where nothing is suppressed, and under a limit it follows no rule along
    generalization. Its bound is the trivial one.
    """

    name: ClassVar[str] = "sl"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "MOEA eq. 1.3; Crossover §2.2"
    unit: ClassVar[str] = "cells"
    meaning: ClassVar[str] = (
        "The part of the information loss that suppressed records cause, in cells."
    )
    counts: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.BLOCKS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    def evaluate(self, classes: Classes) -> Floats:
        """Return SL of every candidate."""
        return exact_loss(classes).total(np.outer(classes.suppressed_rows, classes.widths))

    def bound(self, box: Box, tables: ClassTables) -> float:  # noqa: ARG002
        """Return 0: a candidate may suppress nothing."""
        return 0.0
