"""The size of a row's class: what k-anonymity is about (Comparison §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.properties.property import Property
from sfumato.measures.measure import Direction, Scale

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class ClassSize(Property):
    """d_i = |class of row i|; for a suppressed row the number of suppressed rows.

    With a person key, the people in the class.
    """

    name: ClassVar[str] = "class-size"
    direction: ClassVar[Direction] = Direction.HIGHER
    unit: ClassVar[str] = "rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "The number of records that share the quasi-identifiers of a record. Suppressed records "
        "form one class."
    )
    meaning_of_people: ClassVar[str] = (
        "The number of people who share the quasi-identifiers of a record. Suppressed records "
        "form one class."
    )
    reference: ClassVar[str] = "Comparison §3"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the class size of every row."""
        return self.vector_of(
            anonymization, anonymization.units, best=anonymization.table.units, worst=1
        )
