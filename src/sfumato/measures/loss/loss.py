"""The general loss metric with the loss of suppressed rows (Iyengar; MOEA eqs. 1.2 to 1.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import Box, Direction, Kind, Measure, Monotone, Proved, SeenFrom

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.candidates import Candidates
    from sfumato.classes.class_tables import ClassTables
    from sfumato.microdata.count_table import CountTable


def widths(table: CountTable) -> list[int]:
    """Return the denominators of the cell loss: |domain| - 1, or 1 for a domain of one value."""
    return [max(1, hierarchy.leaf_count - 1) for hierarchy in table.hierarchies]


def weighted_cells(table: CountTable, extents: Counts) -> Floats:
    """Return the weighted sum over the quasi-identifiers of extents / (|domain| - 1).

    Extents are integers, the divisions and additions happen in the order of the columns: equal
    extents give equal bits, and larger extents never give a smaller value.
    """
    total: Floats = np.zeros(extents.shape[0], dtype=np.float64)
    for q, (identifier, width) in enumerate(
        zip(table.quasi_identifiers, widths(table), strict=True)
    ):
        total += identifier.weight * (extents[:, q] / width)
    return total


def lost_extents(candidates: Candidates) -> Counts:
    """Return the extents of kept rows, and the whole width of the domain for suppressed ones."""
    return candidates.kept_extents + np.outer(
        candidates.suppressed_rows, np.array(widths(candidates.table), dtype=np.int64)
    )


def finest_cells(tables: ClassTables, levels: tuple[int, ...]) -> float:
    """Return the loss of a node when nothing is suppressed; it needs no grouping.

    The same divisions and additions as in `weighted_cells`, so that the metrics agree bit by bit.
    """
    total = 0.0
    for losses, level in zip(tables.level_losses, levels, strict=True):
        total += losses[level]
    return total


def total_weight(table: CountTable) -> float:
    """Return the sum of the column weights: the number of quasi-identifiers unless set."""
    return sum(identifier.weight for identifier in table.quasi_identifiers)


@dataclass(frozen=True, kw_only=True)
class Loss(Measure):
    """GL + SL in cells: every kept cell (|block| - 1) / (|domain| - 1), every suppressed cell 1.

    A domain of one value loses nothing while it is kept. Column weights make it the weighted
    certainty penalty.

    Bound: a cell's loss only grows along generalization and is at most that of suppression, so
    the loss of every candidate in a box is at least the unsuppressed loss of the finest corner
    (docs/method.md, B2), whatever the policy.
    """

    name: ClassVar[str] = "loss"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.RISES
    reference: ClassVar[str] = "Iyengar 2002; MOEA eqs. 1.2-1.4; PBG §7 (GLM)"
    unit: ClassVar[str] = "cells"
    meaning: ClassVar[str] = (
        "Information loss by generalization and suppression, in cells: a cell that keeps its "
        "value loses 0, one that becomes * or is suppressed loses 1."
    )
    counts: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.BLOCKS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    def evaluate(self, candidates: Candidates) -> Floats:
        """Return GL + SL of every candidate."""
        return weighted_cells(candidates.table, lost_extents(candidates))

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the unsuppressed loss of the finest corner."""
        return finest_cells(tables, box.finest_levels)
