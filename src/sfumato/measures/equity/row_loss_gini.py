"""How unequally the rows bear the loss: the Gini coefficient of row losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.equity.row_spread import RowLossSpread
from sfumato.measures.measure import Direction, Monotone

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.measures.equity.row_values import RowValues


@dataclass(frozen=True, kw_only=True)
class RowLossGini(RowLossSpread):
    """The Gini coefficient of the losses of all rows: 0 if every row loses as much.

    Σ over pairs of rows of |loss - loss'| / (N · Σ loss), and 0 if nothing is lost; a suppressed
    row loses all its cells. No bound is known.
    """

    name: ClassVar[str] = "row-loss-gini"
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Comparison §2 (anonymization bias); Gini 1912"
    unit: ClassVar[str] = "Gini coefficient"
    meaning: ClassVar[str] = (
        "How unequally information loss is spread over the records: 0 if every record loses the "
        "same."
    )

    def spread(self, rows: RowValues) -> Floats:
        """Return the Gini coefficient of every candidate."""
        return rows.gini()
