"""How often a row's own sensitive value occurs in its class (Comparison §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.compare.anonymization import class_numbers
from sfumato.compare.properties.property import SensitiveProperty
from sfumato.compare.property_vector import PropertyVector
from sfumato.data.count_table import exact_bincount
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.compare.anonymization import Anonymization
    from sfumato.data.arrays import Codes, Counts


def own_values(anonymization: Anonymization, column: str) -> tuple[Codes, Counts, Counts]:
    """Return for every entry its group of equal class and value, the groups' rows and class."""
    numbers, first = class_numbers([anonymization.class_of, anonymization.codes(column)])
    rows = exact_bincount(numbers, anonymization.table.entry_counts, first.shape[0])
    return numbers.astype(np.int32), rows, anonymization.class_of[first].astype(np.int64)


@dataclass(frozen=True, kw_only=True)
class OwnValueCount(SensitiveProperty):
    """d_i = number of rows in the class of row i that have its sensitive value.

    As in the paper (and S_l of PBG) more is better: a value that is alone in its class points to
    its row. `own-value-share` looks at the same counts from the side of inference.
    """

    name: ClassVar[str] = "own-value-count"
    direction: ClassVar[Direction] = Direction.HIGHER
    unit: ClassVar[str] = "rows"
    reference: ClassVar[str] = "Comparison §3 (P_l-div); PBG §6 (S_l)"

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the count of every row's own value."""
        column = self.counted_column(anonymization.table)
        group_of, rows, _ = own_values(anonymization, column.name)
        return PropertyVector.of_groups(
            rows,
            group_of,
            anonymization.individuals,
            name=str(self),
            direction=self.direction,
            best=int(anonymization.table.marginal(column.name).max()),
            worst=1,
            label=anonymization.label,
        )
