"""Mean prosecutor risk: the share of the released who an intruder links rightly by guessing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

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
class MeanProsecutorRisk(Measure):
    """The mean of 1 / |class| over the kept rows, 1 if nothing is kept: kept classes / kept rows.

    With a person key it is the mean over the people of the release, each in the smallest class
    that shows them, and |class| the number of its people.

    Bound: under a limit of B rows every class of the coarsest corner with more than B rows holds
    a kept class, and at most all N are kept: risk(n) >= (number of these classes) / N
    (docs/method.md, B27).
    """

    name: ClassVar[str] = "mean-prosecutor-risk"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "El Emam & Dankar 2008; El Emam 2013 (average risk)"
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The chance that an intruder links the right record to a person of the release, on "
        "average over all of them."
    )
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return the mean risk of every candidate."""
        if classes.table.people_in_several_cells:
            found = kept_sizes(classes)
            risks: Floats = np.zeros(classes.count)
            people = np.zeros(classes.count, dtype=np.int64)
            np.add.at(risks, found.candidates, found.units / found.values)
            np.add.at(people, found.candidates, found.units)
        else:
            risks = classes.kept_classes.astype(np.float64)
            people = classes.sum_kept(classes.units)
        return np.where(classes.empty, 1.0, risks / np.maximum(people, 1))

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the classes that suppression cannot remove, by all who are counted."""
        large = (classes.sizes > budget).astype(np.int64)
        return column_of(classes.sum_kept(large) / classes.table.units)
