"""Every index equals its formula, written for rows in exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.hypervolume import Hypervolume
from sfumato.compare.indices.maximum import Maximum
from sfumato.compare.indices.mean import Mean
from sfumato.compare.indices.minimum import Minimum
from sfumato.compare.indices.rank import Rank
from sfumato.compare.indices.spread import Spread
from sfumato.compare.indices.strictly_better import StrictlyBetter
from sfumato.compare.indices.total import Total
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome
from sfumato.errors import SettingsError
from sfumato.testing.drawn_vectors import pairs, vector

if TYPE_CHECKING:
    from sfumato.compare.quality_index import QualityIndex

Pair = tuple[PropertyVector, PropertyVector]
Numbers = Sequence[Fraction]
Formula = Callable[[Numbers, Numbers], Fraction]


def fractions(pair: Pair) -> tuple[list[Fraction], list[Fraction]]:
    """Return the values of rows as exact fractions."""
    first, second = ([Fraction(v) for v in vector.expanded().tolist()] for vector in pair)
    return first, second


def better_of(pair: Pair) -> Callable[[Fraction, Fraction], bool]:
    higher = pair[0].direction.value == "higher"
    return lambda a, b: a > b if higher else a < b


@given(pairs())
def test_counts_and_gains(pair: Pair) -> None:
    first, second = fractions(pair)
    better = better_of(pair)
    refined = CommonRefinement.of(*pair)
    ahead = [better(a, b) for a, b in zip(first, second, strict=True)]
    behind = [better(b, a) for a, b in zip(first, second, strict=True)]
    assert StrictlyBetter().values(refined) == (sum(ahead), sum(behind))
    rows = len(first)
    assert Coverage().values(refined) == (
        (rows - sum(behind)) / rows,
        (rows - sum(ahead)) / rows,
    )
    # Differences of floats are rounded row by row, so sums of them are only as good as that.
    gained = sum(
        (abs(a - b) for a, b, g in zip(first, second, ahead, strict=True) if g), Fraction()
    )
    lost = sum((abs(a - b) for a, b, g in zip(first, second, behind, strict=True) if g), Fraction())
    assert Spread().values(refined) == pytest.approx((float(gained), float(lost)), rel=1e-12)


UNARY: list[tuple[QualityIndex, Callable[[Numbers], Fraction]]] = [
    (Minimum(), min),
    (Maximum(), max),
    (Total(), lambda values: sum(values, Fraction())),
]


@pytest.mark.parametrize(("index", "formula"), UNARY, ids=lambda x: getattr(x, "name", ""))
@given(pair=pairs())
def test_of_one_vector(
    index: QualityIndex, formula: Callable[[Numbers], Fraction], pair: Pair
) -> None:
    first, second = map(formula, fractions(pair))
    assert index.values(CommonRefinement.of(*pair)) == (float(first), float(second))
    outcome = index.compare(*pair).outcome
    if first == second:
        assert outcome is Outcome.EQUAL
    else:
        # Decided by the exact values, even where their roundings are equal.
        assert (outcome is Outcome.BETTER) == better_of(pair)(first, second)


@given(pairs())
def test_mean(pair: Pair) -> None:
    first, second = (sum(values, Fraction()) / len(values) for values in fractions(pair))
    values = Mean().values(CommonRefinement.of(*pair))
    assert values == pytest.approx((float(first), float(second)), rel=1e-15)
    outcome = Mean().compare(*pair).outcome
    expected = Outcome.EQUAL if first == second else Outcome.BETTER
    assert (outcome is expected) == (first == second or better_of(pair)(first, second))


@given(pairs(), st.sampled_from([0, 3, 2.5, 50]))
def test_rank(pair: Pair, point: float) -> None:
    squares = [sum((v - Fraction(point)) ** 2 for v in side) for side in fractions(pair)]
    index = Rank(point=point)
    assert index.values(CommonRefinement.of(*pair)) == pytest.approx(
        tuple(math.sqrt(square) for square in squares), rel=1e-12
    )
    if pair[0].whole and pair[1].whole and float(point).is_integer():
        outcome = index.compare(*pair).outcome
        assert (outcome is Outcome.EQUAL) == (squares[0] == squares[1])
        assert (outcome is Outcome.BETTER) == (squares[0] < squares[1])


def test_rank_towards_a_vector() -> None:
    first, second, point = vector([1, 5]), vector([4, 4]), vector([1, 6])
    verdict = Rank(point=point).compare(first, second)
    assert (verdict.first, verdict.second) == (1.0, math.hypot(3, 2))
    assert verdict.outcome is Outcome.BETTER
    same = PropertyVector.of_rows([1, 6], name="p", best=50)
    assert Rank(point=same).compare(first, second).first == 1.0


def test_ranks_within_the_tolerance_are_equal() -> None:
    first, second = vector([3]), vector([5])
    assert Rank(point=10, tolerance=2).compare(first, second).outcome is Outcome.EQUAL
    assert Rank(point=10, tolerance=1.9).compare(first, second).outcome is Outcome.WORSE


def test_rank_tells_ranks_apart_whose_roots_are_rounded_alike() -> None:
    far = 2**30
    first, second = vector([far, 0]), vector([far, 1])
    verdict = Rank(point=0).compare(first, second)
    assert verdict.first == verdict.second
    assert verdict.outcome is Outcome.BETTER


@given(pairs())
def test_hypervolume(pair: Pair) -> None:
    higher = pair[0].direction.value == "higher"
    heights = [[v if higher else 50 - v for v in side] for side in fractions(pair)]
    volumes = [math.prod(side) for side in heights]
    index = Hypervolume()
    found = index.values(CommonRefinement.of(*pair))
    for value, volume in zip(found, volumes, strict=True):
        if volume == 0:
            assert value == -math.inf
        else:
            assert value == pytest.approx(math.log(volume), rel=1e-12, abs=1e-12)
    outcome = index.compare(*pair).outcome
    if pair[0].whole and pair[1].whole:
        assert outcome is Outcome.of_sign((volumes[0] > volumes[1]) - (volumes[0] < volumes[1]))
    common = math.prod(min(a, b) for a, b in zip(*heights, strict=True))
    either = volumes[0] + volumes[1] - common
    shares = [float((volume - common) / either) if either else 0.0 for volume in volumes]
    normalized = index.normalized(CommonRefinement.of(*pair))
    assert normalized == pytest.approx(tuple(shares), rel=1e-9, abs=1e-9)


def test_hypervolume_of_equal_products_of_other_numbers() -> None:
    # 2 · 6 · 35 = 10 · 42 · 1, found equal without the products.
    assert Hypervolume().compare(vector([2, 6, 35]), vector([10, 42, 1])).outcome is Outcome.EQUAL


def test_hypervolume_needs_a_bound_and_values_on_one_side_of_it() -> None:
    bare = [PropertyVector.of_rows(v, name="p", direction="lower") for v in ([1, 2], [2, 1])]
    with raises(SettingsError, code="missing-parameter"):
        Hypervolume().compare(*bare)
    assert Hypervolume(origin=3).compare(*bare).outcome is Outcome.EQUAL
    with raises(SettingsError, code="out-of-range", found="1"):
        Hypervolume(origin=1).compare(*bare)
    below = [PropertyVector.of_rows(v, name="p") for v in ([-1, 2], [2, 1])]
    with raises(SettingsError, code="out-of-range", found="0"):
        Hypervolume().compare(*below)
    assert Hypervolume(origin=-2).compare(*below).outcome is Outcome.WORSE


@given(pairs())
def test_normalized_values_are_from_minus_one_to_one(pair: Pair) -> None:
    refined = CommonRefinement.of(*pair)
    for index in (Minimum(), Mean(), Spread(), Coverage(), StrictlyBetter(), Rank(), Hypervolume()):
        first, second = index.normalized(refined)
        assert -1 <= first <= 1
        assert -1 <= second <= 1
        if index.sign(refined) > 0:
            assert first >= second


@pytest.mark.parametrize(
    ("make", "code", "found"),
    [
        (lambda: Rank(tolerance=-1), "out-of-range", "-1"),
        (lambda: Rank(tolerance=math.nan), "out-of-range", "nan"),
        (lambda: Rank(point=math.inf), "not-a-number", "inf"),
        (lambda: Hypervolume(origin=math.nan), "not-a-number", "nan"),
    ],
)
def test_settings_are_checked(make: Callable[[], object], code: str, found: str) -> None:
    with raises(SettingsError, code=code, found=found):
        make()


def test_rank_without_a_best_value_asks_for_a_point() -> None:
    bare = PropertyVector.of_rows([1, 2], name="p")
    with raises(SettingsError, code="missing-parameter"):
        Rank().compare(bare, bare)
