"""What the worst tenth of the rows lose: their mean loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.equity.row_spread import RowLossSpread, tenth
from sfumato.measures.measure import Direction, Monotone, Proved, column_of

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.measures.equity.row_values import RowValues


@dataclass(frozen=True, kw_only=True)
class RowLossWorstTenth(RowLossSpread):
    """The mean loss, in cells, of the ⌈N/10⌉ rows that lose most; suppressed rows lose all.

    Bound: a row's loss only grows along generalization and is at most that of suppression, so the
    worst tenth of every candidate in a box loses at least what that of the finest corner does
    without suppression, whatever the policy.
    """

    name: ClassVar[str] = "row-loss-worst-tenth"
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Comparison §2 (anonymization bias); Iyengar 2002 (GLM)"
    unit: ClassVar[str] = "cells"
    meaning: ClassVar[str] = (
        "The mean information loss of the tenth of the records that lose most, in cells."
    )
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE
    bound_needs_finest: ClassVar[bool] = True

    def spread(self, rows: RowValues) -> Floats:
        """Return the mean of every candidate's worst tenth."""
        return rows.mean_of_greatest(tenth(rows.total))

    def evidence(self, classes: Classes, budget: int) -> Floats:  # noqa: ARG002
        """Return the worst tenth without suppression, relaxed."""
        return column_of(self.relaxed(self.evaluate(classes)))
