"""How far the sensitive values of a row's class are from those of the table (t-closeness)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.properties.property import SensitiveProperty
from sfumato.measures.measure import Direction
from sfumato.measures.privacy.earth_movers_distance import distances_to_table

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class SensitiveDistance(SensitiveProperty):
    """d_i = EMD(class of row i, table), by the column's own ground distance; lower is better."""

    name: ClassVar[str] = "sensitive-distance"
    direction: ClassVar[Direction] = Direction.LOWER
    unit: ClassVar[str] = "earth mover's distance"
    meaning: ClassVar[str] = (
        "How far the sensitive values in the class of a record are distributed from those of "
        "the whole table, as in t-closeness."
    )
    reference: ClassVar[str] = "Comparison §3; Li, Li & Venkatasubramanian 2007"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the distance of every row's class."""
        table = anonymization.table
        column = self.counted_column(table)
        distances = distances_to_table(anonymization.protected(column.name), column)
        return self.vector_of(anonymization, distances, best=0.0, worst=1.0)
