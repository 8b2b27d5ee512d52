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
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.candidates import Candidates
    from sfumato.classes.class_tables import ClassTables
    from sfumato.recoding.partition_book import PartitionBook


def page_bits(book: PartitionBook, pages: Counts) -> Floats:
    """Return the bits that every page of a book costs when nothing is suppressed.

    Σ over leaves of rows(leaf) · log2(rows(block) / rows(leaf)); leaves without rows cost nothing.
    """
    occurring = np.flatnonzero(book.leaf_rows)
    rows = book.leaf_rows[occurring]
    distinct, which = np.unique(pages, return_inverse=True)
    blocks = book.block_of[distinct][:, occurring].astype(np.intp)
    # A row must be summed in the same order however many rows there are: contiguous rows are.
    block_rows = np.ascontiguousarray(np.take_along_axis(book.block_rows[distinct], blocks, axis=1))
    bits: Floats = (rows * np.log2(block_rows / rows)).sum(axis=1)
    return bits[which]


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

    def evaluate(self, candidates: Candidates) -> Floats:
        """Return the entropy loss of every candidate."""
        batch = candidates.batch
        total: Floats = np.zeros(candidates.count, dtype=np.float64)
        suppresses = bool(candidates.suppressed_rows.any())
        for q, book in enumerate(batch.books):
            total += page_bits(book, batch.choices[:, q])[candidates.recoding]
            if not suppresses:
                continue
            block_rows = book.block_rows[batch.choices[batch.recoding_of, q], batch.codes(q)]
            total += candidates.add_suppressed(
                batch.sizes * np.log2(candidates.table.rows / block_rows)
            )
        return total

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the unsuppressed entropy loss of the finest corner, relaxed."""
        bits = sum(
            float(page_bits(book, np.array([level]))[0])
            for book, level in zip(tables.level_books, box.finest_levels, strict=True)
        )
        return bits * (1.0 - ROUNDING)
