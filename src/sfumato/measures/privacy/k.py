"""k-anonymity as a value: the smallest class (Samarati & Sweeney; MOEA def. 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.classes.classes import Classes
from sfumato.classes.suppression import limited
from sfumato.measures.measure import (
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    Scale,
    column_of,
    proved,
)

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class K(Measure):
    """The size of the smallest kept class; 0 if nothing is kept.

    k = min |class| over the kept classes (MOEA eq. 1.6: k = d + 1), in people where there is a
    person key: the least number of different people.

    Bound: rows that sit in classes of at least k rows still do after merging, so under a limit
    k(n) <= k(coarsest), whichever threshold within the limit is taken (docs/method.md, B1).
    """

    name: ClassVar[str] = "k"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "MOEA def. 1.3 and eq. 1.6; PBG §6"
    unit: ClassVar[str] = "rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "Every released record shares its quasi-identifiers with at least this many records, "
        "itself included. An intruder who knows a person's quasi-identifiers finds no fewer "
        "candidates."
    )
    counts: ClassVar[bool] = True
    rows_bound_people: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return k of every candidate."""
        return classes.smallest_kept

    def class_values(self, batch: ClassBatch) -> Counts:
        """Return the size of every class."""
        return batch.units

    def inherited(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that it is: merging classes loses nobody."""
        return True

    def parts_fail_too(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that they do: a part is no larger, and has no other values."""
        return True

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:  # noqa: ARG002
        """Say whether it is proved: also for people who are in several cells."""
        return proved(self.bound_proved, budget)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return k under the largest threshold within the limit."""
        return column_of(self.evaluate(Classes.of(classes.batch, limited(budget))))
