"""How much a release tells about what a row protects (Granulation §4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.classes.anonymization import class_numbers
from sfumato.compare.properties.property import Property
from sfumato.measures.confidentiality.information_gain import information_gain
from sfumato.measures.confidentiality.sf import priors
from sfumato.measures.measure import Direction, Scale
from sfumato.microdata.count_table import statements_of
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class StatementRisk(Property):
    """d_i = ri(τ, u_i), the risk of row i; sf is 1 less its mean. Lower is better.

    Rows without confidential statements have none. The suppressed rows are one class.
    """

    name: ClassVar[str] = "statement-risk"
    direction: ClassVar[Direction] = Direction.LOWER
    unit: ClassVar[str] = "share of what there is to learn"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "How much an intruder learns from the class of a record about the confidential "
        "statements of that record."
    )
    reference: ClassVar[str] = "Granulation §4.1"

    @classmethod
    def variants(cls, table: CountTable) -> tuple[Self, ...]:
        """Return the property where a table has confidential statements."""
        return () if table.statements is None else (cls(),)

    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the risk of every row."""
        table = anonymization.table
        statements = statements_of(table, asker=f"property {self.name!r}")
        patterns = table.entry_codes[-1]
        groups, first = class_numbers([anonymization.class_of, patterns])
        risk: Floats = np.zeros(first.shape[0], dtype=np.float64)
        protected = anonymization.protected(StatementPatterns())
        for predicate, prior in enumerate(priors(table)):
            satisfying = protected.with_code(statements.satisfied[:, predicate])
            gain = information_gain(satisfying, protected.units, prior=prior)
            risk += (
                statements.damages[patterns[first], predicate] * gain[anonymization.class_of[first]]
            )
        return self.vector_of(
            anonymization, np.minimum(risk, 1.0), best=0.0, worst=1.0, group_of=sealed_codes(groups)
        )
