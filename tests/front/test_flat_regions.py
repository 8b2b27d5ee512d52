from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.front.made_front import made_front
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.decisions.flat_regions import Flatness, FlatRegion, flat_regions

TWO = ("k", "normalized-loss")

# Two plateaus: k = 4 to 16 for 0.02, and k = 64 to 256 for 0.04, of a whole of 1 to 1024 for 1.
PLATEAUS = [(1, 0.0), (4, 0.3), (8, 0.31), (16, 0.32), (64, 0.7), (256, 0.74), (1024, 1.0)]


def ends(regions: tuple[FlatRegion, ...]) -> list[tuple[int, int]]:
    return [(region.start.id, region.end.id) for region in regions]


def test_two_plateaus() -> None:
    regions = flat_regions(made_front(TWO, PLATEAUS))
    assert ends(regions) == [(1, 3), (4, 5)]
    first = regions[0]
    assert [solution.id for solution in first.solutions] == [1, 2, 3]
    assert first.privacy_gain == 12
    assert first.loss_gain == pytest.approx(0.02)
    # A factor of 4 of a factor of 1024 is a fifth of the way on a logarithmic scale.
    assert first.privacy_share == pytest.approx(0.2)
    assert first.loss_share == pytest.approx(0.02)


def test_a_straight_front_has_none() -> None:
    assert flat_regions(made_front(TWO, [(2**n, n / 10) for n in range(11)])) == ()


def test_the_bargain_can_be_set() -> None:
    # From 2 to 4 is twice as cheap as the whole, and from 4 to 8 ten times.
    values = [(1, 0.0), (2, 0.3), (4, 0.4), (8, 0.42), (16, 1.0)]
    front = made_front(TWO, values)
    assert ends(flat_regions(front)) == [(1, 3)]
    assert ends(flat_regions(front, flatness=Flatness(bargain=5))) == [(2, 3)]
    assert flat_regions(front, flatness=Flatness(bargain=20)) == ()


def test_a_small_gain_is_no_region() -> None:
    values = [(1, 0.0), (10, 0.5), (14, 0.501), (100, 1.0)]
    front = made_front(TWO, values)
    assert flat_regions(front) == ()
    assert ends(flat_regions(front, flatness=Flatness(least_factor=1.4))) == [(1, 2)]
    shares = made_front(("t", "normalized-loss"), [(1.0, 0.0), (0.5, 0.5), (0.46, 0.501), (0, 1.0)])
    assert flat_regions(shares) == ()
    assert ends(flat_regions(shares, flatness=Flatness(least_share=0.03))) == [(1, 2)]


def test_lower_is_better_for_some_privacy() -> None:
    values = [(1.0, 0.0), (0.8, 0.5), (0.4, 0.52), (0.0, 1.0)]
    (region,) = flat_regions(made_front(("t", "normalized-loss"), values))
    assert (region.start.id, region.end.id) == (1, 2)
    assert region.privacy_gain == pytest.approx(0.4)


def test_ties_lie_in_the_region() -> None:
    values = [(1, 0.0), (4, 0.5), (4, 0.5), (16, 0.51), (16, 0.51), (32, 1.0)]
    (region,) = flat_regions(made_front(TWO, values))
    assert (region.start.id, region.end.id) == (1, 3)
    assert [solution.id for solution in region.solutions] == [1, 2, 3, 4]


def test_only_the_staircase_counts_with_more_objectives() -> None:
    three = [(*row, 0.5) for row in PLATEAUS] + [(2.0, 0.9, 0.1)]
    front = made_front((*TWO, "t"), three)
    assert ends(flat_regions(front)) == [(1, 3), (4, 5)]


def test_a_step_on_which_other_privacy_falls_is_not_flat() -> None:
    names = ("k", "distinct-l", "normalized-loss")
    whole = [(1, 1, 0.0), (4, 3, 0.3), (8, 3, 0.31), (16, 3, 0.32), (64, 4, 0.7), (1024, 9, 1.0)]
    assert ends(flat_regions(made_front(names, whole))) == [(1, 3)]
    # The second step of the region costs two of the values in a class.
    falling = [(*row[:1], 1 if row[0] >= 16 else row[1], row[2]) for row in whole]
    assert ends(flat_regions(made_front(names, falling))) == [(1, 2)]
    other = ("k", "t", "normalized-loss")
    rising = [(row[0], 0.1 * row[0] / 1024, row[2]) for row in whole]
    assert flat_regions(made_front(other, rising)) == ()


def test_ties_count_each_for_itself() -> None:
    names = ("k", "distinct-l", "normalized-loss", "dm")
    start = [(1, 1, 0.0, 9), (4, 2, 0.5, 5), (4, 3, 0.5, 6)]
    for most, found in ((3, [(1, 3)]), (2, [])):
        # From the tie with distinct-l = 3 the way to 2 would be a fall.
        front = made_front(names, [*start, (16, most, 0.51, 7), (32, 9, 1.0, 9)])
        assert ends(flat_regions(front)) == found


@given(
    st.lists(st.integers(1, 10**6), min_size=2, max_size=25, unique=True),
    st.lists(st.floats(0, 1, width=32), min_size=25, max_size=25, unique=True),
    st.lists(st.integers(1, 4), min_size=25, max_size=25),
)
def test_in_a_region_no_privacy_falls(
    counts: list[int], losses: list[float], values: list[int]
) -> None:
    rows = list(zip(sorted(counts), values, sorted(losses), strict=False))
    for region in flat_regions(made_front(("k", "distinct-l", "normalized-loss"), rows)):
        seen = [solution.values["distinct-l"] for solution in region.solutions]
        assert seen == sorted(seen)


def test_degenerate_fronts() -> None:
    assert flat_regions(made_front(TWO, [])) == ()
    assert flat_regions(made_front(TWO, [(3, 0.2)])) == ()
    assert flat_regions(made_front(("k", "t"), [(3, 0.2), (4, 0.3)])) == ()
    assert flat_regions(made_front(TWO, [(1, 0.0), (9, 1.0)])) == ()
    values = [(math.inf, 0.0), (9.0, 0.5), (2.0, 0.51), (1.0, 1.0)]
    (region,) = flat_regions(made_front(("protection", "normalized-loss"), values))
    assert (region.start.id, region.end.id) == (1, 2)


def test_settings_are_checked() -> None:
    with raises(SettingsError, code="out-of-range", key="bargain", found="0.5"):
        Flatness(bargain=0.5)
    with raises(SettingsError, code="out-of-range", key="least_factor"):
        Flatness(least_factor=math.nan)
    with raises(SettingsError, code="out-of-range", key="least_share", found="2"):
        Flatness(least_share=2)


@given(
    st.lists(st.integers(1, 10**6), min_size=2, max_size=25, unique=True),
    st.lists(st.floats(0, 1, width=32), min_size=25, max_size=25, unique=True),
)
def test_every_step_of_a_region_is_a_bargain(counts: list[int], losses: list[float]) -> None:
    front = made_front(TWO, list(zip(sorted(counts), sorted(losses), strict=False)))
    whole_k = math.log(max(counts) / min(counts))
    whole_loss = front.solutions[-1].values[TWO[1]] - front.solutions[0].values[TWO[1]]
    regions = flat_regions(front)
    inside = [solution.id for region in regions for solution in region.solutions]
    assert len(inside) == len(set(inside))
    for region in regions:
        for one, other in pairwise(region.solutions):
            gained = math.log(other.values["k"] / one.values["k"]) / whole_k
            added = (other.values[TWO[1]] - one.values[TWO[1]]) / whole_loss
            assert gained >= 2 * added - 1e-6
        assert region.end.values["k"] >= 1.5 * region.start.values["k"]
