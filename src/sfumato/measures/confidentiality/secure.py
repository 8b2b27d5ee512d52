"""Logical security: nobody can be known to satisfy what they protect (Granulation §3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.confidentiality.security import exposed_rows, insecure_classes
from sfumato.measures.confidentiality.sf import common_statements
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Proved, column_of

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Secure(Measure):
    """1 if no kept class lies inside a predicate that one of its rows protects; 0 otherwise.

    With a person key, a person satisfies φ if one of their rows does, and protects it likewise.
    secure(τ) = 1 if for every kept row u and every φ in CON(u) some row of [u] does not satisfy
    φ. It is 0 if nothing is kept, as k is.

    Bound: a row that protects what its class in the coarsest corner tells is in a class that
    tells the same in every node of the box. So all such rows must be suppressed: secure(n) = 1
    only if there are at most B of them.
    """

    name: ClassVar[str] = "secure"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Granulation §3.1"
    unit: ClassVar[str] = "1 if secure"
    meaning: ClassVar[str] = (
        "1 if no released class reveals a confidential statement about one of its members for "
        "certain, 0 otherwise."
    )
    needs_statements: ClassVar[bool] = True
    counts: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return the security of every candidate."""
        return classes.min_kept(self.class_values(classes.batch), empty=0.0)

    def class_values(self, batch: ClassBatch) -> Counts:
        """Return 1 for every class that is secure, 0 for others."""
        return (~insecure_classes(batch)).astype(np.int64)

    def parts_fail_too(self, table: CountTable) -> bool:
        """Say whether all people protect the same: then a part lies inside the predicate too.

        Not so where somebody satisfies the predicate by a row that is in another part.
        """
        return common_statements(table) and not table.people_in_several_cells

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return 1 where suppression could still make a finer node secure."""
        exposed = classes.sum_kept(exposed_rows(classes.batch))
        return column_of((exposed <= budget).astype(np.int64))
