"""Are the statistics that were written those of the source? Asked of the engine, by other SQL.

What was written came from the counts of values, the lists of kept classes and exact arithmetic
in Python. Here the engine counts the classes anew, keeps them by their size, and calculates. The
classes of a local recoding are lists of cells: there the engine joins these, and calculates.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.block_statistics import (
    BlockQuestion,
    ListedCells,
    PlacedColumn,
    Statistic,
    ValuePlace,
)
from sfumato.errors import ReleaseError, UnmetError
from sfumato.microdata.count_table import exact_bincount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.engines.engine import VerifyingEngine
    from sfumato.engines.messages.block_statistics import FoundStatistic
    from sfumato.engines.messages.rewrite_plan import RecodedColumn, RewritePlan, Target
    from sfumato.release.microaggregation.microaggregation import MicroaggregatedColumn
    from sfumato.sources.source import Source


def check_statistics(
    columns: Sequence[MicroaggregatedColumn],
    batch: ClassBatch,
    plan: RewritePlan,
    *,
    kept: Flags,
    engine: VerifyingEngine,
    source: Source,
    target: Target,
) -> None:
    """Raise if the statistic of a block, or its number of rows, is not the written one.

    The engine keeps classes by their size, or finds those of a local recoding by their cells.
    """
    question = BlockQuestion(
        columns=tuple(_placed(c, r) for c, r in zip(columns, plan.recoded, strict=True)),
        kept=least_kept(batch, kept)
        if plan.listed_labels is None
        else ListedCells(codes=plan.listed_classes, classes=plan.listed_labels[0]),
        complete=plan.complete,
        markers=plan.markers,
    )
    found = engine.block_statistics(source, question, target)
    released = np.flatnonzero(kept)
    wrong: dict[str, str] = {}
    for q, column in enumerate(columns):
        name = column.blocks.name
        rows = exact_bincount(
            batch.codes(q, released), batch.sizes[released], len(column.blocks.labels)
        ).tolist()
        if not _agrees(column, rows, found[name]):
            wrong[name] = f"the {column.statistic} of column {name!r}"
    if wrong:
        raise UnmetError(
            f"the written file does not keep its promise: {', '.join(wrong.values())} is not that "
            "of the blocks in the source; it was deleted",
            code="not-verified",
            column=next(iter(wrong)),
            remedy="if nothing else wrote to it, this is an internal error of sfumato",
        )


def least_kept(batch: ClassBatch, kept: Flags) -> int:
    """Return the size from which on classes are kept; refuse if others are left out."""
    least = int(batch.sizes[kept].min())
    if not np.array_equal(kept, batch.sizes >= least):
        raise ReleaseError(
            "statistics of blocks are checked by counting the classes anew and keeping them by "
            "their rows, and here classes are left out, for a criterion or for their people, "
            "though smaller ones are kept",
            code="conflicting-settings",
            key="values",
            remedy="release generalized values, or let k be the only criterion",
        )
    return least


def _placed(column: MicroaggregatedColumn, recoded: RecodedColumn) -> PlacedColumn:
    occurring = sorted(set(column.positions.values()))
    rank_of = {position: rank for rank, position in enumerate(occurring)}
    ranks = {text: rank_of[position] for text, position in column.positions.items()}
    return PlacedColumn(
        name=recoded.name,
        statistic=column.statistic,
        # A value that no kept row has is placed too, without a rank: its class is counted.
        places={
            text: ValuePlace(block, None if text is None else ranks.get(text))
            for text, block in recoded.block_of_value.items()
        },
        numbers=tuple(column.scale.number(position) for position in occurring),
    )


def _agrees(
    column: MicroaggregatedColumn, rows: Sequence[int], found: Mapping[int, FoundStatistic]
) -> bool:
    if {block for block, count in enumerate(rows) if count} != set(found):
        return False
    greatest = max((abs(column.scale.number(p)) for p in column.positions.values()), default=0.0)
    # Half a unit of the last digit, and what floating point may lose on the way.
    near = 0.0
    if column.statistic is Statistic.MEAN:
        near = 0.5 * 10.0 ** -(column.digits or 0) + 1e-9 * max(1e-300, greatest)
    for block, (count, number) in found.items():
        label = column.blocks.labels[block]
        if count != rows[block] or label is None:
            return False
        if number is None:
            if label != column.missing_label:
                return False
        elif not math.isclose(number, column.scale.read(label), rel_tol=0, abs_tol=near):
            return False
    return True
