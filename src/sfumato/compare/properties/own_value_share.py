"""How likely a row's own sensitive value is to someone who knows its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.properties.property import SensitiveProperty
from sfumato.measures.measure import Direction, Scale

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class OwnValueShare(SensitiveProperty):
    """d_i = count of row i's sensitive value in its class / size of the class; lower is better."""

    name: ClassVar[str] = "own-value-share"
    direction: ClassVar[Direction] = Direction.LOWER
    unit: ClassVar[str] = "share of the class"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The attribute disclosure risk of a record: how probable its own sensitive value is to "
        "an intruder who knows its class."
    )
    reference: ClassVar[str] = "Comparison §3; MOEA def. 1.4 (its greatest value is 1 / l)"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the share of every row's own value."""
        column = self.counted_column(anonymization.table)
        groups = anonymization.value_groups(column.name)
        return self.vector_of(
            anonymization,
            groups.having / anonymization.units[groups.class_of],
            best=0.0,
            worst=1.0,
            group_of=groups.group_of,
        )
