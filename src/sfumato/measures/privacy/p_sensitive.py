"""p-sensitive k-anonymity: p different values of every sensitive column in every class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, column_of
from sfumato.measures.privacy.distinct_l import beyond_suppression, fewest_values

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class PSensitive(Measure):
    """The largest p such that the kept rows are p-sensitive; 0 if nothing is kept.

    p = min over kept classes and sensitive columns of the number of different values. It goes
    with k: a recoding is p-sensitive k-anonymous for this p and its k. With several sensitive
    columns distinct ℓ is the worst over them, and then the two metrics agree.

    Bound: that of distinct ℓ.
    """

    name: ClassVar[str] = "p-sensitive"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Truta & Vinay 2006"
    unit: ClassVar[str] = "values"
    meaning: ClassVar[str] = (
        "The smallest number of different values that any sensitive attribute has in an "
        "equivalence class (p-sensitive k-anonymity)."
    )
    counts: ClassVar[bool] = True
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return p of every candidate."""
        return classes.min_kept(fewest_values(classes.batch), empty=0.0)

    def class_values(self, batch: ClassBatch) -> Counts:
        """Return the number of different values of every class."""
        return fewest_values(batch)

    def parts_fail_too(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that they do: a part is no larger, and has no other values."""
        return True

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least p that suppression cannot get rid of."""
        return column_of(beyond_suppression(classes, fewest_values(classes.batch), budget))
