"""The share of released records in small classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Scale

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class RecordsAtRisk(Measure):
    """The share of kept rows in classes of fewer than k rows; 0 if nothing is kept."""

    name: ClassVar[str] = "example-at-risk"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    # Generalization merges classes, and a merged class is no smaller.
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "El Emam 2013 (records at risk)"
    unit: ClassVar[str] = "share of rows"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = "The share of released records in equivalence classes below k."

    k: int = 5

    def __post_init__(self) -> None:
        if self.k < 2:
            raise SettingsError(f"k of {self.name!r} is {self.k}; it must be at least 2")

    def evaluate(self, classes: Classes) -> Floats:
        """Return the share of every candidate."""
        sizes = classes.sizes
        small = classes.sum_kept(np.where(sizes < self.k, sizes, 0))
        return np.asarray(small / np.maximum(classes.kept_rows, 1), dtype=np.float64)
