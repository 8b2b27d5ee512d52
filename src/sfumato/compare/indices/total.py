"""The sum over all rows: S_k and S_l of PBG, the loss of Iyengar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import against_text
from sfumato.compare.quality_index import UnaryIndex
from sfumato.compare.vectors.exact_sum import exact_sum
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector


def total_margin(pair: CommonRefinement) -> float:
    """Return how much greater the better sum of the first is; 0 only if both are equal."""
    first, second = pair.first, pair.second
    difference = exact_sum((first.values, first.counts), (second.values, -second.counts))
    return difference if pair.direction is Direction.HIGHER else -difference


@dataclass(frozen=True, kw_only=True)
class Total(UnaryIndex):
    """P_sum(D) = Σ d_i.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> Total().value(PropertyVector.of_rows([3, 3, 3, 4, 4, 4, 4], name="class-size"))
    25
    """

    name: ClassVar[str] = "sum"
    reference: ClassVar[str] = "Comparison §3; PBG §6 (S_k, S_l)"

    def value(self, vector: PropertyVector) -> float:
        """Return the sum over all rows."""
        return exact_sum((vector.values, vector.counts))

    def margin(self, pair: CommonRefinement) -> float:
        """Return the difference of the sums, rounded once."""
        return total_margin(pair)

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both sums."""
        what = f"{pair.first.words} summed over the rows"
        return f"{'' if better == other else 'its '}{what} is {against_text(better, other)}"
