"""The classification metric: rows that their class misclassifies (Iyengar, 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, Scale

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class Classification(Measure):
    """CM = (suppressed rows + kept rows whose label is not their class's majority) / N.

    Bound: merging classes cannot raise the number of majority rows, and a suppressed row always
    counts, so CM(n) >= the unsuppressed CM(finest) under every policy.
    """

    name: ClassVar[str] = "cm"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Iyengar 2002; MOEA §1.3.2"
    unit: ClassVar[str] = "share of rows"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The share of records that would be misclassified if every class were given its most "
        "frequent label; suppressed records count as misclassified."
    )
    needs_label: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE
    bound_needs_finest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return CM of every candidate."""
        batch = classes.batch
        label = classes.table.label
        assert label is not None
        minority = classes.sum_kept(batch.sizes - batch.largest_count(label.name))
        return (classes.suppressed_rows + minority) / classes.table.rows
