from __future__ import annotations

import gc
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.recoding.generated_tables import (
    Generated,
    check_identical,
    clustered,
    hierarchy,
)

from sfumato.classes.buffer_pool import BufferPool
from sfumato.classes.class_tables import ClassTables

if TYPE_CHECKING:
    from numpy.typing import NDArray


def address(array: NDArray[np.generic]) -> int:
    return int(array.__array_interface__["data"][0])


def test_two_live_arrays_never_share_memory() -> None:
    pool = BufferPool()
    taken = [pool.take(length, np.int64) for length in (10, 3, 10, 7, 1)]
    for one, other in itertools.combinations(taken, 2):
        assert not np.shares_memory(one, other)


def test_any_view_keeps_a_buffer_taken() -> None:
    pool = BufferPool()
    first = pool.take(100, np.int64)
    where = address(first)
    for view in (first[10:20], first.reshape(10, 10), first.view(np.uint64)[::2], first[:0]):
        taken = pool.take(100, np.int64)
        assert address(taken) != where
        del taken
        last = view
    del first, view
    # One view of a view is left, and it still counts.
    assert address(pool.take(100, np.int64)) != where
    del last
    gc.collect()
    assert address(pool.take(100, np.int64)) == where


def test_a_released_buffer_is_used_again() -> None:
    pool = BufferPool()
    where = address(pool.take(100, np.int64))
    assert address(pool.take(100, np.int64)) == where
    assert address(pool.take(40, np.int64)) == where
    assert pool.take(40, np.int64).shape == (40,)


def test_kinds_and_lengths_are_respected() -> None:
    pool = BufferPool()
    for kind, length in itertools.product((np.int64, np.uint64, np.int32), (5, 500, 50, 0)):
        taken = pool.take(length, kind)
        assert (taken.dtype, taken.shape) == (np.dtype(kind), (length,))
        assert taken.flags.writeable


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=40))
def test_what_was_written_stays_until_it_is_released(steps: list[tuple[int, bool]]) -> None:
    pool = BufferPool()
    live: list[NDArray[np.generic]] = []
    written: list[int] = []
    for number, (length, release) in enumerate(steps):
        if release and live:
            live.pop(0)
            written.pop(0)
        array = pool.take(length, np.int64)[: length // 2 + 1]
        array[:] = number
        live.append(array)
        written.append(number)
        del array
        assert all((a == n).all() for a, n in zip(live, written, strict=True))


def test_many_threads_never_get_the_same_memory() -> None:
    pool = BufferPool()
    barrier = threading.Barrier(8)

    def work(worker: int) -> bool:
        barrier.wait()
        for turn in range(300):
            array = pool.take(50 + turn % 7, np.int64)
            array[:] = worker * 1000 + turn
            other = pool.take(20, np.int64)
            other[:] = -1
            if not (array == worker * 1000 + turn).all():
                return False
        return True

    with ThreadPoolExecutor(max_workers=8) as threads:
        assert all(threads.map(work, range(8)))


def test_a_kept_batch_outlives_later_ones() -> None:
    rng = np.random.default_rng(1)
    trees = [hierarchy(50, (5, 10)) for _ in range(6)]
    rows = Generated(
        hierarchies=trees,
        codes=clustered(rng, trees, 400),
        sensitive={"s": (3, rng.integers(0, 3, 400).astype(np.int32))},
    )
    tables = ClassTables(table=rows.counted(), carries=("s",))
    outer_nodes = list(itertools.islice(tables.outer_nodes(), 6))
    with ThreadPoolExecutor(max_workers=3) as threads:
        kept = list(threads.map(tables.sweep_batch, outer_nodes))
    for batch in kept:
        check_identical(batch, tables.group(batch.choices))
