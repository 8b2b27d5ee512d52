"""Algorithm 1: its laws on random sequences, the printed updater, and the bound of Theorem 2."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.front.test_box_dominance import Case, by_definition, cases
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.box_archive import BoxArchive, archive_bound, tightest_archive_bound
from sfumato.front.box_dominance import boxes, nondominated_boxes
from sfumato.front.dominance import dominates, nondominated
from sfumato.measures.measure import Direction

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER


def filled(case: Case) -> BoxArchive[int]:
    points, directions, epsilon = case
    archive = BoxArchive[int](directions=directions, epsilon=epsilon)
    for place, point in enumerate(points):
        assert archive.offer(place, point) == (place in archive.members)
    return archive


def printed(case: Case) -> list[int]:
    """Algorithm 1 step by step, as it is printed."""
    points, directions, epsilon = case
    archive: list[int] = []
    for t, point in enumerate(points):
        if not archive:
            archive = [t]
            continue
        dominate = {m for m in archive if by_definition(point, points[m], directions, epsilon)}
        archive = [m for m in archive if m not in dominate]
        dominated = {m for m in archive if by_definition(points[m], point, directions, epsilon)}
        box = boxes(np.array([point]), epsilon)[0]
        same = {m for m in archive if (boxes(np.array([points[m]]), epsilon)[0] == box).all()}
        if not dominated and not same:
            archive.append(t)
    return archive


@settings(max_examples=examples(300))
@given(cases(least=1, most=25))
def test_the_updater_is_the_printed_one(case: Case) -> None:
    assert list(filled(case).members) == printed(case)


@settings(max_examples=examples(300))
@given(cases(least=1, most=25))
def test_the_laws_of_the_archive(case: Case) -> None:
    points, directions, epsilon = case
    archive = filled(case)
    members = archive.members
    assert [tuple(row) for row in archive.values.tolist()] == [points[m] for m in members]
    # At most one a box, and no member box-dominates another.
    assert len({tuple(box) for box in archive.boxes.tolist()}) == len(members)
    for m in members:
        assert not any(by_definition(points[o], points[m], directions, epsilon) for o in members)
    # 1. The occupied boxes are the non-dominated ones of all that was ever offered.
    occupied = sorted(tuple(box) for box in archive.boxes.tolist())
    expected = nondominated_boxes(np.array(points), directions, epsilon).tolist()
    assert occupied == sorted(map(tuple, expected))
    # So every point offered is in an occupied box, or its box is dominated by an occupied one.
    assert (archive.boxes == boxes(np.array([points[m] for m in members]), epsilon)).all()
    # 2. Theorem 1: members are minimal among all points ever offered, hence a front.
    minimal = nondominated(np.array(points), directions)
    assert all(minimal[m] for m in members)
    assert nondominated(archive.values, directions).all()


@given(cases(least=1, most=8), st.randoms(use_true_random=False))
def test_the_occupied_boxes_do_not_depend_on_the_order(case: Case, random: object) -> None:
    points, directions, epsilon = case
    shuffled = list(points)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = filled(case), filled((shuffled, directions, epsilon))
    assert sorted(one.boxes.tolist()) == sorted(other.boxes.tolist())


@given(cases(least=1, most=15))
def test_offering_again_changes_nothing(case: Case) -> None:
    points, directions, epsilon = case
    archive = filled(case)
    members = archive.members
    for place, point in enumerate(points):
        assert not archive.offer(place, point)
    assert archive.members == members
    # And an archive filled from its own members is the same again, which resuming relies on.
    again = BoxArchive[int](directions=directions, epsilon=epsilon)
    assert all(again.offer(m, points[m]) for m in members)
    assert again.members == members


@given(
    st.lists(st.tuples(*[st.integers(0, 12).map(lambda x: x / 2)] * 3), min_size=1, max_size=40),
    st.tuples(*[st.sampled_from([0.5, 1.0, 2.0, 4.0, 7.0])] * 3),
    st.tuples(*[st.sampled_from(Direction)] * 3),
)
def test_the_bound_of_theorem_2_holds(
    points: list[tuple[float, ...]],
    epsilon: tuple[float, ...],
    directions: tuple[Direction, ...],
) -> None:
    archive = filled((points, directions, epsilon))
    greatest = np.array(points).max(axis=0).tolist()
    assert len(archive) <= tightest_archive_bound(greatest, epsilon)
    assert tightest_archive_bound(greatest, epsilon) <= archive_bound(greatest, epsilon)


@pytest.mark.parametrize("order", list(permutations([(1.0, 0.5), (0.5, 1.0)])))
def test_the_printed_bound_fails(order: tuple[tuple[float, float], ...]) -> None:
    # K = ε = (1, 1): the printed bound is K/ε = 1, and yet both points stay.
    archive = filled((list(order), (HIGHER, HIGHER), (1.0, 1.0)))
    assert archive.boxes.tolist() in ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]])
    assert len(archive) == archive_bound((1, 1), (1, 1)) == 2


def test_the_bounds_are_reached() -> None:
    # b = (2, 2, 4): one box in each of the 2 · 2 columns.
    ones = (1.0, 1.0, 1.0)
    points: list[tuple[float, ...]] = [(x, y, 3.0 - x - y) for x in (0.0, 1.0) for y in (0.0, 1.0)]
    archive = filled((points, (HIGHER, HIGHER, HIGHER), ones))
    assert len(archive) == tightest_archive_bound((1, 1, 3), ones) == 4
    assert archive_bound((1, 1, 3), ones) == 8


def test_a_point_that_was_turned_away_for_a_full_box_is_not_forgotten() -> None:
    # What the printed proof of Theorem 1 leaves out: b is turned away because a holds the box; s,
    # which b dominates, must not get in either.
    a, b, s = (1.5, 0.2), (1.2, 0.6), (1.1, 0.4)
    assert dominates(np.array(b), np.array(s), (HIGHER, HIGHER))
    assert filled(([a, b, s], (HIGHER, HIGHER), (2.0, 1.0))).members == (0,)


def test_wrong_points_and_bounds() -> None:
    archive = BoxArchive[str](directions=(HIGHER,), epsilon=(1,))
    with raises(SettingsError, code="wrong-length", key="values", found="2"):
        archive.offer("a", (1.0, 2.0))
    with pytest.raises(ValueError, match="not a number"):
        archive.offer("a", (float("nan"),))
    assert len(archive) == 0
    with raises(SettingsError, code="out-of-range", found="-1"):
        archive_bound((-1,), (1,))
