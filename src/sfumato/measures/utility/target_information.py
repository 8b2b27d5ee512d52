"""Information gain: what the classes tell about a target column (Fung et al., 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.measures.measure import Direction, Kind, Measure, Monotone

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


@dataclass(frozen=True, kw_only=True)
class InformationGain(Measure):
    """H(target) - Σ over classes of |class| / N × H(target in the class), in bits.

    The suppressed rows are one class. ``column`` names the target: a sensitive column or the class
    label. It is 0 where the classes tell nothing about the target.
    """

    name: ClassVar[str] = "information-gain"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.HIGHER
    # A merged class is a mixture of its parts, and entropy is concave.
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Fung et al. 2005 (information gain)"
    unit: ClassVar[str] = "bits"
    meaning: ClassVar[str] = (
        "How much the released quasi-identifiers tell about the target column: the uncertainty "
        "about it that they take away, in bits."
    )

    column: str

    def check(self, table: CountTable) -> None:
        """Refuse a table that does not count the column."""
        super().check(table)
        if self.column not in table.columns:
            names = tuple(table.columns)
            raise SettingsError(
                f"measure {self.name!r} names the column {self.column!r}, which is neither "
                "sensitive nor the class label",
                code="not-counted",
                column=self.column,
                found=repr(self.column),
                expected=names or "a sensitive column or a class label; the study has none",
                suggestion=closest(self.column, names),
            )

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the target."""
        self.check(table)
        return (self.column,)

    def evaluate(self, classes: Classes) -> Floats:
        """Return the information gain of every candidate."""
        batch = classes.batch
        counts = batch.counts(self.column)
        shared = np.repeat(batch.sizes, np.diff(counts.starts))
        kept = classes.add_kept(
            batch.add_by_class(self.column, _bits(counts.counts, shared.astype(np.int64)))
        )
        gone = classes.suppressed_counts(self.column)
        lost = _bits(gone, gone.sum(axis=1, keepdims=True)).sum(axis=1)
        rows = classes.table.rows
        before = float(_bits(classes.table.marginal(self.column), np.array(rows)).sum())
        gain: Floats = np.maximum((kept + lost - before) / rows, 0.0)
        return gain


def _bits(counts: Counts, sizes: Counts) -> Floats:
    """Return count × log2(count / size), 0 where nothing is counted."""
    some = counts > 0
    share = np.where(some, counts, 1) / np.where(some, sizes, 1)
    bits: Floats = counts.astype(np.float64) * np.log2(share)
    return bits
