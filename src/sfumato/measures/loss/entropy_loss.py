"""Non-uniform entropy: the bits that recoding takes from the cells (Gionis & Tassa, 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import (
    ROUNDING,
    Box,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    SeenFrom,
)

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class EntropyLoss(Measure):
    """Σ over cells of -log2(count of the value / count of its block), in bits.

    Counts are over all N rows. A suppressed cell's block is the whole table, so suppressing a row
    costs log2(N / count of its block) more for every quasi-identifier. Columns have no weight.

    Bound: blocks only grow along generalization, up to the whole table, so entropy-loss(n) >=
    the unsuppressed value of the finest corner under every policy. It needs no grouping.
    """

    name: ClassVar[str] = "entropy-loss"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Gionis & Tassa 2009 (non-uniform entropy)"
    unit: ClassVar[str] = "bits"
    meaning: ClassVar[str] = (
        "The uncertainty about the original values that remains for a reader of the release, in "
        "bits."
    )
    counts: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.ORIGINALS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    def evaluate(self, classes: Classes) -> Floats:
        """Return the entropy loss of every candidate."""
        batch = classes.batch
        total: Floats = np.zeros(classes.count, dtype=np.float64)
        suppresses = bool(classes.suppressed_rows.any())
        for q, book in enumerate(batch.books):
            bits = book.bits(batch.choices[:, q])
            assert bits is not None, "lacking() says that the originals are not known"
            total += bits[classes.recoding]
            if not suppresses or book.block_rows is None:
                continue
            rows = book.block_rows[batch.choices[batch.recoding_of, q], batch.codes(q)]
            total += classes.add_suppressed(batch.sizes * np.log2(classes.table.rows / rows))
        return total

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the unsuppressed entropy loss of the finest corner, relaxed."""
        bits = sum(
            float(book.bits(np.array([level]))[0])
            for book, level in zip(tables.level_books, box.finest_levels, strict=True)
        )
        return bits * (1.0 - ROUNDING)
