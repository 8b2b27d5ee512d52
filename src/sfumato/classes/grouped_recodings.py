"""The class tables of recodings of either kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.recoding.partition_space import PartitionSpace, unique_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables
    from sfumato.recoding.recoding import Recoding


def group_recodings(
    tables: ClassTables, recodings: Sequence[Recoding]
) -> tuple[ClassBatch, Counts]:
    """Return the class tables of all different recodings, and which of them each is.

    Recodings by levels are nodes of the lattice; if one has none, all are taken as partitions.
    """
    table = tables.table
    for recoding in recodings:
        recoding.check(table)
    nodes = [recoding.levels for recoding in recodings]
    if all(node is not None for node in nodes):
        levels = [[node[name] for name in table.names] for node in nodes if node is not None]
        unique, which = np.unique(np.array(levels, dtype=np.int64), axis=0, return_inverse=True)
        return tables.group(unique), which.ravel()
    space = PartitionSpace.of(table)
    strings = np.stack([space.of_recoding(recoding) for recoding in recodings])
    first, which = unique_rows(strings)
    books, choices = space.books(strings[first])
    return tables.group(choices, books=books), which
