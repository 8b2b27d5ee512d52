"""Class tables that are kept because coarser ones can be rolled up from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.recoding.admissible_space import AdmissibleSpace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.arrays import Counts, Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables

_LEAST_ROOM = 4_000_000
_FIRST_PLACES = 64
# Below this many classes to touch, handing work to threads takes longer than doing it.
_WORTH_THREADS = 40_000

Node: TypeAlias = tuple[int, ...]


class FinishedTables:
    """Makes class tables of single nodes, each from the smallest finished one below it.

    On Adult, a search that jumps about in the lattice then touches a tenth of the classes that
    grouping the cells every time would touch. The finished tables take room for at most eight
    times the cells of the count table (and always some millions); when it is used up, the
    largest go first, as they spare the least.
    """

    def __init__(self, tables: ClassTables, *, threads: int = 1) -> None:
        self._tables = tables
        self._threads = threads
        self._room = max(_LEAST_ROOM, 8 * tables.table.cells)
        self._nodes = _CoarserThan(AdmissibleSpace.of(tables.table))
        self._finished: list[ClassBatch] = []
        self._sizes: Counts = np.zeros(_FIRST_PLACES, dtype=np.int64)
        self._taken = 0

    def group(self, node: Node) -> ClassBatch:
        """Return the class table of a node and keep it for others."""
        return self.group_all([node])[0]

    def group_all(self, nodes: Sequence[Node]) -> list[ClassBatch]:
        """Return the class tables of several nodes, made by several threads, and keep them.

        Each is made from what was finished before: the number of threads changes nothing.
        """
        works = [(node, self._smallest_below(node)) for node in nodes]
        touched = sum(self._tables.table.cells if b is None else b.classes for _, b in works)
        if self._threads == 1 or len(nodes) == 1 or touched < _WORTH_THREADS:
            batches = [self._made(*work) for work in works]
        else:
            batches = list(self._pool.map(lambda work: self._made(*work), works))
        for batch in batches:
            self._keep(batch)
        return batches

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        # Its threads end when the tables are dropped.
        return ThreadPoolExecutor(max_workers=self._threads)

    def _smallest_below(self, node: Node) -> ClassBatch | None:
        below = np.flatnonzero(self._nodes.finer(node))
        return self._finished[below[np.argmin(self._sizes[below])]] if below.size else None

    def _made(self, node: Node, finer: ClassBatch | None) -> ClassBatch:
        if finer is None:
            return self._tables.group(np.array([node], dtype=np.int64))
        return self._tables.roll_up(finer, node)

    def _keep(self, batch: ClassBatch) -> None:
        if len(self._finished) == self._sizes.shape[0]:
            self._sizes = np.concatenate((self._sizes, np.zeros_like(self._sizes)))
        size = batch.classes + batch.carried.values.shape[0]
        self._sizes[len(self._finished)] = size
        self._finished.append(batch)
        self._nodes.append(batch.choices[0])
        self._taken += size
        while self._taken > self._room:
            kept = self._sizes[: len(self._finished)]
            largest = int(np.argmax(kept))
            self._taken -= int(kept[largest])
            kept[largest:-1] = kept[largest + 1 :].copy()
            del self._finished[largest]
            self._nodes.remove(largest)


class _CoarserThan:
    """A growing list of recodings, asked again and again which are at least as specific as one.

    A recoding has a bit for every partition of every column that its own refines, and is as
    specific as another one if it has the bit of each of its partitions.
    """

    def __init__(self, space: AdmissibleSpace) -> None:
        self._orders = [order.refines for order in space.orders]
        ends = np.cumsum([refines.shape[1] for refines in self._orders])
        self._firsts = [0, *ends.tolist()]
        self._words = -(-self._firsts[-1] // 64)
        self._bits: NDArray[np.uint64] = np.zeros((self._words, _FIRST_PLACES), dtype=np.uint64)
        self._length = 0

    def append(self, choice: Counts) -> None:
        """Add a recoding."""
        if self._length == self._bits.shape[1]:
            self._bits = np.concatenate((self._bits, np.zeros_like(self._bits)), axis=1)
        flags = np.concatenate(
            [refines[level] for refines, level in zip(self._orders, choice.tolist(), strict=True)]
        )
        padded = np.zeros(64 * self._words, dtype=np.bool_)
        padded[: flags.shape[0]] = flags
        words = np.packbits(padded, bitorder="little").view("<u8")
        self._bits[:, self._length] = words
        self._length += 1

    def remove(self, place: int) -> None:
        """Take the recoding at a place out of the list."""
        self._bits[:, place : self._length - 1] = self._bits[:, place + 1 : self._length].copy()
        self._length -= 1

    def finer(self, choice: Node) -> Flags:
        """Say of every recoding of the list whether it is at least as specific as one."""
        asked = [0] * self._words
        for first, partition in zip(self._firsts, choice, strict=False):
            word, bit = divmod(first + partition, 64)
            asked[word] |= 1 << bit
        flags: Flags = np.ones(self._length, dtype=np.bool_)
        for bits, word in zip(self._bits, asked, strict=True):
            flags &= bits[: self._length] & np.uint64(word) == np.uint64(word)
        return flags
