"""The kernels that apply thresholds, against loops over the classes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.classes.compilation import load_kernels

if TYPE_CHECKING:
    from collections.abc import Sequence


def largest(tables: Sequence[Sequence[int]], budget: int) -> list[tuple[int, int]]:
    """Return threshold and suppressed rows of every table as the kernel finds them."""
    sizes = np.array([size for table in tables for size in table], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, tables)])
    thresholds, suppressed = np.empty((2, len(tables)), dtype=np.int64)
    load_kernels().largest_thresholds(sizes, sizes, offsets, budget, thresholds, suppressed)
    return list(zip(thresholds.tolist(), suppressed.tolist(), strict=True))


def by_definition(sizes: Sequence[int], budget: int) -> tuple[int, int]:
    """Suppress E_1, E_2, … while the total stays within the budget; keep the last."""
    gone = 0
    for size in sorted(set(sizes)):
        rows = size * sizes.count(size)
        if gone + rows > budget or size == max(sizes):
            return size, gone
        gone += rows
    raise AssertionError


@pytest.mark.parametrize(
    ("sizes", "budget", "expected"),
    [
        ([1, 1, 2, 5], 0, (1, 0)),
        ([1, 1, 2, 5], 1, (1, 0)),  # E_1 has two rows: all of it or nothing
        ([1, 1, 2, 5], 2, (2, 2)),
        ([1, 1, 2, 5], 3, (2, 2)),
        ([1, 1, 2, 5], 4, (5, 4)),
        ([1, 1, 2, 5], 9, (5, 4)),  # the last non-empty E_i is always kept
        ([1, 1, 2, 5], 10**18, (5, 4)),
        ([3, 3, 3], 9, (3, 0)),  # ties: one size only
        ([7], 100, (7, 0)),
        ([511, 512, 513], 511, (512, 511)),
        ([511, 512, 513], 1023, (513, 1023)),
        ([512, 600, 600, 9000], 511, (512, 0)),
        ([512, 600, 600, 9000], 1711, (600, 512)),
        ([512, 600, 600, 9000], 1712, (9000, 1712)),
        ([9000, 600, 512, 600], 10**9, (9000, 1712)),
        ([1] * 600 + [600], 600, (600, 600)),
        ([1] * 600 + [600], 599, (1, 0)),
        ([2**40, 2**41], 2**40, (2**41, 2**40)),
        ([2**40, 2**41], 2**40 - 1, (2**40, 0)),
    ],
)
def test_the_largest_threshold_by_hand(
    sizes: list[int], budget: int, expected: tuple[int, int]
) -> None:
    assert largest([sizes], budget) == [expected]
    assert by_definition(sizes, budget) == expected


@given(
    tables=st.lists(
        st.lists(
            st.one_of(st.integers(1, 4), st.integers(505, 520), st.integers(1, 5000)),
            min_size=1,
            max_size=60,
        ),
        min_size=1,
        max_size=5,
    ),
    budget=st.one_of(st.integers(0, 20), st.integers(0, 50_000), st.just(10**12)),
)
def test_the_largest_threshold_is_its_definition(tables: list[list[int]], budget: int) -> None:
    assert largest(tables, budget) == [by_definition(sizes, budget) for sizes in tables]


@given(
    tables=st.lists(
        st.lists(
            st.tuples(st.integers(1, 9), st.integers(-(10**12), 10**12)), min_size=1, max_size=20
        ),
        min_size=1,
        max_size=6,
    ),
    data=st.data(),
)
def test_sums_and_extremes_are_loops(
    tables: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    limits = [
        sorted(data.draw(st.lists(st.integers(0, 11), min_size=1, max_size=4))) for _ in tables
    ]
    sizes = np.array([size for table in tables for size, _ in table])
    metrics = np.array([metric for table in tables for _, metric in table])
    offsets = np.cumsum([0, *map(len, tables)])
    starts = np.cumsum([0, *map(len, limits)])
    thresholds = np.array([limit for table in limits for limit in table])
    owners = [
        (low, high)
        for (low, high), each in zip(pairwise(offsets), limits, strict=True)
        for _ in each
    ]
    for kept in (False, True):
        sums = np.empty(thresholds.shape[0], dtype=np.int64)
        load_kernels().sums_by_candidate(metrics, sizes, offsets, starts, thresholds, kept, sums)
        assert sums.tolist() == [
            int(metrics[low:high][(sizes[low:high] >= threshold) == kept].sum())
            for (low, high), threshold in zip(owners, thresholds, strict=True)
        ]
    for greatest, extreme in ((False, min), (True, max)):
        for given_metrics in (metrics, metrics / 3):
            found = np.empty(thresholds.shape[0])
            load_kernels().extremes_kept(
                given_metrics, sizes, offsets, starts, thresholds, greatest, -0.5, found
            )
            expected = []
            for (low, high), threshold in zip(owners, thresholds, strict=True):
                kept_metrics = given_metrics[low:high][sizes[low:high] >= threshold]
                expected.append(float(extreme(kept_metrics)) if kept_metrics.size else -0.5)
            assert found.tolist() == expected
    leaving = np.empty(sizes.shape[0], dtype=np.int64)
    load_kernels().leaving(sizes, offsets, starts, thresholds, leaving)
    assert leaving.tolist() == [
        first + sum(limit <= size for limit in each)
        for table, each, first in zip(tables, limits, starts, strict=False)
        for size, _ in table
    ]


@given(
    tables=st.lists(
        st.lists(
            st.tuples(st.sampled_from([1, 2, 3, 5, 4095, 4096, 5000, 9000]), st.integers(1, 9)),
            min_size=1,
            max_size=12,
        ),
        min_size=1,
        max_size=5,
    ),
    budget=st.integers(0, 60),
    least=st.sampled_from([0, 2, 4, 4096, 10_000]),
)
def test_every_threshold_is_a_size_that_the_budget_reaches(
    tables: list[list[tuple[int, int]]], budget: int, least: int
) -> None:
    """Classes are suppressed by their people, and the budget is one of rows."""
    sizes = np.array([size for table in tables for size, _ in table])
    rows = np.array([rows for table in tables for _, rows in table])
    offsets = np.cumsum([0, *map(len, tables)])
    starts, thresholds, suppressed = load_kernels().every_threshold(
        sizes, rows, offsets, budget, least
    )
    for n, table in enumerate(tables):
        reached = []
        for threshold in sorted({size for size, _ in table}):
            gone = sum(rows for size, rows in table if size < threshold)
            if gone <= budget:
                reached.append((threshold, gone))
        expected = [each for each in reached if each[0] >= least] or reached[-1:]
        places = slice(starts[n], starts[n + 1])
        found = zip(thresholds[places].tolist(), suppressed[places].tolist(), strict=True)
        assert list(found) == expected


def test_sealed_arrays_are_accepted() -> None:
    sizes = np.array([1, 2, 2])
    offsets = np.array([0, 3])
    out = np.empty(1, dtype=np.int64)
    for array in (sizes, offsets):
        array.flags.writeable = False
    starts = np.array([0, 1])
    load_kernels().sums_by_candidate(sizes, sizes, offsets, starts, np.array([2]), False, out)
    assert out.tolist() == [1]
