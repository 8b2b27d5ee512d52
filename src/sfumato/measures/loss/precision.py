"""Precision: how far cells stay below the tops of their hierarchies (Sweeney, 2002)."""

from __future__ import annotations

import math
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

    @property
    def needs_values(self) -> bool:
        """It needs the heights of the hierarchies, which are known with a minimum level too."""
        return False

    def evaluate(self, classes: Classes) -> Floats:
        """Return the precision of every candidate."""
        steps, whole = steps_down(classes.table)
        left = np.full(classes.batch.recodings, whole, dtype=np.int64)
        for levels, step in zip(self.chosen_levels(classes), steps, strict=True):
            left -= step * levels
        # Whole numbers, so that equal shares are equal numbers.
        kept = classes.kept_rows * left[classes.recoding]
        return np.asarray(kept / (whole * classes.table.rows), dtype=np.float64)

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the precision of the finest corner without suppression."""
        steps, whole = steps_down(tables.table)
        lost = sum(step * level for step, level in zip(steps, box.finest_levels, strict=True))
        return float(self.relaxed(np.array([(whole - lost) / whole]))[0])


def steps_down(table: CountTable) -> tuple[list[int], int]:
    """Return what a level of every column takes of a row's precision, and what a row has in all.

    Both are whole numbers in the unit 1 / least common multiple of the heights.
    """
    heights = [max(1, hierarchy.height) for hierarchy in table.hierarchies]
    unit = math.lcm(*heights)
    return [unit // height for height in heights], unit * len(heights)
