"""Generalization height: how many levels a recoding has climbed (Samarati, 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.measure import Box, Direction, Kind, Measure, Monotone, Proved, SeenFrom

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class GeneralizationHeight(Measure):
    """The sum of the levels of all quasi-identifiers: the length of the distance vector.

    It is defined for full-domain recodings only; suppression does not change it.

    Bound: every node of a box has at least the levels of the finest corner.
    """

    name: ClassVar[str] = "height"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Samarati 2001 (distance vector); PBG §3"
    unit: ClassVar[str] = "levels"
    meaning: ClassVar[str] = (
        "The number of generalization steps, added up over all quasi-identifiers."
    )
    counts: ClassVar[bool] = True
    needs_levels: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.PARTITIONS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    def check(self, table: CountTable) -> None:
        """Refuse a table with a column whose partitions are not levels."""
        super().check(table)
        for identifier in table.quasi_identifiers:
            if not isinstance(identifier.hierarchy, Hierarchy):
                raise SettingsError(
                    f"measure {self.name!r} is about levels, and column {identifier.name!r} has "
                    "admissible partitions without levels",
                    code="no-levels",
                    column=identifier.name,
                    remedy="use 'loss' instead",
                )

    def evaluate(self, classes: Classes) -> Floats:
        """Return the height of every candidate."""
        batch = classes.batch
        height: Counts = np.zeros(batch.recodings, dtype=np.int64)
        for levels in self.chosen_levels(classes):
            height += levels
        return height[classes.recoding].astype(np.float64)

    def chosen_levels(self, classes: Classes) -> list[Counts]:
        """Return the level of every recoding of a batch, for every quasi-identifier."""
        batch, chosen = classes.batch, []
        for q, book in enumerate(batch.books):
            if book.levels is None:
                raise SettingsError(
                    f"measure {self.name!r} is about levels, and these recodings are partitions "
                    "without levels",
                    code="no-levels",
                    remedy="search the space 'lattice', or use 'loss' instead",
                )
            chosen.append(book.levels[batch.choices[:, q]])
        return chosen

    def lacking(self, classes: Classes) -> str | None:
        """Return why there is no height: some columns are not recoded to one level."""
        lacks = super().lacking(classes)
        if lacks is None and any(book.levels is None for book in classes.batch.books):
            return "the rows are not all recoded to the same level"
        return lacks

    def bound(self, box: Box, tables: ClassTables) -> float:  # noqa: ARG002
        """Return the height of the finest corner."""
        return float(sum(box.finest_levels))
