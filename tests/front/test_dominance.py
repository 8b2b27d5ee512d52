from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

from sfumato.front.dominance import as_costs, dominates, nondominated
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER

# Few different metrics make many ties; infinities are what empty releases and c-avg give.
FEW = st.sampled_from([-math.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, math.inf])
ANY = st.floats(allow_nan=False)


@st.composite
def problems(draw: st.DrawFn, *, most: int = 25) -> tuple[list[tuple[float, ...]], list[Direction]]:
    """Draw points and directions."""
    count = draw(st.integers(1, 5))
    directions = draw(st.lists(st.sampled_from(Direction), min_size=count, max_size=count))
    metrics = draw(st.sampled_from([FEW, FEW, ANY]))
    points = draw(st.lists(st.tuples(*[metrics] * count), min_size=1, max_size=most))
    return points, directions


def beats(a: Sequence[float], b: Sequence[float], directions: Sequence[Direction]) -> bool:
    """At least as good in everything and better in something, one objective at a time."""
    better = worse = False
    for x, y, direction in zip(a, b, directions, strict=True):
        if x != y:
            wins = x > y if direction is HIGHER else x < y
            better, worse = better or wins, worse or not wins
    return better and not worse


@settings(max_examples=examples(400))
@given(problems())
def test_the_nondominated_points_are_those_of_all_pairs(
    problem: tuple[list[tuple[float, ...]], list[Direction]],
) -> None:
    points, directions = problem
    expected = [not any(beats(a, b, directions) for a in points) for b in points]
    flags = nondominated(np.array(points), directions)
    assert flags.dtype == np.bool_
    assert flags.tolist() == expected
    assert any(expected)


@given(problems(most=8))
def test_dominance_of_two_points_is_its_definition(
    problem: tuple[list[tuple[float, ...]], list[Direction]],
) -> None:
    points, directions = problem
    for a in points:
        assert not dominates(np.array(a), np.array(a), directions)
        for b in points:
            assert dominates(np.array(a), np.array(b), directions) == beats(a, b, directions)


@given(problems(), st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(
    problem: tuple[list[tuple[float, ...]], list[Direction]],
    rng: np.random.Generator,
) -> None:
    points, directions = problem
    order = list(range(len(points)))
    rng.shuffle(order)
    flags = nondominated(np.array(points), directions)
    shuffled = nondominated(np.array([points[i] for i in order]), directions)
    assert shuffled.tolist() == flags[order].tolist()


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_many_points_with_many_ties(count: int) -> None:
    rng = np.random.default_rng(count)
    values = rng.integers(0, 6, (3000, count)).astype(np.float64)
    directions = [HIGHER if q % 2 else LOWER for q in range(count)]
    costs = as_costs(values, directions)
    distinct, position = np.unique(costs, axis=0, return_inverse=True)
    as_good = np.all(distinct[:, None, :] <= distinct[None, :, :], axis=2)
    others = np.sum(as_good, axis=0) - 1  # every point is as good as itself
    assert nondominated(values, directions).tolist() == (others == 0)[position].tolist()


def test_ties_are_all_kept() -> None:
    values = np.array([[1.0, 2.0]] * 4 + [[0.0, 3.0]])
    assert nondominated(values, [HIGHER, LOWER]).tolist() == [True] * 4 + [False]
    assert nondominated(values[:, :1], [HIGHER]).tolist() == [True] * 4 + [False]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_metric_that_is_no_number_is_refused(count: int) -> None:
    values = np.zeros((3, count))
    values[1, -1] = math.nan
    with pytest.raises(ValueError, match="not a number"):
        nondominated(values, [LOWER] * count)


def test_no_points_have_no_front() -> None:
    assert nondominated(np.zeros((0, 3)), [LOWER] * 3).tolist() == []


def test_the_points_are_not_changed() -> None:
    values = np.array([[1.0, 2.0], [3.0, 1.0]])
    before = values.copy()
    values.flags.writeable = False
    nondominated(values, [HIGHER, LOWER])
    assert np.array_equal(values, before)


def test_arrays_of_any_layout() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, (3, 200)).astype(np.float64)
    directions = [HIGHER, LOWER, LOWER]
    expected = nondominated(np.ascontiguousarray(values.T), directions)
    assert nondominated(values.T, directions).tolist() == expected.tolist()
