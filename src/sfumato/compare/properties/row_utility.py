"""What is left of a row's information (Comparison §5.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.properties.property import Property
from sfumato.compare.properties.row_loss import class_losses
from sfumato.measures.loss.loss import total_weight
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class RowUtility(Property):
    """d_i = Σ weights - loss of row i, which is the number of quasi-identifiers less the loss.

    ``cell`` says how a cell's loss is counted, as for `row-loss`; the utilities of the paper
    (2.03, 1.7, 1.6, 0.97) are those of "share".
    """

    name: ClassVar[str] = "row-utility"
    direction: ClassVar[Direction] = Direction.HIGHER
    unit: ClassVar[str] = "cells"
    meaning: ClassVar[str] = (
        "The information that a record keeps, in cells: the number of its quasi-identifiers "
        "less its information loss."
    )
    reference: ClassVar[str] = "Comparison §5.5; Iyengar 2002"

    cell: str = "glm"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the utility of every row."""
        whole = total_weight(anonymization.table)
        losses = class_losses(anonymization, cell=self.cell, name=self.name)
        # Adding weights in another order than losses may leave less than nothing by a rounding.
        return self.vector_of(anonymization, (whole - losses).clip(min=0.0), best=whole, worst=0.0)
