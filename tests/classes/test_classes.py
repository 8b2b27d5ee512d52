"""Suppression policies by hand, and reductions over candidates against loops."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.recoding.generated_tables import Generated, hierarchy

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Suppression,
    Threshold,
    given_k,
    limited,
)
from sfumato.front.decisions.criterion import read_criterion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.classes.class_batch import ClassBatch


def of_sizes(sizes: Sequence[int]) -> ClassBatch:
    """Return a batch of one recoding whose classes have the given sizes."""
    codes = np.arange(len(sizes), dtype=np.int32).reshape(1, -1)
    tree = hierarchy(len(sizes), ())
    rows = Generated(hierarchies=[tree], codes=codes, weights=np.array(sizes))
    return ClassTables(table=rows.counted()).group(np.array([[0]]))


def thresholds(sizes: Sequence[int], suppression: Suppression) -> list[tuple[int, int, float]]:
    """Return threshold, suppressed rows and k of all candidates."""
    found = Classes.of(of_sizes(sizes), suppression)
    return list(
        zip(
            found.thresholds.tolist(),
            found.suppressed_rows.tolist(),
            found.smallest_kept.tolist(),
            strict=True,
        )
    )


def test_none_keeps_everything() -> None:
    assert thresholds([3, 1, 2], NO_SUPPRESSION) == [(0, 0, 1.0)]


@pytest.mark.parametrize(
    ("limit", "k", "suppressed"),
    [
        (0, 1, 0),
        (0.0, 1, 0),
        (2, 1, 0),
        (3, 2, 3),  # E_1 has three rows
        (6, 2, 3),
        (7, 5, 7),  # and E_2 four
        (0.29, 2, 3),  # 29 % of 17 rows are 4
        (0.42, 5, 7),  # 42 % of 17 rows are 7.14
        (16, 5, 7),
        (17, 5, 7),  # the last non-empty E_i is always kept
        (1.0, 5, 7),
        (10**30, 5, 7),
    ],
)
def test_a_limit_takes_whole_size_groups(limit: float, k: int, suppressed: int) -> None:
    sizes = [5, 1, 2, 1, 5, 2, 1]
    assert thresholds(sizes, limited(limit)) == [(k, suppressed, float(k))]


def test_every_threshold_within_a_limit() -> None:
    sizes = [5, 1, 2, 1, 5, 2, 1]
    every = Threshold.EVERY
    assert thresholds(sizes, limited(2, threshold=every)) == [(1, 0, 1.0)]
    assert thresholds(sizes, limited(3, threshold=every)) == [(1, 0, 1.0), (2, 3, 2.0)]
    three = [(1, 0, 1.0), (2, 3, 2.0), (5, 7, 5.0)]
    assert thresholds(sizes, limited(7, threshold=every)) == three
    assert thresholds(sizes, limited(1.0, threshold=every)) == three


def test_given_k_suppresses_every_smaller_class() -> None:
    sizes = [5, 1, 2, 1, 5, 2, 1]
    assert thresholds(sizes, given_k(1)) == [(1, 0, 1.0)]
    assert thresholds(sizes, given_k(2)) == [(2, 3, 2.0)]
    assert thresholds(sizes, given_k(3)) == [(3, 7, 5.0)]


@pytest.mark.parametrize("k", [6, 18, 2**62, 2**63, 10**40])
def test_given_k_that_leaves_nothing_has_k_zero(k: int) -> None:
    found = Classes.of(of_sizes([5, 1, 2, 5]), given_k(k))
    assert found.suppressed_rows.tolist() == [13]
    assert found.kept_rows.tolist() == [0]
    assert found.kept_classes.tolist() == [0]
    assert found.smallest_kept.tolist() == [0.0]
    assert found.empty.tolist() == [True]


def test_below_weighted_k_is_strictly_smaller() -> None:
    # Σ size² / N = (1 + 1 + 4 + 16) / 8 = 2.75: the class of 2 goes, the class of 4 stays.
    assert thresholds([1, 1, 2, 4], BELOW_WEIGHTED_K) == [(3, 4, 4.0)]
    # All classes are as large as weighted-k = 3, and none is smaller.
    assert thresholds([3, 3, 3], BELOW_WEIGHTED_K) == [(3, 0, 3.0)]
    # (4 · 1² + 2 · 2²) / 8 = 1.5: E_1 goes.
    assert thresholds([1, 1, 1, 1, 2, 2], BELOW_WEIGHTED_K) == [(2, 4, 2.0)]
    # (9 · 2² + 1 · 6²) / 24 = 3 exactly, which no class has.
    assert thresholds([2] * 9 + [6], BELOW_WEIGHTED_K) == [(3, 18, 6.0)]
    # (4 + 9 + 16 + 1 + 1) / 11 = 2.82: 3 and 4 stay.
    assert thresholds([2, 3, 4, 1, 1], BELOW_WEIGHTED_K) == [(3, 4, 3.0)]


def test_weighted_k_that_is_a_class_size_keeps_that_class() -> None:
    # (2 · 1² + 2 · 3² + 4²) / 12 = 3: classes of exactly 3 rows are not smaller than weighted-k.
    sizes = [1, 1, 3, 3, 4]
    assert sum(size * size for size in sizes) == 3 * sum(sizes)
    assert thresholds(sizes, BELOW_WEIGHTED_K) == [(3, 2, 3.0)]


def test_below_weighted_k_keeps_at_least_one_class() -> None:
    # The largest class is never smaller than the average of sizes.
    for sizes in ([1], [1, 1], [1, 2], [5] * 4 + [6]):
        assert not Classes.of(of_sizes(sizes), BELOW_WEIGHTED_K).empty.any()


@pytest.mark.parametrize("kind", ["none", "limit", "every", "given-k", "below-weighted-k"])
@settings(max_examples=examples(25))
@given(data=st.data())
def test_reductions_equal_loops_over_the_classes(kind: str, data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 9999)))
    count = data.draw(st.integers(1, 60))
    trees = [hierarchy(6, (2,)), hierarchy(4, (2,)), hierarchy(1, ())]
    rows = Generated(
        hierarchies=trees,
        codes=np.stack([rng.integers(0, t.leaf_count, count) for t in trees]).astype(np.int32),
        sensitive={
            "s": (5, rng.integers(0, 5, count).astype(np.int32)),
            "t": (300, rng.integers(0, 300, count).astype(np.int32)),
        },
        weights=rng.integers(1, data.draw(st.sampled_from([2, 4, 700])), count),
    )
    tables = ClassTables(table=rows.counted(), carries=("s", "t"))
    batch = tables.sweep_batch(())
    total = tables.table.rows
    limit = data.draw(st.integers(0, total + 2))
    required = data.draw(st.sampled_from([0, 0, 2, 5, total, total + 1]))
    criteria = (read_criterion(f"k>={required}"),) if required else ()
    suppression = {
        "none": NO_SUPPRESSION,
        "limit": limited(limit),
        "every": limited(limit, threshold=Threshold.EVERY),
        "given-k": given_k(max(1, limit)),
        "below-weighted-k": BELOW_WEIGHTED_K,
    }[kind]
    suppression = replace(suppression, criteria=criteria)
    found = Classes.of(batch, suppression)
    metrics = rng.integers(-1000, 1000, batch.classes)
    reals = metrics / 8  # so that sums of reals are exact in any order
    sums = (found.sum_kept(metrics), found.sum_suppressed(metrics))
    real_sums = (found.add_kept(reals), found.add_suppressed(reals))
    extremes = [
        (found.min_kept(f, empty=-7.0), found.max_kept(f, empty=-7.0)) for f in (metrics, reals)
    ]
    gone_counts = {name: found.suppressed_counts(name) for name in ("s", "t")}
    assert len(set(zip(found.recoding, found.thresholds, strict=True))) == found.count
    assert set(found.recoding.tolist()) == set(range(batch.recodings))
    for c in range(found.count):
        low, high = (int(x) for x in batch.offsets[[found.recoding[c], found.recoding[c] + 1]])
        classes = range(low, high)
        kept = [i for i in classes if batch.sizes[i] >= found.thresholds[c]]
        gone = [i for i in classes if batch.sizes[i] < found.thresholds[c]]
        assert sums[0][c] == sum(int(metrics[i]) for i in kept)
        assert sums[1][c] == sum(int(metrics[i]) for i in gone)
        assert real_sums[0][c] == sum(float(reals[i]) for i in kept)
        assert real_sums[1][c] == sum(float(reals[i]) for i in gone)
        for per_class, (least, greatest) in zip((metrics, reals), extremes, strict=True):
            assert least[c] == min((float(per_class[i]) for i in kept), default=-7.0)
            assert greatest[c] == max((float(per_class[i]) for i in kept), default=-7.0)
        assert found.suppressed_rows[c] == sum(int(batch.sizes[i]) for i in gone)
        assert found.kept_rows[c] == total - found.suppressed_rows[c]
        assert found.kept_classes[c] == len(kept)
        assert found.smallest_kept[c] == min((int(batch.sizes[i]) for i in kept), default=0)
        assert found.empty[c] == (not kept)
        for q in range(len(trees)):
            extents = batch.block_extents(q)
            assert found.kept_extents[c, q] == sum(
                int(batch.sizes[i]) * int(extents[i]) for i in kept
            )
        for name, totals in gone_counts.items():
            counts = batch.counts(name)
            expected: Counter[int] = Counter()
            for i in gone:
                for e in range(int(counts.starts[i]), int(counts.starts[i + 1])):
                    expected[int(counts.values[e])] += int(counts.counts[e])
            shown = {v: int(totals[c, v]) for v in np.flatnonzero(totals[c])}
            assert shown == dict(expected)


def test_candidates_of_one_recoding_are_neighbours_by_rising_threshold() -> None:
    codes = np.array([[0, 1, 2, 3, 4, 5]], dtype=np.int32)
    rows = Generated(
        hierarchies=[hierarchy(6, (3,))], codes=codes, weights=np.array([1, 2, 3, 4, 5, 6])
    )
    batch = ClassTables(table=rows.counted()).sweep_batch(())
    found = Classes.of(batch, limited(6, threshold=Threshold.EVERY))
    assert found.recoding.tolist() == [0, 0, 0, 0, 1, 1, 2]
    assert found.thresholds.tolist() == [1, 2, 3, 4, 6, 15, 21]
    assert found.suppressed_rows.tolist() == [0, 1, 3, 6, 0, 6, 0]
