"""Measures of how a property is spread over individuals: the bias of a single release."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.equity.row_values import row_values, size_values
from sfumato.measures.loss.loss import exact_loss
from sfumato.measures.measure import Kind, Measure, SeenFrom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.classes import Classes
    from sfumato.measures.equity.row_values import RowValues


@dataclass(frozen=True, kw_only=True)
class RowSpread(Measure):
    """How a property is spread over the rows: a function of how many rows have which value."""

    @abstractmethod
    def values(self, classes: Classes) -> Iterator[RowValues]:
        """Yield the property of the rows of all classes, in their order."""

    @abstractmethod
    def spread(self, rows: RowValues) -> Counts | Floats:
        """Return the measure of every candidate from the values of its rows."""

    def evaluate(self, classes: Classes) -> Floats:
        """Return the value of every candidate."""
        parts = [self.spread(rows) for rows in self.values(classes)]
        return np.concatenate(parts).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class ClassSizeSpread(RowSpread):
    """How the class sizes of all rows are spread.

    With a person key it is about people, each in the smallest class that they are in.
    """

    kind: ClassVar[Kind] = Kind.PRIVACY

    def values(self, classes: Classes) -> Iterator[RowValues]:
        """Yield the class sizes; that of suppressed rows is their number."""
        return size_values(classes)


@dataclass(frozen=True, kw_only=True)
class RowLossSpread(RowSpread):
    """How the losses of all rows are spread: each row's weighted sum of cell losses."""

    kind: ClassVar[Kind] = Kind.LOSS
    seen_from: ClassVar[SeenFrom] = SeenFrom.BLOCKS

    def values(self, classes: Classes) -> Iterator[RowValues]:
        """Yield the losses; a suppressed row loses every cell."""
        loss = exact_loss(classes)
        extents = np.stack([classes.extents(q) for q in range(classes.widths.shape[0])], axis=1)
        suppressed = np.full(classes.count, loss.of(classes.widths.tolist()))
        return row_values(classes, loss.total(extents), suppressed)


def tenth(rows: int) -> int:
    """Return how many rows the worst tenth has, rounded up.

    >>> tenth(100), tenth(101), tenth(3)
    (10, 11, 1)
    """
    return -(-rows // 10)
