"""The laws of dominance that hold, and examples of those that the paper states and do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from sfumato.compare.comparators.dominance import (
    Dominance,
    incomparable,
    strongly_dominates,
    weakly_dominates,
)
from sfumato.compare.comparators.goal import Goal
from sfumato.compare.comparators.lexicographic import Lexicographic
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.hypervolume import Hypervolume
from sfumato.compare.indices.mean import Mean
from sfumato.compare.indices.minimum import Minimum
from sfumato.compare.indices.rank import Rank
from sfumato.compare.indices.spread import Spread
from sfumato.compare.indices.strictly_better import StrictlyBetter
from sfumato.compare.indices.total import Total
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome
from sfumato.testing.comparators import (
    check_never_prefers_the_dominated,
    check_prefers_the_dominating,
)
from sfumato.testing.drawn_vectors import dominated, pairs, vector

if TYPE_CHECKING:
    from sfumato.compare.comparator import Comparator

Pair = tuple[PropertyVector, PropertyVector]


@pytest.mark.parametrize(
    "comparator",
    [Dominance(), Coverage(), Spread(), Total(), Mean(), StrictlyBetter()],
    ids=str,
)
def test_some_always_prefer_the_dominating_one(comparator: Comparator) -> None:
    check_prefers_the_dominating(comparator)


@given(dominated(least=1))
def test_the_hypervolume_agrees_where_all_entries_are_positive(pair: Pair) -> None:
    whole = pair[0].whole and pair[1].whole
    outcome = Hypervolume(origin=None).compare(*pair).outcome
    # Whole numbers are compared exactly; others may differ by less than logarithms tell.
    assert outcome is Outcome.BETTER or (not whole and outcome is Outcome.EQUAL)


def test_an_entry_of_zero_hides_what_the_hypervolume_would_see() -> None:
    better, worse = vector([0, 5]), vector([0, 4])
    assert Dominance().compare(better, worse).outcome is Outcome.BETTER
    verdict = Hypervolume().compare(better, worse)
    assert verdict.outcome is Outcome.EQUAL
    assert "both volumes are 0" in verdict.sentence


@pytest.mark.parametrize(
    "comparator",
    [
        Minimum(),
        Lexicographic(indices=(Minimum(),)),
        Lexicographic(indices=(Coverage(),)),
        Lexicographic(significance=(0.5,), indices=(Spread(),)),
        Rank(),
        Rank(tolerance=0.3),
    ],
    ids=str,
)
def test_some_never_prefer_the_dominated_one(comparator: Comparator) -> None:
    check_never_prefers_the_dominated(comparator)


def test_min_can_tie_where_another_dominates() -> None:
    assert Minimum().compare(vector([3, 7]), vector([3, 4])).outcome is Outcome.EQUAL


def test_rank_can_prefer_the_dominated_one_if_the_point_is_worse_than_both() -> None:
    assert Rank(point=0).compare(vector([3]), vector([2])).outcome is Outcome.WORSE


def test_goal_can_prefer_the_dominated_one() -> None:
    goal = Goal(goals=(4.0,), indices=(Mean(),))
    assert goal.compare(vector([9, 9]), vector([4, 4])).outcome is Outcome.WORSE


@given(pairs())
def test_full_coverage_against_none_is_strong_dominance(pair: Pair) -> None:
    verdict = Coverage().compare(*pair)
    if (verdict.first, verdict.second) == (1.0, 0.0):
        assert strongly_dominates(*pair)


def test_strong_dominance_is_not_full_coverage_against_none() -> None:
    # The paper's "vice versa" (§5.2) fails where a row has the same value in both.
    better, worse = vector([3, 7]), vector([3, 4])
    verdict = Coverage().compare(better, worse)
    assert strongly_dominates(better, worse)
    assert (verdict.first, verdict.second) == (1.0, 0.5)


@given(pairs())
def test_no_spread_is_weak_dominance_by_the_other(pair: Pair) -> None:
    assert (Spread().compare(*pair).first == 0) == weakly_dominates(pair[1], pair[0])


@given(pairs())
def test_the_relations_of_table_4(pair: Pair) -> None:
    there, back = weakly_dominates(*pair), weakly_dominates(*pair[::-1])
    outcome = Dominance().compare(*pair).outcome
    assert strongly_dominates(*pair) == (there and not back)
    assert incomparable(*pair) == (not there and not back)
    assert (
        outcome
        is {
            (True, True): Outcome.EQUAL,
            (True, False): Outcome.BETTER,
            (False, True): Outcome.WORSE,
            (False, False): Outcome.INCOMPARABLE,
        }[there, back]
    )


def test_sets_are_incomparable_without_a_vector_that_dominates() -> None:
    # Table 4 asks for a dominating vector on either side; here is none, and yet nobody is worse.
    first = [vector([1, 2], name="p"), vector([1, 1], name="q")]
    second = [vector([2, 1], name="p"), vector([1, 1], name="q")]
    assert incomparable(first, second)
    assert Dominance().compare(first, second).outcome is Outcome.INCOMPARABLE


def test_sets_of_vectors_dominate_in_all_properties_together() -> None:
    first = [vector([3, 3], name="p"), vector([0.5, 0.5], name="q", direction="lower")]
    second = [vector([3, 2], name="p"), vector([0.5, 0.6], name="q", direction="lower")]
    crossed = [vector([3, 2], name="p"), vector([0.5, 0.4], name="q", direction="lower")]
    assert Dominance().compare(first, second).outcome is Outcome.BETTER
    assert Dominance().compare(first, crossed).outcome is Outcome.INCOMPARABLE
    assert weakly_dominates(first, first)


@given(dominated())
def test_the_dominated_one_gains_nothing_anywhere(pair: Pair) -> None:
    for comparator in (StrictlyBetter(), Spread()):
        assert comparator.compare(*pair).second == 0
