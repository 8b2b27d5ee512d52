"""Class tables that are kept because coarser ones can be rolled up from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.recoding.admissible_space import AdmissibleSpace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables

_LEAST_ROOM = 4_000_000
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
        self._space = AdmissibleSpace.of(tables.table)
        self._finished: list[ClassBatch] = []
        self._nodes = np.zeros((0, len(tables.table.names)), dtype=np.int64)
        self._sizes = np.zeros(0, dtype=np.int64)

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
        below = np.flatnonzero(self._space.finer(self._nodes, node))
        return self._finished[below[np.argmin(self._sizes[below])]] if below.size else None

    def _made(self, node: Node, finer: ClassBatch | None) -> ClassBatch:
        if finer is None:
            return self._tables.group(np.array([node], dtype=np.int64))
        return self._tables.roll_up(finer, node)

    def _keep(self, batch: ClassBatch) -> None:
        self._finished.append(batch)
        self._nodes = np.concatenate((self._nodes, batch.choices))
        size = batch.classes + batch.carried.values.shape[0]
        self._sizes = np.concatenate((self._sizes, [size]))
        while self._sizes.sum() > self._room:
            largest = int(np.argmax(self._sizes))
            del self._finished[largest]
            self._nodes = np.delete(self._nodes, largest, axis=0)
            self._sizes = np.delete(self._sizes, largest)
