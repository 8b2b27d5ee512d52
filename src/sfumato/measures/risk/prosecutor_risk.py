"""Prosecutor risk: how surely somebody who is known to be in the release is found there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.classes import Classes
from sfumato.classes.suppression import limited
from sfumato.measures.measure import (
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    Scale,
    column_of,
    proved,
)

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class ProsecutorRisk(Measure):
    """The greatest 1 / |class| over the kept classes, 1 if nothing is kept: 1 / k.

    |class| is the number of its people where there is a person key.

    Bound: k(n) <= k(coarsest) under a limit, so 1 / k(n) >= 1 / k(coarsest) (docs/method.md, B26).
    """

    name: ClassVar[str] = "prosecutor-risk"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "El Emam & Dankar 2008 (prosecutor scenario)"
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The chance that an intruder links the right record to the most exposed person, if the "
        "intruder knows that the person is in the release (prosecutor risk)."
    )
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True
    rows_bound_people: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return the risk of the most exposed of every candidate."""
        return 1.0 / np.maximum(classes.smallest_kept, 1.0)

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the risk in every class."""
        return 1.0 / batch.units

    def inherited(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that it is: merging classes loses nobody."""
        return True

    def parts_fail_too(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that they do: a part is no larger."""
        return True

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:  # noqa: ARG002
        """Say whether it is proved: also for people who are in several cells."""
        return proved(self.bound_proved, budget)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the risk under the largest threshold within the limit."""
        return column_of(self.evaluate(Classes.of(classes.batch, limited(budget))))
