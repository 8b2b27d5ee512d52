"""The mean over all rows: P_s-avg of class sizes (Comparison §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.indices.total import total_margin
from sfumato.compare.quality_index import UnaryIndex
from sfumato.compare.vectors.exact_sum import exact_sum

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class Mean(UnaryIndex):
    """P_s-avg(D) = Σ d_i / N.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> Mean().value(PropertyVector.of_rows([3, 3, 3, 3, 4, 4, 4, 3, 3, 4], name="class-size"))
    3.4
    """

    name: ClassVar[str] = "mean"
    reference: ClassVar[str] = "Comparison §3 (P_s-avg)"

    def value(self, vector: PropertyVector) -> float:
        """Return the mean over all rows."""
        return exact_sum((vector.values, vector.counts)) / vector.rows

    def margin(self, pair: CommonRefinement) -> float:
        """Return the difference of the means; 0 only if they are equal."""
        return total_margin(pair) / pair.rows

    def sign(self, pair: CommonRefinement) -> float:
        """Return the difference of the sums, which no division can round to 0."""
        return total_margin(pair)

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both means."""
        return self.both_said(f"mean {pair.first.words}", better, other)
