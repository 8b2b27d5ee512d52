"""Personalized privacy: how likely what somebody protects is, seen from their class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.confidentiality.security import protecting_rows, satisfying_rows
from sfumato.measures.confidentiality.sf import common_statements
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Scale
from sfumato.microdata.count_table import statements_of

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class BreachProbability(Measure):
    """The greatest share of a kept class that satisfies what one of its members protects.

    P_breach(u) = max over φ in CON(u) of |rows of [u] that satisfy φ| / |[u]|, and the measure is
    the greatest over all kept rows; 0 for who protects nothing, 1 if nothing is kept. A guarding
    node of Xiao and Tao is the predicate that the sensitive value lies below it: everybody may
    have another one. This is their probability for people with one row each, where the released
    sensitive values are the original ones. With a person key, shares are those of people.

    It is not monotone: who protects φ can be merged with a class where it is frequent and nobody
    minds. Where all protect the same, merging classes can only lower it.
    """

    name: ClassVar[str] = "breach-probability"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Xiao & Tao 2006 (personalized privacy)"
    unit: ClassVar[str] = "probability"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The greatest probability with which an intruder who knows somebody's class is right in "
        "believing what that person wants to protect."
    )
    needs_statements: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return the greatest breach probability of every candidate."""
        return classes.max_kept(self.class_values(classes.batch), empty=1.0)

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the greatest breach probability of every class."""
        statements = statements_of(batch.table, asker="a breach probability")
        greatest: Floats = np.zeros(batch.classes, dtype=np.float64)
        for predicate in range(statements.satisfied.shape[1]):
            share = satisfying_rows(batch, predicate) / batch.units
            protected = protecting_rows(batch, predicate) > 0
            greatest = np.maximum(greatest, np.where(protected, share, 0.0))
        return greatest

    def inherited(self, table: CountTable) -> bool:
        """Say whether all protect the same: then a merged share is a mean of the shares."""
        return common_statements(table) and super().inherited(table)

    def not_inherited(self, table: CountTable) -> str:
        """Return why a coarser recoding can miss what a finer one meets."""
        if common_statements(table):
            return super().not_inherited(table)
        return (
            "confidential statements differ by person, so that a class can be merged with one "
            "where what its members protect is more frequent"
        )
