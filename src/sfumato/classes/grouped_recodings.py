"""The class tables of any recodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import Leaves
from sfumato.recoding.partition_book import PartitionBook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables
    from sfumato.recoding.recoding import ColumnRecoding


def group_recodings(
    tables: ClassTables, recodings: Sequence[ColumnRecoding]
) -> tuple[ClassBatch, Counts]:
    """Return the class tables of all different recodings, and which of them each is."""
    table = tables.table
    for recoding in recodings:
        recoding.check(table)
    books = []
    choices = []
    for identifier in table.quasi_identifiers:
        book, pages = _book(recodings, identifier.name, tables)
        books.append(book)
        choices.append(pages)
    unique, which = np.unique(np.stack(choices, axis=1), axis=0, return_inverse=True)
    return tables.group(unique, books=tuple(books)), which.ravel()


def _book(
    recodings: Sequence[ColumnRecoding], name: str, tables: ClassTables
) -> tuple[PartitionBook, Counts]:
    """Return the different partitions of a column, and which one every recoding has."""
    hierarchy = tables.table.hierarchies[tables.table.names.index(name)]
    pages: dict[tuple[bytes, int | None], int] = {}
    partitions: list[Codes] = []
    chosen = []
    for recoding in recodings:
        blocks = recoding.block_of_leaf(name, hierarchy)
        key = blocks.tobytes(), recoding.level_of(name)
        if key not in pages:
            pages[key] = len(partitions)
            partitions.append(blocks)
        chosen.append(pages[key])
    levels = [level for _, level in pages if level is not None]
    book = PartitionBook(
        block_of=np.stack(partitions).astype(np.int32),
        leaf_rows=tables.table.marginal(Leaves(name)),
        levels=np.array(levels, dtype=np.int64) if len(levels) == len(pages) else None,
    )
    return book, np.array(chosen, dtype=np.int64)
