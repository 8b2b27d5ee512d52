"""The least value: what k-anonymity looks at (Comparison §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.quality_index import UnaryIndex

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class Minimum(UnaryIndex):
    """P_min(D) = min d_i; of class sizes it is k.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> Minimum().value(PropertyVector.of_rows([3, 3, 3, 4, 4, 4, 4], name="class-size"))
    3
    """

    name: ClassVar[str] = "min"
    reference: ClassVar[str] = "Comparison §3 (P_k-anon) and §4 (min-better)"

    def value(self, vector: PropertyVector) -> float:
        """Return the least value."""
        least: float = vector.values.min().item()
        return least

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both least values."""
        return self.both_said(f"least {pair.first.words}", better, other)
