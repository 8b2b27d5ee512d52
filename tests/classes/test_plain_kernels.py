"""The plain kernels give what the compiled ones give, on drawn tables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sfumato.classes import chosen_kernels, plain_kernels
from sfumato.classes.compilation import load_kernels
from sfumato.classes.key_layout import KeyLayout

if TYPE_CHECKING:
    from types import ModuleType

    from sfumato.arrays import Counts, Floats

LEAVES = {1: (5, 3, 9), 2: (2**31, 2**31, 7)}
"""The leaves of columns whose keys take one word, and two."""


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_grouping_is_that_of_the_compiled_kernel(words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = KeyLayout(leaf_counts=LEAVES[words], heights=(2, 1, 3))
    assert layout.words == words
    codes = np.unique(rng.integers(0, (5, 3, 7), size=(60, 3)), axis=0).T.astype(np.int32)
    keys = layout.pack(codes)
    keys = np.ascontiguousarray(keys[np.lexsort(keys.T[::-1])])
    having: Counts = rng.integers(0, 4, size=(keys.shape[0],))
    starts = np.concatenate(([0], np.cumsum(having)))
    values = np.concatenate([np.sort(rng.permutation(6)[:length]) for length in having.tolist()])
    maps = rng.integers(0, 3, size=(2, 3, 7)).astype(np.int32)
    sizes: Counts = rng.integers(1, 9, size=(keys.shape[0],))
    counts: Counts = rng.integers(1, 9, size=(values.shape[0],))
    given = (
        keys,
        sizes,
        starts,
        values.astype(np.int32),
        counts,
        6,
        np.array(layout.order, dtype=np.int64),
        layout.word_of,
        layout.shift_of,
        layout.bits_of,
        np.arange(0, maps.size, 7, dtype=np.int64).reshape(2, 3),
        maps.ravel(),
    )
    plain = plain_kernels.group_tables(*given)
    compiled = load_kernels().group_tables(*given)
    for ours, theirs in zip(map(np.asarray, plain), map(np.asarray, compiled), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


def reductions(kernels: ModuleType, seed: int, *, every: bool) -> list[list[object]]:
    """What all kernels of thresholds find in drawn tables, with one threshold a table or all."""
    rng = np.random.default_rng(seed)
    layout = KeyLayout(leaf_counts=(5, 3), heights=(2, 1))
    offsets = np.array([0, 1, 9, 30])
    codes = rng.integers(0, (5, 3), size=(30, 2)).T.astype(np.int32)
    units = rng.choice([1, 2, 3, 5000, 6000], size=30)
    rows = units + rng.integers(0, 3, size=30)
    budget, least = int(rng.integers(0, 30000)), int(rng.choice([1, 3, 9000]))
    if every:
        starts, limits, gone = kernels.every_threshold(units, rows, offsets, budget, least)
    else:
        starts = np.arange(4)
        limits, gone = np.empty((2, 3), dtype=np.int64)
        kernels.largest_thresholds(units, rows, offsets, budget, limits, gone)
    leaving = np.empty(30, dtype=np.int64)
    kernels.leaving(units, offsets, starts, limits, leaving)
    found: list[Counts | Floats] = [starts, limits, gone, leaving]
    for values in (rows, rows / 7):
        for flag in (True, False):
            sums = np.empty(limits.shape[0], dtype=values.dtype)
            kernels.sums_by_candidate(values, units, offsets, starts, limits, flag, sums)
            found.append(sums)
            for thresholds in (limits, np.full(limits.shape[0], 9000)):
                extremes = np.empty(limits.shape[0])
                kernels.extremes_kept(
                    values, units, offsets, starts, thresholds, flag, -1.0, extremes
                )
                found.append(extremes)
    extents = np.empty((limits.shape[0], 2), dtype=np.int64)
    kernels.extents_below(
        layout.pack(codes),
        units,
        rows,
        offsets,
        starts,
        limits,
        layout.word_of,
        layout.shift_of,
        layout.bits_of,
        np.array([[0, 5]] * 3),
        rng.integers(1, 5, size=8),
        extents,
    )
    return [each.tolist() for each in (*found, extents)]


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_reductions_are_those_of_the_compiled_kernels(seed: int, every: bool) -> None:
    plain = reductions(plain_kernels, seed, every=every)
    assert plain == reductions(load_kernels(), seed, every=every)


def test_compiled_kernels_are_taken_once_loaded_or_worth_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = load_kernels()
    assert chosen_kernels.kernels(1) is compiled
    monkeypatch.delitem(sys.modules, "sfumato.classes.kernels")
    monkeypatch.setattr("sfumato.classes.chosen_kernels._Asked.codes", 0)
    assert chosen_kernels.kernels(1) is plain_kernels
    assert chosen_kernels.kernels(10**9) is compiled


def test_what_has_no_plain_version_is_compiled() -> None:
    assert plain_kernels.sweep_sublattice is load_kernels().sweep_sublattice
