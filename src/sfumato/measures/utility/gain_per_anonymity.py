"""Entropy gain per loss of anonymity (Fung et al., 2005; Wang et al., 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.measure import Direction, Kind, Measure, Monotone
from sfumato.measures.utility.target_information import InformationGain

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


@dataclass(frozen=True, kw_only=True)
class GainPerAnonymity(Measure):
    """The information gain over the fully generalized table, per anonymity that was given up.

    gain / (k of the fully generalized table - k + 1), in bits for each record of k: the fully
    generalized table tells nothing of the target and has the greatest k, all rows (or people).
    Top-down specialization and bottom-up generalization rate single steps so, with the 1 for steps
    that give up no anonymity.
    """

    name: ClassVar[str] = "gain-per-anonymity"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.HIGHER
    # Gain and k move in opposite directions.
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Fung et al. 2005; Wang et al. 2004; MOEA §1.3.2"
    unit: ClassVar[str] = "bits per record of k"
    meaning: ClassVar[str] = (
        "How much the released quasi-identifiers tell about the target column for every record by "
        "which the smallest class is smaller than the whole table."
    )

    column: str

    def check(self, table: CountTable) -> None:
        """Refuse a table that does not count the column."""
        super().check(table)
        self._gain.check(table)

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the target."""
        self.check(table)
        return (self.column,)

    def evaluate(self, classes: Classes) -> Floats:
        """Return the ratio of every candidate."""
        given_up = classes.table.units - classes.smallest_kept
        return self._gain.evaluate(classes) / (given_up + 1)

    @property
    def _gain(self) -> InformationGain:
        return InformationGain(column=self.column)
