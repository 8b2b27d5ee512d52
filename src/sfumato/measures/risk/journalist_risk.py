"""Journalist risk: how surely somebody is found who need not be in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Direction, Monotone, Scale
from sfumato.measures.risk.k_map import KMap
from sfumato.measures.risk.population_measure import PopulationMeasure

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class JournalistRisk(PopulationMeasure):
    """The greatest 1 / F of a kept class, 1 if nothing is kept: 1 / k-map.

    Bound: one over that of k-map (docs/method.md, B32).
    """

    name: ClassVar[str] = "journalist-risk"
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "El Emam & Dankar 2008 (journalist scenario)"
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The chance that an intruder links the right person of the population to the most exposed "
        "record, if nobody knows who is in the release (journalist risk)."
    )

    def evaluate(self, classes: Classes) -> Floats:
        """Return the risk of the most exposed of every candidate."""
        return 1.0 / np.maximum(KMap().evaluate(classes), 1.0)

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the risk in every class."""
        return 1.0 / np.maximum(batch.population_units, 1)

    def parts_fail_too(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say that they do: the labels of a part cover no one else."""
        return True

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return one over the least F that suppression cannot get rid of; 0 if it may lose all."""
        return 1.0 / np.maximum(KMap().evidence(classes, budget), 1.0)
