"""The contract of comparators: what holds for every one, whatever it prefers.

Every check takes a comparator and raises an AssertionError if it breaks a law. Vectors are drawn
by Hypothesis, which must be installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings

from sfumato.compare.catalogue import COMPARATORS
from sfumato.compare.verdict import Outcome
from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction
from sfumato.testing.drawn_vectors import dominated, sides, vector
from sfumato.testing.member_text import check_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.compare.comparator import Comparator
    from sfumato.compare.verdict import Verdict
    from sfumato.testing.drawn_vectors import Pair, Sides

_SETTINGS = settings(deadline=None, report_multiple_bugs=False)


def check_description(comparator: Comparator) -> None:
    """Check what the comparator says about itself, and that its text names it."""
    check_text(comparator, COMPARATORS)
    assert comparator.reference
    assert numbers_of_properties(comparator), f"{comparator} takes neither one property nor two"


def numbers_of_properties(comparator: Comparator) -> list[int]:
    """Return how many properties it compares at once, one or two; others it refuses."""
    able = []
    for count in (1, 2):
        side = [vector([1, 2], name=f"p{number}") for number in range(count)]
        try:
            comparator.compare(side, side)
        except SettingsError:
            continue
        able.append(count)
    return able


def check_verdicts(comparator: Comparator) -> None:
    """Check the verdicts on drawn vectors: mirrored, equal to itself, true to the index values."""
    for count in numbers_of_properties(comparator):

        @_SETTINGS
        @given(sides(properties=count))
        def law(both: Sides) -> None:
            there, back = comparator.compare(*both), comparator.compare(*both[::-1])
            check_mirrored(there, back)
            check_better_value_wins(there)
            itself = comparator.compare(both[0], both[0])
            assert itself.outcome is Outcome.EQUAL
            assert itself.first == itself.second
            assert itself.margin == 0

        law()


def check_mirrored(there: Verdict, back: Verdict) -> None:
    """Check that the verdict on B and A mirrors that on A and B."""
    assert there.outcome is back.outcome.mirrored
    assert (there.first, there.second) == (back.second, back.first)
    assert there.margin == -back.margin
    assert there.better is back.better
    assert there.comparator == back.comparator
    if there.outcome in (Outcome.BETTER, Outcome.WORSE):
        assert there.sentence == back.sentence
        winner = "A is" if there.outcome is Outcome.BETTER else "B is"
        assert there.sentence.startswith(winner), there.sentence


def check_better_value_wins(verdict: Verdict) -> None:
    """Check that the outcome and the margin agree with the two index values."""
    if verdict.first == verdict.second or verdict.outcome is Outcome.INCOMPARABLE:
        return
    leads = (verdict.first > verdict.second) == (verdict.better is Direction.HIGHER)
    if verdict.outcome is not Outcome.EQUAL:
        assert (verdict.outcome is Outcome.BETTER) == leads
    assert (verdict.margin > 0) == leads


COMPARATOR_LAWS: tuple[Callable[[Comparator], None], ...] = (
    check_description,
    check_verdicts,
)
"""All laws that every comparator keeps, for tests that name each of them."""


def check_comparator(comparator: Comparator) -> None:
    """Check all laws that every comparator keeps."""
    for law in COMPARATOR_LAWS:
        law(comparator)


def check_prefers_the_dominating(comparator: Comparator, *, least: int = 0) -> None:
    """Check that what strongly dominates is better. Many comparators do not keep this law.

    The drawn values are ``least`` or more.
    """

    @_SETTINGS
    @given(dominated(least=least))
    def law(pair: Pair) -> None:
        assert comparator.compare(*pair).outcome is Outcome.BETTER

    law()


def check_never_prefers_the_dominated(comparator: Comparator) -> None:
    """Check that what is strongly dominated is never better. Some do not keep this law."""

    @_SETTINGS
    @given(dominated())
    def law(pair: Pair) -> None:
        assert comparator.compare(*pair).outcome in (Outcome.BETTER, Outcome.EQUAL)

    law()
