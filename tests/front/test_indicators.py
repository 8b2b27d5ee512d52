"""CE, RR, hypervolume and IGD+ against brute force, and their laws."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.front.made_front import made_front
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.dominance import nondominated
from sfumato.front.indicators.convergence_error import convergence_error
from sfumato.front.indicators.hypervolume import REFERENCE, hypervolume
from sfumato.front.indicators.igd_plus import igd_plus
from sfumato.front.indicators.objective_values import ObjectiveScale
from sfumato.front.indicators.representation_ratio import representation_ratio
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.front.front import Front

NAMES = {1: ("loss",), 2: ("k", "loss"), 3: ("k", "distinct-l", "loss")}
ONES = {"k": 1.0, "distinct-l": 1.0, "loss": 1.0}


@st.composite
def fronts(draw: st.DrawFn, *, count: int, objectives: int) -> list[Front]:
    """Draw fronts with the same objectives: small whole numbers, with ties."""
    names = NAMES[objectives]
    found = []
    for _ in range(count):
        points = draw(
            st.lists(
                st.tuples(*[st.integers(0, 6).map(float)] * objectives), min_size=1, max_size=8
            )
        )
        directions = tuple(made_front(names, []).objectives.values())
        best = nondominated(np.array(points), directions)
        found.append(made_front(names, [p for p, keep in zip(points, best, strict=True) if keep]))
    return found


def rows(front: Front) -> list[tuple[float, ...]]:
    return [tuple(s.values.values()) for s in front]


def costs(front: Front, scale: ObjectiveScale) -> list[tuple[float, ...]]:
    """Scaled costs, one value at a time."""
    return [
        tuple(
            ((-x if way is Direction.HIGHER else x) - low) / (high - low if high > low else 1)
            for x, way, low, high in zip(
                row, front.objectives.values(), scale.ideal, scale.nadir, strict=True
            )
        )
        for row in rows(front)
    ]


DIMENSIONS = st.integers(1, 3)


@given(DIMENSIONS.flatmap(lambda r: fronts(count=2, objectives=r)))
def test_convergence_error_is_its_definition(pair: list[Front]) -> None:
    found, true = pair
    greatest = [max(column) or 1.0 for column in zip(*rows(true), strict=True)]
    expected = sum(
        min(
            math.dist(
                [a / g for a, g in zip(p, greatest, strict=True)],
                [b / g for b, g in zip(q, greatest, strict=True)],
            )
            for q in rows(true)
        )
        for p in rows(found)
    )
    error = convergence_error(found, true)
    assert error.total == pytest.approx(expected)
    assert error.mean == pytest.approx(expected / len(found))
    assert (error.total == 0) == (set(rows(found)) <= set(rows(true)))


def test_convergence_error_by_hand() -> None:
    true = made_front(("k", "loss"), [(2, 10), (4, 20)])
    found = made_front(("k", "loss"), [(2, 10), (4, 23), (1, 10)])
    # Divided by 4 and 20: (1, 1.15) is 0.15 from (1, 1), (0.25, 0.5) is 0.25 from (0.5, 0.5).
    assert convergence_error(found, true).total == pytest.approx(0.4)
    assert convergence_error(found, true).mean == pytest.approx(0.4 / 3)
    nothing = made_front(("k", "loss"), [])
    assert convergence_error(nothing, true).mean == 0


@given(
    DIMENSIONS.flatmap(lambda r: fronts(count=2, objectives=r)), st.sampled_from([1.0, 2.0, 4.0])
)
def test_representation_ratio_is_its_definition(pair: list[Front], side: float) -> None:
    found, true = pair
    epsilon = dict.fromkeys(true.objectives, side)

    def box(row: tuple[float, ...]) -> tuple[int, ...]:
        return tuple(math.floor(x / side) for x in row)

    def beats(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        ways = true.objectives.values()
        pairs = [
            (x, y) if w is Direction.HIGHER else (y, x) for x, y, w in zip(a, b, ways, strict=True)
        ]
        return all(x >= y for x, y in pairs) and any(x > y for x, y in pairs)

    seen = {box(row) for row in rows(true)}
    marked = {b for b in seen if not any(beats(a, b) for a in seen)}
    expected = len(marked & {box(row) for row in rows(found)}) / len(marked)
    assert representation_ratio(found, true, epsilon=epsilon) == expected
    assert representation_ratio(true, true, epsilon=epsilon) == 1


def test_representation_ratio_names_all_objectives() -> None:
    front = made_front(("k", "loss"), [(1, 1)])
    with raises(SettingsError, code="wrong-length", key="epsilon", found="k"):
        representation_ratio(front, front, epsilon={"k": 1})


def volume_by_inclusion(points: list[tuple[float, ...]]) -> float:
    """The volume of a union of boxes up to the reference point, by inclusion and exclusion."""
    points = [p for p in set(points) if all(x < REFERENCE for x in p)]
    total = 0.0
    for size in range(1, len(points) + 1):
        for chosen in itertools.combinations(points, size):
            corner = [max(0.0, *column) for column in zip(*chosen, strict=True)]
            total -= (-1) ** size * math.prod(REFERENCE - x for x in corner)
    return total


@given(DIMENSIONS.flatmap(lambda r: fronts(count=2, objectives=r)))
def test_hypervolume_is_the_volume_of_the_union(pair: list[Front]) -> None:
    one, other = pair
    for scale in (ObjectiveScale.of(one, other), ObjectiveScale.of(other)):
        expected = volume_by_inclusion(costs(one, scale)) / REFERENCE ** len(one.objectives)
        assert hypervolume(one, scale=scale) == pytest.approx(expected)
        assert 0 <= hypervolume(one, scale=scale) <= 1 + 1e-12


@given(DIMENSIONS.flatmap(lambda r: fronts(count=2, objectives=r)))
def test_more_solutions_never_lose_volume_or_reach(pair: list[Front]) -> None:
    one, other = pair
    together = [*rows(one), *rows(other)]
    ways = tuple(one.objectives.values())
    best = nondominated(np.array(together), ways)
    both = made_front(
        tuple(one.objectives), [p for p, keep in zip(together, best, strict=True) if keep]
    )
    scale = ObjectiveScale.of(one, other)
    assert hypervolume(both, scale=scale) >= hypervolume(one, scale=scale) - 1e-12
    assert igd_plus(both, other) <= igd_plus(one, other) + 1e-12


@given(DIMENSIONS.flatmap(lambda r: fronts(count=2, objectives=r)))
def test_igd_plus_is_its_definition(pair: list[Front]) -> None:
    found, true = pair
    scale = ObjectiveScale.of(true)
    targets = sorted(set(costs(true, scale)))
    expected = sum(
        min(
            math.sqrt(sum(max(a - b, 0) ** 2 for a, b in zip(p, q, strict=True)))
            for p in costs(found, scale)
        )
        for q in targets
    ) / len(targets)
    assert igd_plus(found, true) == pytest.approx(expected)
    assert igd_plus(true, true) == 0


def test_indicators_refuse_what_they_cannot_compare() -> None:
    front = made_front(("k", "loss"), [(1, 1)])
    endless = made_front(("k", "loss"), [(1, math.inf)])
    other = made_front(("k", "t"), [(1, 1)])
    nothing = made_front(("k", "loss"), [])
    for indicator in (convergence_error, igd_plus):
        with raises(SettingsError, code="not-finite", key="loss"):
            indicator(front, endless)
        with raises(SettingsError, code="other-objectives", key="objectives"):
            indicator(front, other)
        with raises(SettingsError, code="empty-front"):
            indicator(front, nothing)
    with raises(SettingsError, code="not-finite"):
        hypervolume(endless)
    assert igd_plus(nothing, front) == math.inf
    assert hypervolume(nothing, scale=ObjectiveScale.of(front)) == 0
    # A box can hold what lies at infinity.
    ratio = representation_ratio(endless, endless, epsilon={"k": 1, "loss": 1})
    assert ratio == 1


def test_hypervolume_of_better_metrics_than_the_scale_has() -> None:
    scale = ObjectiveScale.of(made_front(("k", "loss"), [(1, 0), (3, 100)]))
    assert hypervolume(made_front(("k", "loss"), [(9, 0)]), scale=scale) == pytest.approx(1)
    assert hypervolume(made_front(("k", "loss"), [(9, 500)]), scale=scale) == 0


@given(fronts(count=1, objectives=2))
def test_a_scale_goes_from_0_to_1(single: list[Front]) -> None:
    (front,) = single
    assume(len(front) > 1)
    found = ObjectiveScale.of(front).costs(front)
    assert found.min() == 0
    assert found.max() <= 1
