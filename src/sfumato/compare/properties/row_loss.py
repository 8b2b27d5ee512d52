"""What a row loses: its cells' shares of their domains (Comparison §3; Iyengar)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.class_batch import SeenFrom
from sfumato.compare.properties.property import Property
from sfumato.errors import SettingsError, shown
from sfumato.errors.suggestions import closest
from sfumato.measures.loss.cell_loss import cell_loss
from sfumato.measures.loss.loss import total_weight, weights_of
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector

CELLS = ("glm", "share")


def class_losses(anonymization: Anonymization, *, cell: str, name: str) -> Floats:
    """Return the weighted sum over the quasi-identifiers of the cell losses of every class."""
    if cell not in CELLS:
        raise SettingsError(
            f"cell of property {name!r} is {shown(cell)}",
            code="unknown-choice",
            found=shown(cell),
            expected=CELLS,
            suggestion=closest(str(cell), CELLS),
        )
    extents, table = anonymization.extents, anonymization.table
    if extents is None:
        raise SettingsError(
            f"property {name!r} needs the blocks of all labels, and "
            f"{anonymization.lacks[SeenFrom.BLOCKS]}",
            code="unknown-blocks",
            remedy="use the labels of the hierarchies, or compare by class-size",
        )
    if cell == "glm":
        widths = tuple(max(1, column.leaves - 1) for column in anonymization.labels)
        return cell_loss(widths, weights_of(table)).total(extents)
    total: Floats = np.zeros(extents.shape[0], dtype=np.float64)
    for q, (identifier, column) in enumerate(
        zip(table.quasi_identifiers, anonymization.labels, strict=True)
    ):
        # A suppressed cell of a domain of one leaf has an extent of 1, and loses 1 at most.
        share = np.minimum((extents[:, q] + 1) / column.leaves, 1.0)
        total += identifier.weight * share
    return total


@dataclass(frozen=True, kw_only=True)
class RowLoss(Property):
    """d_i = Σ over quasi-identifiers of weight × cell loss of row i, 1 for a suppressed cell.

    ``cell`` is "glm" for the general loss metric, (|block| - 1) / (|domain| - 1), or "share" for
    |block| / |domain|, which the paper's example uses.
    """

    name: ClassVar[str] = "row-loss"
    direction: ClassVar[Direction] = Direction.LOWER
    unit: ClassVar[str] = "cells"
    meaning: ClassVar[str] = (
        "The information loss of a record, in cells: 0 for a cell that keeps its value, 1 for "
        "one that tells nothing."
    )
    reference: ClassVar[str] = "Comparison §3; Iyengar 2002 (GLM)"

    cell: str = "glm"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the loss of every row."""
        return self.vector_of(
            anonymization,
            class_losses(anonymization, cell=self.cell, name=self.name),
            best=0.0,
            worst=total_weight(anonymization.table),
        )
