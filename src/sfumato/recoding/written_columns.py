"""From a recoding of any kind to the columns that a release writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.recoding.local import Local
from sfumato.recoding.local_labels import local_columns
from sfumato.recoding.recoding import ColumnRecoding, Recoding
from sfumato.recoding.written_column import ClassLabels, WrittenColumn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable


def written_columns(table: CountTable, recoding: Recoding) -> tuple[WrittenColumn, ...]:
    """Return the labels of a recoding, in the order of the table's quasi-identifiers."""
    if isinstance(recoding, ColumnRecoding):
        return recoding.blocks(table)
    assert isinstance(recoding, Local), "a recoding is by columns or by cells"
    return tuple(
        ClassLabels(
            name=column.name,
            labels=column.texts,
            output=column.output,
            covered=column.sizes,
            counted=_counted(column.identifier.hierarchy, column.identifier.minimum_level),
        )
        for column in local_columns(table, recoding)
    )


def certified_columns(
    recoding: Recoding,
    hierarchies: Mapping[str, PartitionedDomain],
    *,
    labels: Mapping[str, Sequence[str | None]],
    sizes: Mapping[str, Sequence[int]],
) -> tuple[WrittenColumn, ...]:
    """Return the columns of a release from what its private certificate lists.

    That are the ``labels`` by code where they are made of values, and how many domain values they
    cover, ``sizes``, where they are not those of a partition. What does not fit the hierarchies is
    a KeyError or an IndexError.
    """
    if isinstance(recoding, ColumnRecoding):
        return tuple(
            replace(column, labels=_as_many(labels.get(column.name, column.labels), column.labels))
            for column in recoding.blocks_in(hierarchies)
        )
    assert isinstance(recoding, Local), "a recoding is by columns or by cells"
    if set(recoding.names) != set(hierarchies):
        raise KeyError(*recoding.names)
    return tuple(
        ClassLabels(
            name=name,
            labels=_as_many(labels[name], sizes[name]),
            output=recoding.outputs[name],
            covered=np.array(sizes[name], dtype=np.int64),
            counted=_counted(hierarchy, 0),
        )
        for name, hierarchy in hierarchies.items()
    )


def _counted(hierarchy: PartitionedDomain, minimum_level: int) -> Codes:
    """Return, for every leaf, the one that the cells of a count table hold."""
    starts = hierarchy.block_starts(minimum_level)
    return sealed_codes(starts[hierarchy.levels[minimum_level]])


def _as_many(labels: Sequence[str | None], others: Sequence[object]) -> tuple[str | None, ...]:
    if len(labels) != len(others):
        raise IndexError(len(labels))
    return tuple(labels)
