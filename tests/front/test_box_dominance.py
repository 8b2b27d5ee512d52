"""Box dominance against its definition, one number at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.box_dominance import (
    box_dominates,
    boxes,
    checked_epsilon,
    nondominated_boxes,
)
from sfumato.front.dominance import dominates
from sfumato.measures.measure import Direction

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER
EPSILON = st.sampled_from([0.25, 1.0, 2.0, 3.0])
METRICS = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 2.9, 3.0, 7.25, 12.0, math.inf]),
    st.floats(0, 1e9, allow_nan=False),
)

Case = tuple[list[tuple[float, ...]], tuple[Direction, ...], tuple[float, ...]]


@st.composite
def cases(draw: st.DrawFn, *, least: int = 2, most: int = 2) -> Case:
    """Draw points, directions and a discretization vector."""
    count = draw(st.integers(1, 4))
    directions = draw(st.tuples(*[st.sampled_from(Direction)] * count))
    epsilon = draw(st.tuples(*[EPSILON] * count))
    points = draw(st.lists(st.tuples(*[METRICS] * count), min_size=least, max_size=most))
    return points, directions, epsilon


def by_definition(
    a: tuple[float, ...],
    b: tuple[float, ...],
    directions: tuple[Direction, ...],
    epsilon: tuple[float, ...],
) -> bool:
    """PBG §5, with math.minimum_level and one objective at a time."""

    def box(point: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(
            x if math.isinf(x) else math.floor(x / e) for x, e in zip(point, epsilon, strict=True)
        )

    def beats(x: tuple[float, ...], y: tuple[float, ...]) -> bool:
        signed = [
            (p, q) if d is HIGHER else (-p, -q) for p, q, d in zip(x, y, directions, strict=True)
        ]
        return all(p >= q for p, q in signed) and any(p > q for p, q in signed)

    return beats(box(a), box(b)) if box(a) != box(b) else beats(a, b)


@given(cases())
def test_box_dominance_is_its_definition(case: Case) -> None:
    (a, b), directions, epsilon = case
    expected = by_definition(a, b, directions, epsilon)
    assert box_dominates(np.array(a), np.array(b), directions, epsilon) == expected


@given(cases())
def test_what_dominates_box_dominates(case: Case) -> None:
    (a, b), directions, epsilon = case
    first, second = np.array(a), np.array(b)
    if dominates(first, second, directions):
        assert box_dominates(first, second, directions, epsilon)
    assert not (
        box_dominates(first, second, directions, epsilon)
        and box_dominates(second, first, directions, epsilon)
    )


@given(cases(least=3, most=3))
def test_box_dominance_is_transitive(case: Case) -> None:
    points, directions, epsilon = case
    a, b, c = (np.array(point) for point in points)
    if box_dominates(a, b, directions, epsilon) and box_dominates(b, c, directions, epsilon):
        assert box_dominates(a, c, directions, epsilon)


def test_ones_on_whole_numbers_are_plain_dominance() -> None:
    # PBG §5: "using a discretization vector of all ones implies using the un-modified dominance".
    points = np.array([(x, y) for x in range(4) for y in range(4)], dtype=np.float64)
    for a in points:
        for b in points:
            plain = dominates(a, b, (HIGHER, LOWER))
            assert box_dominates(a, b, (HIGHER, LOWER), (1, 1)) == plain


def test_boxes_are_those_of_the_raw_value() -> None:
    # ⌊−250/100⌋ = −3 and ⌊−199/100⌋ = −2 would be other boxes: those end at 200 from above.
    found = boxes(np.array([[200.0], [199.0], [100.0]]), (100,))
    assert found.tolist() == [[2.0], [1.0], [1.0]]


def test_points_at_infinity_have_boxes_and_nan_has_none() -> None:
    found = boxes(np.array([[math.inf, -0.0], [1e308, 0.0]]), (0.01, 1.0))
    assert found.tolist() == [[math.inf, 0.0], [math.inf, 0.0]]
    assert not np.signbit(found).any()
    with pytest.raises(ValueError, match="not a number"):
        boxes(np.array([[math.nan]]), (1.0,))


@given(cases(least=1, most=12))
def test_the_nondominated_boxes_are_those_of_all_pairs(case: Case) -> None:
    points, directions, epsilon = case
    seen = {tuple(box) for box in boxes(np.array(points), epsilon).tolist()}
    ones = (1.0,) * len(epsilon)
    expected = {b for b in seen if not any(by_definition(a, b, directions, ones) for a in seen)}
    found = nondominated_boxes(np.array(points), directions, epsilon).tolist()
    assert len(found) == len(expected)
    assert {tuple(box) for box in found} == expected


@pytest.mark.parametrize("wrong", [0, -1, math.nan, math.inf, True, "1"])
def test_a_box_has_a_width(wrong: float) -> None:
    with raises(SettingsError, code="out-of-range", key="epsilon"):
        checked_epsilon((1.0, wrong), objectives=2)


def test_a_width_for_each_objective() -> None:
    with raises(SettingsError, code="wrong-length", key="epsilon", found="1"):
        checked_epsilon((1.0,), objectives=2)
