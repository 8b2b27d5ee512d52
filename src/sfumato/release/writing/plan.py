"""From a recoding to the plan of the rewrite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.rewrite_plan import (
    FileFormat,
    RecodedColumn,
    RewritePlan,
    SuppressedRows,
)
from sfumato.errors import ReleaseError
from sfumato.microdata.missing import MissingPolicy
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.arrays import Codes, Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.recoding import ColumnBlocks


def plan_release(
    batch: ClassBatch,
    blocks: Sequence[ColumnBlocks],
    *,
    columns: Sequence[str],
    attributes: Sequence[Attribute],
    kept: Flags,
    missing: MissingValues,
    suppressed_rows: SuppressedRows,
    file_format: FileFormat,
    numbers: Collection[str] = (),
) -> RewritePlan:
    """Return the plan that writes one recoding; ``batch`` holds its classes.

    ``kept`` says which of them are released. ``columns`` are those of the source; identifying ones
    are left out. ``numbers`` are the quasi-identifiers whose labels are written as numbers.
    """
    if file_format is FileFormat.CSV:
        _refuse_empty_texts(batch)
    identifying = {a.name for a in attributes if a.role is Role.IDENTIFYING}
    drops = missing.policy is MissingPolicy.DROP
    listed_are_kept = bool(kept.sum() * 2 < kept.shape[0])
    chosen = np.flatnonzero(kept if listed_are_kept else ~kept)
    listed: Codes = np.stack([batch.codes(q, chosen).astype(np.int32) for q in range(len(blocks))])
    return RewritePlan(
        columns=tuple(name for name in columns if name not in identifying),
        recoded=tuple(
            _recoded(identifier.leaf_of_value, column, file_format, column.name in numbers)
            for identifier, column in zip(batch.table.quasi_identifiers, blocks, strict=True)
        ),
        listed_classes=listed,
        listed_are_kept=listed_are_kept,
        suppressed_rows=suppressed_rows,
        emptied=tuple(a.name for a in attributes if a.role is Role.SENSITIVE),
        complete=tuple(
            a.name
            for a in attributes
            if drops and (a.role is Role.SENSITIVE or (a.label and a.name not in identifying))
        ),
        markers=missing.markers,
    )


def _refuse_empty_texts(batch: ClassBatch) -> None:
    for name, column in batch.table.columns.items():
        if "" in column.values:
            raise _empty_text(name, "a value")


def _empty_text(column: str, what: str) -> ReleaseError:
    return ReleaseError(
        f"column {column!r} has the empty text as {what}, which CSV cannot tell from a missing "
        "value",
        code="empty-text",
        column=column,
        remedy="release to Parquet, or list '' among the markers of missing values",
    )


def _recoded(
    leaf_of_value: Mapping[str | None, int],
    column: ColumnBlocks,
    file_format: FileFormat,
    numbers: bool,
) -> RecodedColumn:
    if "" in column.labels and file_format is FileFormat.CSV:
        raise _empty_text(column.name, "a label of this recoding")
    return RecodedColumn(
        name=column.name,
        block_of_value={
            value: int(column.block_of_leaf[leaf]) for value, leaf in leaf_of_value.items()
        },
        labels=column.labels,
        numbers=numbers,
    )
