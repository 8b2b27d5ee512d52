from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.study.proposal.information_bottleneck import Blocks, merged_alike

Counts = NDArray[np.int64]


@st.composite
def tables(draw: st.DrawFn) -> Counts:
    width = draw(st.integers(1, 4))
    row = st.lists(st.integers(0, 20), min_size=width, max_size=width)
    return np.array(draw(st.lists(row, min_size=1, max_size=7)), dtype=np.int64)


def information(counts: Counts, blocks: Blocks) -> float:
    """Return the mutual information of blocks and columns by its definition, in nats."""
    total = counts.sum()
    merged = [
        [sum(counts[v][y] for v in block) for y in range(counts.shape[1])] for block in blocks
    ]
    columns = counts.sum(axis=0)
    return math.fsum(
        c / total * math.log(c * total / (sum(row) * columns[y]))
        for row in merged
        for y, c in enumerate(row)
        if c
    )


@given(counts=tables(), ordered=st.booleans())
def test_each_step_merges_two_blocks(counts: Counts, *, ordered: bool) -> None:
    mergers = merged_alike(counts, ordered=ordered)
    values = list(range(len(counts)))
    assert mergers.partitions[0] == tuple((value,) for value in values)
    assert [len(blocks) for blocks in mergers.partitions] == list(range(len(counts), 0, -1))
    for fine, coarse in pairwise(mergers.partitions):
        assert sorted(v for block in coarse for v in block) == values
        assert all(any(set(block) <= set(wider) for wider in coarse) for block in fine)
        if ordered:
            assert [v for block in coarse for v in block] == values


@given(counts=tables(), ordered=st.booleans())
def test_no_other_merger_loses_less(counts: Counts, *, ordered: bool) -> None:
    """Against mutual information by its definition, over all mergers of two blocks."""
    if not counts.sum():
        return
    mergers = merged_alike(counts, ordered=ordered)
    for (before, after), lost in zip(pairwise(mergers.partitions), mergers.losses, strict=True):
        told = information(counts, before)
        assert math.isclose(lost, told - information(counts, after), abs_tol=1e-9)
        for a in range(len(before)):
            for b in range(a + 1, a + 2 if ordered else len(before)):
                if b == len(before):
                    continue
                rest = tuple(block for n, block in enumerate(before) if n not in (a, b))
                other = told - information(counts, (*rest, (*before[a], *before[b])))
                assert lost <= other + 1e-9


@given(counts=tables(), data=st.data())
def test_the_first_value_is_merged_at_once(counts: Counts, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(counts) - 1))
    mergers = merged_alike(counts, first=first, ordered=True)
    for blocks in mergers.partitions[1:]:
        assert (first,) not in blocks or len(blocks) == 1
        # The others keep their order.
        kept = [v for block in blocks for v in block if v != first]
        assert kept == sorted(kept)


def test_values_that_behave_the_same_lose_nothing() -> None:
    counts = np.array([[8, 2], [1, 9], [4, 1], [2, 18]])
    mergers = merged_alike(counts)
    assert {frozenset(block) for block in mergers.with_blocks(2)} == {
        frozenset({0, 2}),
        frozenset({1, 3}),
    }
    assert np.allclose(mergers.losses[:2], 0)
    assert mergers.losses[2] > 0.1
