"""The share of the released whose prosecutor risk is above a threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.measures.measure import (
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    Scale,
    column_of,
)
from sfumato.measures.risk.kept_sizes import kept_sizes

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class RiskAbove(Measure):
    """The share of kept rows in classes with 1 / |class| > threshold; 1 if nothing is kept.

    "Above" is strict: at a threshold of 0.2 classes of 5 are not above it. With a person key it is
    the share of the people of the release, each in the smallest class that shows them.

    Bound: of R rows in such classes of the coarsest corner, which are in such classes of every
    finer recoding too, at most B are suppressed: share(n) >= (R - B) / (N - B)
    (docs/method.md, B28).
    """

    name: ClassVar[str] = "risk-above"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "El Emam 2013 (records at risk)"
    unit: ClassVar[str] = "share of rows"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The share of released records whose prosecutor risk, one over the size of their class, "
        "is above a threshold (20 % by default)."
    )
    meaning_of_people: ClassVar[str] = (
        "The share of released people whose prosecutor risk, one over the number of people in "
        "their class, is above a threshold (20 % by default)."
    )
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    threshold: float = 0.2

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise SettingsError(
                f"threshold of measure {self.name!r} is {self.threshold}",
                code="out-of-range",
                key="threshold",
                found=str(self.threshold),
                expected="a probability above 0 and up to 1",
            )

    @property
    def safe_size(self) -> int:
        """The size of the smallest class whose risk is not above the threshold.

        >>> RiskAbove().safe_size, RiskAbove(threshold=0.09).safe_size
        (5, 12)
        """
        return math.ceil(1 / Fraction(repr(float(self.threshold))))

    def evaluate(self, classes: Classes) -> Floats:
        """Return the share of every candidate."""
        if classes.table.people_in_several_cells:
            found = kept_sizes(classes)
            above = np.zeros(classes.count, dtype=np.int64)
            people = np.zeros(classes.count, dtype=np.int64)
            np.add.at(above, found.candidates, found.units * (found.values < self.safe_size))
            np.add.at(people, found.candidates, found.units)
        else:
            units = classes.units
            above = classes.sum_kept(np.where(units < self.safe_size, units, 0))
            people = classes.sum_kept(units)
        return np.where(classes.empty, 1.0, above / np.maximum(people, 1))

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the share that is left if everybody who is suppressed was at risk."""
        units, total = classes.units, classes.table.units
        above = classes.sum_kept(np.where(units < self.safe_size, units, 0)) - budget
        return column_of(np.maximum(above, 0) / max(total - budget, 1))
