"""Class tables that are kept because coarser ones can be rolled up from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.recoding.admissible_space import AdmissibleSpace

if TYPE_CHECKING:
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables

_LEAST_ROOM = 4_000_000


class FinishedTables:
    """Makes class tables of single nodes, each from the smallest finished one below it.

    On Adult, a search that jumps about in the lattice then touches a tenth of the classes that
    grouping the cells every time would touch. The finished tables take room for at most eight
    times the cells of the count table (and always some millions); when it is used up, the
    largest go first, as they spare the least.
    """

    def __init__(self, tables: ClassTables) -> None:
        self._tables = tables
        self._room = max(_LEAST_ROOM, 8 * tables.table.cells)
        self._space = AdmissibleSpace.of(tables.table)
        self._finished: list[ClassBatch] = []
        self._nodes = np.zeros((0, len(tables.table.names)), dtype=np.int64)
        self._sizes = np.zeros(0, dtype=np.int64)

    def group(self, node: tuple[int, ...]) -> ClassBatch:
        """Return the class table of a node and keep it for others."""
        below = np.flatnonzero(self._space.finer(self._nodes, node))
        if below.size:
            smallest = below[np.argmin(self._sizes[below])]
            batch = self._tables.roll_up(self._finished[smallest], node)
        else:
            batch = self._tables.group(np.array([node], dtype=np.int64))
        self._keep(batch)
        return batch

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
