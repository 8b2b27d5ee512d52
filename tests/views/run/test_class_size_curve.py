from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.views.run.report_data import MOST_STEPS, class_size_curve

SIZES = st.lists(
    st.tuples(st.integers(1, 10**9), st.integers(1, 50)),
    min_size=1,
    max_size=300,
    unique_by=lambda pair: pair[0],
).map(sorted)


def test_by_hand() -> None:
    curve = class_size_curve([(1, 1), (2, 4), (5, 5)])
    assert (curve.sizes, curve.shares, curve.median) == ((1, 2, 5), (0.1, 0.5, 1.0), 2)


def test_nothing_kept() -> None:
    curve = class_size_curve([])
    assert (curve.sizes, curve.shares, curve.median) == ((), (), 0)


@given(SIZES, st.integers(4, MOST_STEPS))
def test_steps_are_left_out_and_never_moved(sizes: list[tuple[int, int]], most: int) -> None:
    curve = class_size_curve(sizes, most=most)
    total = sum(rows for _, rows in sizes)
    assert len(curve.sizes) <= most
    assert list(curve.sizes) == sorted(set(curve.sizes))
    assert (curve.sizes[0], curve.sizes[-1]) == (sizes[0][0], sizes[-1][0])
    for size, share in zip(curve.sizes, curve.shares, strict=True):
        assert share == sum(rows for each, rows in sizes if each <= size) / total
    below = sum(rows for each, rows in sizes if each < curve.median)
    upto = sum(rows for each, rows in sizes if each <= curve.median)
    assert 2 * below < total <= 2 * upto
