from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.microdata.value_counts import ValueCounts

if TYPE_CHECKING:
    from collections.abc import Hashable

GROUPS = 4
SPANS: dict[Hashable, tuple[int, int]] = {"first": (0, 3), "second": (3, 5)}

TRIPLES = st.lists(
    st.tuples(st.integers(0, GROUPS - 1), st.integers(0, 4), st.integers(1, 2**40)), max_size=20
)


def gathered(triples: list[tuple[int, int, int]]) -> ValueCounts:
    halves = (triples[::2], triples[1::2])
    parts = [
        tuple(np.array([t[field] for t in half], dtype=np.int64) for field in range(3))
        for half in halves
        if half
    ]
    return ValueCounts.gather([(p[0], p[1], p[2]) for p in parts], spans=SPANS, groups=GROUPS)


def as_counter(counts: ValueCounts) -> Counter[tuple[int, int]]:
    found: Counter[tuple[int, int]] = Counter()
    for group in range(len(counts.starts) - 1):
        inside = slice(counts.starts[group], counts.starts[group + 1])
        values = counts.values[inside].tolist()
        assert values == sorted(set(values)), "the values of a group ascend"
        for value, count in zip(values, counts.counts[inside].tolist(), strict=True):
            found[group, value] = count
    return found


@given(TRIPLES)
def test_gathering_adds_up_what_is_equal(triples: list[tuple[int, int, int]]) -> None:
    counts = gathered(triples)
    expected: Counter[tuple[int, int]] = Counter()
    for group, value, count in triples:
        expected[group, value] += count
    assert as_counter(counts) == expected
    assert counts.width == 5
    assert counts.starts.shape == (GROUPS + 1,)
    assert counts.values.dtype == np.int32
    assert counts.counts.dtype == np.int64


@given(TRIPLES)
def test_a_column_alone(triples: list[tuple[int, int, int]]) -> None:
    counts = gathered(triples)
    for name, (low, high) in SPANS.items():
        alone = counts.column(name)
        assert alone.spans == {name: (0, high - low)}
        assert alone.width == high - low
        assert as_counter(alone) == {
            (group, value - low): count
            for (group, value), count in as_counter(counts).items()
            if low <= value < high
        }
        assert alone.column(name) is alone


def test_nothing_gathered() -> None:
    counts = ValueCounts.gather([], spans={}, groups=3)
    assert counts.starts.tolist() == [0, 0, 0, 0]
    assert counts.width == 0
