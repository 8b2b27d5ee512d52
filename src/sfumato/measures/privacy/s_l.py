"""S_l: how many rows of its class share each row's sensitive value (PBG §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from sfumato.classes.protected_groups import ProtectedGroups
from sfumato.classes.unit_values import sum_over_units
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, Scale, column_of
from sfumato.measures.privacy.s_k import at_most_all
from sfumato.measures.sensitive_column import sensitive_column

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


@dataclass(frozen=True, kw_only=True)
class SL(Measure):
    """The sum over rows of the count of the row's own value in its class.

    S_l = Σ over kept classes Σ_v count_v² + Σ_v (suppressed count_v)²: the suppressed rows are
    one class. With a person key it is the sum over people of how many have their value in their
    class, the least over their values and classes. ``column`` names the sensitive column; it is
    optional where there is only one.

    Bound: as for S_k, value by value: S_l(n) <= S_l(coarsest) + B².
    """

    name: ClassVar[str] = "s-l"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "PBG §6; Comparison §3"
    unit: ClassVar[str] = "rows, summed over rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "For every record, how many records of its class have the same sensitive value, added "
        "up over all records."
    )
    meaning_of_people: ClassVar[str] = (
        "For every person, how many people of their class have the same sensitive value, added up "
        "over all people."
    )
    counts: ClassVar[bool] = True
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    column: str | None = None

    @classmethod
    def variants(cls, table: CountTable) -> tuple[Self, ...]:
        """Return one measure for each sensitive column, named where there are several."""
        if len(table.sensitive) == 1:
            return (cls(),)
        return tuple(cls(column=column.name) for column in table.sensitive)

    def check(self, table: CountTable) -> None:
        """Refuse a table without the column, or a choice between several."""
        super().check(table)
        sensitive_column(table, self.column, asker=f"measure {self.name!r}", example=self.name)

    def _column(self, table: CountTable) -> str:
        return table.sensitive[0].name if self.column is None else self.column

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the one column that this measure is about."""
        self.check(table)
        return (table.protected(self._column(table)),)

    def _squares(self, classes: Classes) -> Counts:
        column = self._column(classes.table)
        found = sum_over_units(classes, column, ProtectedGroups.having, greatest=False)
        return np.asarray(found, dtype=np.int64)

    def evaluate(self, classes: Classes) -> Floats:
        """Return S_l of every candidate."""
        return self._squares(classes).astype(np.float64)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return S_l + B², added as integers; never beyond N², which no S_l exceeds."""
        return column_of(at_most_all(self._squares(classes), classes.table.units, budget))
