"""P_binary: how many rows are strictly better off (Comparison §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import number_text
from sfumato.compare.quality_index import QualityIndex

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement


def rows_better_off(pair: CommonRefinement) -> int:
    """Return the number of rows whose value is strictly better in the first vector."""
    return int(pair.counts[pair.gains > 0].sum())


@dataclass(frozen=True, kw_only=True)
class StrictlyBetter(QualityIndex):
    """P_binary(D₁, D₂) = |{i : d_i¹ better than d_i²}|.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([3, 3, 4], name="class-size", label="A")
    >>> b = PropertyVector.of_rows([3, 7, 7], name="class-size", label="B")
    >>> StrictlyBetter().compare(a, b).sentence
    'B is better than A by strictly-better: 2 rows have a better class size in it, against 0'
    """

    name: ClassVar[str] = "strictly-better"
    reference: ClassVar[str] = "Comparison §3 (P_binary)"

    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return the rows that are better off in the first, and in the second."""
        return rows_better_off(pair), int(pair.counts[pair.gains < 0].sum())

    def normalized(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return both as shares of all rows."""
        first, second = self.values(pair)
        return first / pair.rows, second / pair.rows

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both numbers of rows."""
        words = pair.first.words
        if better == other:
            return f"{number_text(better)} rows have a better {words} in each of them"
        return (
            f"{number_text(better)} rows have a better {words} in it, against {number_text(other)}"
        )
