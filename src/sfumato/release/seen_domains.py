"""The domains that a published loss is a share of: what is declared, and what kept rows show.

A hierarchy gets a leaf for missing values as soon as one value is missing. Where nobody but
suppressed people lacks a value, that leaf would change every loss, so that published losses are
those of the domain without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.recoding.written_column import ClassLabels, ColumnBlocks
from sfumato.release.kept_labels import kept_leaves

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.release_request import ReleaseRequest


def unseen_missing(request: ReleaseRequest) -> tuple[str, ...]:
    """Return the columns whose leaf for missing values is there for suppressed rows alone."""
    table = request.batch.table
    found = []
    for identifier, kept in zip(
        table.quasi_identifiers, kept_leaves(request.anonymization), strict=True
    ):
        missing = identifier.hierarchy.missing_leaf
        if missing is not None and not identifier.missing_declared and not kept[missing]:
            found.append(identifier.name)
    return tuple(found)


def without_leaf(
    columns: Sequence[WrittenColumn], names: Collection[str], leaves: Mapping[str, int]
) -> tuple[WrittenColumn, ...]:
    """Return columns in which some have one leaf less, the last, which no kept row has.

    ``leaves`` are the numbers of leaves with it.
    """
    return tuple(
        _without_leaf(column, leaves[column.name]) if column.name in names else column
        for column in columns
    )


def _without_leaf(column: WrittenColumn, leaves: int) -> WrittenColumn:
    if isinstance(column, ColumnBlocks):
        blocks = column.block_of_leaf[:-1]
        return replace(column, block_of_leaf=blocks, labels=column.labels[: int(blocks.max()) + 1])
    assert isinstance(column, ClassLabels), "a column has blocks or labels of classes"
    # Nothing but the top holds a value that no kept row has and that joins others only there.
    return replace(column, covered=np.where(column.covered == leaves, leaves - 1, column.covered))
