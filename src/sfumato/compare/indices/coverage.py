"""P_cov: the share of rows that are at least as well off (Comparison §5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import share_text, with_article
from sfumato.compare.quality_index import QualityIndex

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement


@dataclass(frozen=True, kw_only=True)
class Coverage(QualityIndex):
    """P_cov(D₁, D₂) = |{i : d_i¹ at least as good as d_i²}| / N.

    P_cov(D₁, D₂) = 1 and P_cov(D₂, D₁) = 0 implies that D₁ strongly dominates D₂; the paper's
    "vice versa" does not hold: dominance leaves rows in which both are equal.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([2, 2, 3, 4, 5], name="class-size")
    >>> b = PropertyVector.of_rows([3, 2, 4, 2, 3], name="class-size")
    >>> verdict = Coverage().compare(a, b)
    >>> verdict.first, verdict.second, verdict.outcome
    (0.6, 0.6, <Outcome.EQUAL: 'equal'>)
    """

    name: ClassVar[str] = "coverage"
    reference: ClassVar[str] = "Comparison §5.2 (P_cov)"

    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return the shares of rows at least as well off in the first, and in the second."""
        first = int(pair.counts[pair.gains >= 0].sum())
        second = int(pair.counts[pair.gains <= 0].sum())
        return first / pair.rows, second / pair.rows

    def sign(self, pair: CommonRefinement) -> float:
        """Return the difference of rows, which no division rounds."""
        ahead, behind = pair.counts[pair.gains > 0], pair.counts[pair.gains < 0]
        return int(ahead.sum()) - int(behind.sum())

    def normalized(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return the shares as they are."""
        return self.values(pair)

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both shares."""
        words = f"of the rows have {with_article(pair.first.words)} at least as good"
        if better == other:
            return f"{share_text(better)} {words} in each of them as in the other"
        return f"{share_text(better)} {words} in it, against {share_text(other)}"
