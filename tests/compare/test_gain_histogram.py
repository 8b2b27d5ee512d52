"""Histograms of gains: everybody is in one bin, at round numbers, and no bin is a handful."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.compare.curves.gain_histogram import GainBin, GainHistogram, gain_histogram
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.property_vector import PropertyVector

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERS = st.one_of(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=50),
    st.lists(st.floats(-50, 50).map(lambda x: round(x, 3)), min_size=1, max_size=50),
)


def of_gains(gains: Sequence[float], *, fewest: int = 1) -> GainHistogram:
    first = PropertyVector.of_rows(gains, name="made")
    second = PropertyVector.of_rows([0] * len(gains), name="made")
    return gain_histogram(CommonRefinement.of(first, second), fewest=fewest)


@given(NUMBERS, st.integers(1, 9))
def test_everybody_is_in_one_bin(gains: list[float], fewest: int) -> None:
    found = of_gains(gains, fewest=fewest)
    assert found.unchanged == gains.count(0)
    sides = {
        found.better: [g for g in gains if g > 0],
        found.worse: [-g for g in gains if g < 0],
    }
    if not found.better and not found.worse:
        return
    for bins, sizes in sides.items():
        assert sum(each.rows for each in bins) == len(sizes)
        assert all(before.high == after.low for before, after in itertools.pairwise(bins))
        for each in bins:
            slack = 1e-8 * each.high
            inside = [s for s in sizes if each.low + slack < s <= each.high + slack]
            assert each.rows == len(inside)
            assert each.rows == 0 or each.rows >= min(fewest, len(sizes))
        assert len(bins) <= 14


def test_bins_by_orders_of_magnitude() -> None:
    found = of_gains([1, 1, 1, 2, 4, 9, 40, 900, -3])
    assert [each.high for each in found.better] == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    assert found.worse[-1] == GainBin(low=2, high=5, rows=1)


def test_bins_of_equal_width() -> None:
    found = of_gains([0.1, 0.2, 0.3, -0.3])
    assert [each.high for each in found.better] == pytest.approx([0.05 * n for n in range(1, 7)])
    assert [each.rows for each in found.better] == [0, 1, 0, 1, 0, 1]


def test_few_join_the_nearest() -> None:
    found = of_gains([1] * 10 + [7] * 2 + [8] * 20, fewest=3)
    assert [(each.low, each.high, each.rows) for each in found.better if each.rows] == [
        (0, 1, 10),
        (6, 8, 22),
    ]


def test_nobody_gains() -> None:
    found = of_gains([0, 0])
    assert (found.worse, found.unchanged, found.better) == ((), 2, ())
