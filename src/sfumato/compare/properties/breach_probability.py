"""The probability of finding a row within its class (Comparison §1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.properties.property import Property
from sfumato.measures.measure import Direction, Scale

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class BreachProbability(Property):
    """d_i = 1 / |class of row i|, in people where there is a person key."""

    name: ClassVar[str] = "breach-probability"
    direction: ClassVar[Direction] = Direction.LOWER
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The re-identification risk of a record: the probability that an intruder who knows its "
        "quasi-identifiers picks the right record of its class (prosecutor risk)."
    )
    meaning_of_people: ClassVar[str] = (
        "The re-identification risk of a record: the probability that an intruder who knows its "
        "quasi-identifiers picks the right person of its class (prosecutor risk)."
    )
    reference: ClassVar[str] = "Comparison §1"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the breach probability of every row."""
        return self.vector_of(
            anonymization,
            1.0 / anonymization.units,
            best=1.0 / anonymization.table.units,
            worst=1.0,
        )
