"""Weak, strong and non-dominance of property vectors and of sets of them (Comparison Table 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import Comparator, judged, number_text, with_article
from sfumato.compare.indices.strictly_better import rows_better_off
from sfumato.compare.vectors.common_refinement import CommonRefinement, Vectors, paired
from sfumato.compare.verdict import Outcome, Verdict
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence


def weakly_dominates(first: Vectors, second: Vectors) -> bool:
    """Say whether no row is worse off in the first in any property ("not worse than").

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([3, 7], name="class-size")
    >>> b = PropertyVector.of_rows([3, 4], name="class-size")
    >>> weakly_dominates(a, b), weakly_dominates(a, a), strongly_dominates(a, a)
    (True, True, False)
    """
    return not any(rows_better_off(pair.mirrored) for pair in paired(first, second))


def strongly_dominates(first: Vectors, second: Vectors) -> bool:
    """Say whether the first weakly dominates and some row is better off ("better than")."""
    return weakly_dominates(first, second) and not weakly_dominates(second, first)


def incomparable(first: Vectors, second: Vectors) -> bool:
    """Say whether neither weakly dominates the other.

    Table 4 of the paper asks at the level of sets for one vector that strongly dominates on
    either side, and so misses sets with one vector that is incomparable in itself.
    """
    return not weakly_dominates(first, second) and not weakly_dominates(second, first)


@dataclass(frozen=True, kw_only=True)
class Dominance(Comparator):
    """Better if no row is worse off in any property and some row is better off in one.

    The index values are the numbers of values (a row in a property) that are strictly better.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([3, 3], name="class-size", label="A")
    >>> b = PropertyVector.of_rows([2, 4], name="class-size", label="B")
    >>> Dominance().compare(a, b).outcome
    <Outcome.INCOMPARABLE: 'incomparable'>
    """

    name: ClassVar[str] = "dominance"
    reference: ClassVar[str] = "Comparison §4, Table 4"

    def compare(self, first: Vectors, second: Vectors) -> Verdict:
        """Say whether the first anonymization dominates the second."""
        pairs = paired(first, second)
        ahead = sum(rows_better_off(pair) for pair in pairs)
        behind = sum(rows_better_off(pair.mirrored) for pair in pairs)
        outcome = Outcome.of_sign(ahead - behind)
        if ahead and behind:
            outcome = Outcome.INCOMPARABLE
        return Verdict(
            comparator=str(self),
            outcome=outcome,
            first=float(ahead),
            second=float(behind),
            better=Direction.HIGHER,
            margin=float(ahead - behind),
            sentence=f"{judged(pairs[0], outcome, self.name)}: "
            + _reason(pairs, outcome, max(ahead, behind), min(ahead, behind)),
        )


def _reason(pairs: Sequence[CommonRefinement], outcome: Outcome, more: int, fewer: int) -> str:
    several = len(pairs) > 1
    words = "value" if several else pairs[0].first.words
    who = "row in any property" if several else "row"
    if outcome is Outcome.EQUAL:
        return f"no {who} has another {words}"
    what = "values of rows are" if several else f"rows have {with_article(words)} that is"
    if outcome is Outcome.INCOMPARABLE:
        return f"{number_text(more)} {what} better in one, {number_text(fewer)} in the other"
    return f"no {who} is worse off in it, and {number_text(more)} {what} better"
