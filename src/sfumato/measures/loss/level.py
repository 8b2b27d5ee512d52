"""The level of one quasi-identifier: an entry of the distance vector (Samarati, 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.measure import Box, Direction, Kind, Measure, Monotone, Proved, SeenFrom

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Level(Measure):
    """The level of one quasi-identifier, which suppression does not change.

    The levels of all of them are the distance vector of a recoding, whose sum is ``height``. With
    ``level`` of every quasi-identifier as the objectives, a front has the non-dominated distance
    vectors: no recoding generalizes one column less and none more (MOEA §1.3.2).

    Bound: every node of a box has at least the level of the finest corner.
    """

    name: ClassVar[str] = "level"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Samarati 2001 (distance vector); MOEA §1.3.2"
    unit: ClassVar[str] = "levels"
    meaning: ClassVar[str] = "The number of generalization steps of one quasi-identifier."
    counts: ClassVar[bool] = True
    needs_levels: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.PARTITIONS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    column: str

    def check(self, table: CountTable) -> None:
        """Refuse a table without the column, or where its partitions are not levels."""
        super().check(table)
        if self.column not in table.names:
            raise SettingsError(
                f"measure {self.name!r} names the column {self.column!r}, which is not a "
                "quasi-identifier",
                code="unknown-column",
                column=self.column,
                found=repr(self.column),
                expected=tuple(table.names),
                suggestion=closest(self.column, table.names),
            )
        hierarchy = table.hierarchies[table.names.index(self.column)]
        if not isinstance(hierarchy, Hierarchy):
            raise SettingsError(
                f"column {self.column!r} has admissible partitions without levels",
                code="no-levels",
                column=self.column,
                remedy="use 'loss' instead",
            )

    def evaluate(self, classes: Classes) -> Floats:
        """Return the level of every candidate."""
        batch, at = classes.batch, self._place(classes.table)
        levels = batch.books[at].levels
        if levels is None:
            raise SettingsError(
                f"measure {str(self)!r} is a level, and these recodings are partitions without "
                "levels",
                code="no-levels",
                column=self.column,
                remedy="search the space 'lattice', or use 'loss' instead",
            )
        found: Floats = np.asarray(levels[batch.choices[:, at]], dtype=np.float64)
        return found[classes.recoding]

    def lacking(self, classes: Classes) -> str | None:
        """Return why there is no level: the column is not recoded to one."""
        lacks = super().lacking(classes)
        if lacks is None and classes.batch.books[self._place(classes.table)].levels is None:
            return "the rows are not all recoded to the same level"
        return lacks

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the level of the finest corner."""
        return float(box.finest_levels[self._place(tables.table)])

    def _place(self, table: CountTable) -> int:
        return list(table.names).index(self.column)
