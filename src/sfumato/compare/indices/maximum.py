"""The greatest value: the worst off where lower values are better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.quality_index import UnaryIndex

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class Maximum(UnaryIndex):
    """P_max(D) = max d_i; of distances to the table's distribution it is t.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> Maximum().value(PropertyVector.of_rows([0.25, 0.5], name="row-loss", direction="lower"))
    0.5
    """

    name: ClassVar[str] = "max"
    reference: ClassVar[str] = "Comparison §3"

    def value(self, vector: PropertyVector) -> float:
        """Return the greatest value."""
        greatest: float = vector.values.max().item()
        return greatest

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both greatest values."""
        return self.both_said(f"greatest {pair.first.words}", better, other)
