"""ql of a table whose partitions are known, by its labels or from a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.measures.confidentiality.sf_ql import SfQl
from sfumato.measures.loss.ql import Ql, column_weights, partition_quality

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.measures.measure import Measure
    from sfumato.microdata.count_table import CountTable
    from sfumato.recoding.column_blocks import ColumnBlocks


def seen_quality(
    measures: Sequence[Measure],
    table: CountTable,
    *,
    hierarchies: Mapping[str, PartitionedDomain],
    levels: Mapping[str, int | None],
    blocks: Sequence[ColumnBlocks] | None,
) -> dict[str, float]:
    """Return ql with the weights of every measure that asks for it, by the measures' texts.

    Nothing where the levels are unknown. ``table`` has the weights of the columns.
    """
    kept = []
    for position, name in enumerate(table.names):
        level = levels[name]
        if blocks is not None:
            kept.append(partition_quality(blocks[position].sizes))
        elif level is not None:
            kept.append(partition_quality(hierarchies[name].block_sizes(level)))
        else:
            return {}
    found = {}
    for one in measures:
        if isinstance(one, Ql | SfQl):
            total = 0.0
            for share, quality in zip(column_weights(table, one.weights), kept, strict=True):
                total += share * quality
            found[str(one)] = total
    return found
