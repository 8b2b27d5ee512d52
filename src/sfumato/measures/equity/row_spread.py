"""Measures of how a property is spread over individuals: the bias of a single release."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.equity.row_values import row_values
from sfumato.measures.loss.loss import weighted_cells, widths
from sfumato.measures.measure import Kind, Measure, SeenFrom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.candidates import Candidates
    from sfumato.measures.equity.row_values import RowValues
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class RowSpread(Measure):
    """A value of how many rows have which value of a property."""

    @abstractmethod
    def values(self, candidates: Candidates) -> Iterator[RowValues]:
        """Yield the property of the rows of all candidates, in their order."""

    @abstractmethod
    def metric(self, rows: RowValues) -> Counts | Floats:
        """Return the value of every candidate from the values of its rows."""

    def evaluate(self, candidates: Candidates) -> Floats:
        """Return the value of every candidate."""
        parts = [self.metric(rows) for rows in self.values(candidates)]
        metrics: Floats = np.concatenate(parts).astype(np.float64)
        return metrics


@dataclass(frozen=True, kw_only=True)
class ClassSizeSpread(RowSpread):
    """A value of the class sizes of all rows."""

    kind: ClassVar[Kind] = Kind.PRIVACY

    def values(self, candidates: Candidates) -> Iterator[RowValues]:
        """Yield the class sizes; that of suppressed rows is their number."""
        return row_values(candidates, candidates.batch.sizes, candidates.suppressed_rows)


@dataclass(frozen=True, kw_only=True)
class RowLossSpread(RowSpread):
    """A value of the losses of all rows: each row's weighted sum of cell losses."""

    kind: ClassVar[Kind] = Kind.LOSS
    seen_from: ClassVar[SeenFrom] = SeenFrom.BLOCKS

    def values(self, candidates: Candidates) -> Iterator[RowValues]:
        """Yield the losses; a suppressed row loses every cell."""
        batch, table = candidates.batch, candidates.table
        extents = np.stack([batch.block_extents(q) for q in range(len(batch.books))], axis=1)
        suppressed = np.full(candidates.count, suppressed_row_loss(table))
        return row_values(candidates, weighted_cells(table, extents), suppressed)


def suppressed_row_loss(table: CountTable) -> float:
    """Return what a suppressed row loses, added up in the order in which other losses are."""
    return float(weighted_cells(table, np.array([widths(table)], dtype=np.int64))[0])


def tenth(rows: int) -> int:
    """Return how many rows the worst tenth has, rounded up.

    >>> tenth(100), tenth(101), tenth(3)
    (10, 11, 1)
    """
    return -(-rows // 10)
