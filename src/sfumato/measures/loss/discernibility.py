"""The discernibility metric: how many rows every row cannot be told apart from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, Scale

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class Discernibility(Measure):
    """DM = Σ |class|² over the kept classes + N · suppressed rows.

    Bound: a suppressed row costs N, at least the size of its class, and merging only adds to
    Σ |class|², so DM(n) >= the unsuppressed DM(finest) under every policy.
    """

    name: ClassVar[str] = "dm"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Bayardo & Agrawal 2005; MOEA §1.3.2"
    unit: ClassVar[str] = "pairs of rows"
    scale: ClassVar[Scale] = Scale.LOGARITHMIC
    meaning: ClassVar[str] = (
        "How many records cannot be told apart (discernibility metric): every record is "
        "penalized by the size of its class, a suppressed one by the size of the table."
    )
    counts: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE
    bound_needs_finest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return DM of every candidate."""
        sizes = classes.sizes
        pairs = classes.sum_kept(sizes * sizes)
        pairs = pairs + classes.table.rows * classes.suppressed_rows
        return pairs.astype("float64")
