"""P_spr: how much better off the better rows are (Comparison §5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.compare.comparator import number_text
from sfumato.compare.quality_index import QualityIndex
from sfumato.compare.vectors.exact_sum import exact_sum

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement


@dataclass(frozen=True, kw_only=True)
class Spread(QualityIndex):
    """P_spr(D₁, D₂) = Σ max(d_i¹ - d_i², 0), differences being taken towards better values.

    P_spr(D₁, D₂) = 0 exactly if D₂ weakly dominates D₁.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([2, 2, 3, 4, 5], name="class-size")
    >>> b = PropertyVector.of_rows([3, 2, 4, 2, 3], name="class-size")
    >>> verdict = Spread().compare(a, b)
    >>> verdict.first, verdict.second, verdict.outcome
    (4.0, 2.0, <Outcome.BETTER: 'better'>)
    """

    name: ClassVar[str] = "spread"
    reference: ClassVar[str] = "Comparison §5.3 (P_spr)"

    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return what the rows gain that are better off in the first, and in the second."""
        gains, counts = pair.gains, pair.counts
        zero = gains.dtype.type(0)
        return (
            exact_sum((np.maximum(gains, zero), counts)),
            exact_sum((np.maximum(-gains, zero), counts)),
        )

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both gains."""
        what = f"in {pair.first.words}, summed over the rows that are better off"
        if better == other:
            return f"the gain {what}, is {number_text(better)} in each of them"
        return f"the gain {what} in it, is {number_text(better)}, against {number_text(other)}"
