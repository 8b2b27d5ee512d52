"""How often a row's own sensitive value occurs in its class (Comparison §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.properties.property import SensitiveProperty
from sfumato.measures.measure import Direction, Scale

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class OwnValueCount(SensitiveProperty):
    """d_i = number of rows in the class of row i that have its sensitive value.

    With a person key, the people of the class who have it.

    As in the paper (and S_l of PBG) more is better: a value that is alone in its class points to
    its row. `own-value-share` looks at the same counts from the side of inference.
    """

    name: ClassVar[str] = "own-value-count"
    direction: ClassVar[Direction] = Direction.HIGHER
    unit: ClassVar[str] = "rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "How many records of the class have the sensitive value of the record. A value that is "
        "unique in its class points to its record."
    )
    meaning_of_people: ClassVar[str] = (
        "How many people of the class have the sensitive value of the record. A value that only "
        "one of them has points to that person."
    )
    reference: ClassVar[str] = "Comparison §3 (P_l-div); PBG §6 (S_l)"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the count of every row's own value."""
        column = self.counted_column(anonymization.table)
        groups = anonymization.value_groups(column.name)
        return self.vector_of(
            anonymization,
            groups.having,
            best=int(anonymization.table.units_by_value(column.name).max()),
            worst=1,
            group_of=groups.group_of,
        )
