"""P_LEX: the first property that matters decides (Comparison §5.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import Comparator, judged, number_text
from sfumato.compare.comparators.property_indices import (
    check_one_for_each,
    checked_indices,
    checked_numbers,
    index_for_each,
)
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.vectors.common_refinement import paired
from sfumato.compare.verdict import Outcome, Verdict
from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.compare.quality_index import QualityIndex
    from sfumato.compare.vectors.common_refinement import CommonRefinement, Vectors


@dataclass(frozen=True, kw_only=True)
class Lexicographic(Comparator):
    """P_LEX(Υ₁, Υ₂) = min {i : P(D₁ᵢ, D₂ᵢ) - P(D₂ᵢ, D₁ᵢ) > ε_i}, r + 1 if there is none.

    Properties come in descending order of relevance; the smaller P_LEX is better. Index values
    of which lower ones are better are negated. ``significance`` is ε, the greatest difference of
    index values that does not count, 0 for every property if left out.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> sizes = [PropertyVector.of_rows(v, name="class-size") for v in ([3, 4], [3, 7])]
    >>> Lexicographic().compare(*sizes).second
    1.0
    >>> Lexicographic(significance=(0.6,)).compare(*sizes).second
    2.0
    """

    name: ClassVar[str] = "lexicographic"
    reference: ClassVar[str] = "Comparison §5.6 (P_LEX)"

    significance: tuple[float, ...] = ()
    indices: tuple[QualityIndex, ...] = (Coverage(),)

    def __post_init__(self) -> None:
        significance = checked_numbers(self.significance, what=f"significance of {self.name!r}")
        object.__setattr__(self, "significance", significance)
        object.__setattr__(self, "indices", checked_indices(self.indices, comparator=self.name))
        if not all(number >= 0 for number in self.significance):
            least = number_text(min(self.significance))
            raise SettingsError(
                f"significance of {self.name!r} has {least}",
                code="out-of-range",
                found=least,
                expected="numbers from 0 up",
            )

    def compare(self, first: Vectors, second: Vectors) -> Verdict:
        """Say whose first significant lead comes earlier."""
        pairs = paired(first, second)
        indices = index_for_each(self.indices, pairs, comparator=self.name)
        allowed = self.significance or (0.0,) * len(pairs)
        check_one_for_each(allowed, pairs, what="significances")
        # A lead that rounding hides is still one where nothing is allowed.
        leads = [
            index.sign(pair) if not epsilon else index.margin(pair)
            for pair, index, epsilon in zip(pairs, indices, allowed, strict=True)
        ]
        beyond = len(pairs) + 1
        ours = _first(lead > epsilon for lead, epsilon in zip(leads, allowed, strict=True))
        theirs = _first(-lead > epsilon for lead, epsilon in zip(leads, allowed, strict=True))
        places = ours or beyond, theirs or beyond
        outcome = Outcome.of_sign(places[1] - places[0])
        return Verdict(
            comparator=str(self),
            outcome=outcome,
            first=float(places[0]),
            second=float(places[1]),
            better=Direction.LOWER,
            margin=float(places[1] - places[0]),
            sentence=f"{judged(pairs[0], outcome, self.name)}: "
            + (
                "no property differs enough to count"
                if outcome is Outcome.EQUAL
                else f"the first property that differs enough is {_decided(pairs, places)}, by "
                f"{indices[min(places) - 1].name}"
            ),
        )


def _first(leads: Iterable[bool]) -> int | None:
    """Return the position of the first lead, counted from 1."""
    return next((place for place, leads_here in enumerate(leads, start=1) if leads_here), None)


def _decided(pairs: Sequence[CommonRefinement], places: tuple[int, int]) -> str:
    return f"{pairs[min(places) - 1].first.words} (number {min(places)} of {len(pairs)})"
