"""The general loss metric with the loss of suppressed rows (Iyengar; MOEA eqs. 1.2 to 1.4)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import getitem
from typing import TYPE_CHECKING, ClassVar, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.measures.loss.cell_loss import CellLoss, cell_loss
from sfumato.measures.measure import Box, Direction, Kind, Measure, Monotone, Proved, SeenFrom

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


def exact_loss(classes: Classes) -> CellLoss:
    """Return how losses are summed: with the weights of the columns and the widths of domains."""
    return cell_loss(tuple(classes.widths.tolist()), weights_of(classes.table))


def weights_of(table: CountTable) -> tuple[float, ...]:
    """Return the weights of the quasi-identifiers."""
    return tuple(float(identifier.weight) for identifier in table.quasi_identifiers)


def lost_extents(classes: Classes) -> Counts:
    """Return the extents of kept rows, and the whole width of the domain for suppressed ones."""
    return classes.kept_extents + np.outer(classes.suppressed_rows, classes.widths)


def finest_cells(tables: ClassTables, levels: tuple[int, ...]) -> float:
    """Return the loss of a node when nothing is suppressed; it needs no grouping."""
    loss, numerators = _level_numerators(tables)
    return loss.of_numerator(sum(map(getitem, numerators, levels)))


LevelNumerators: TypeAlias = tuple[CellLoss, tuple[tuple[int, ...], ...]]
_LEVEL_NUMERATORS: WeakKeyDictionary[ClassTables, LevelNumerators] = WeakKeyDictionary()


def _level_numerators(tables: ClassTables) -> LevelNumerators:
    """Return how losses are summed in a lattice, and what every level of a column adds.

    It is found once for each maker of class tables: searches with bounds ask for every box.
    """
    found = _LEVEL_NUMERATORS.get(tables)
    if found is None:
        loss = cell_loss(tables.widths, weights_of(tables.table))
        found = (
            loss,
            tuple(
                tuple(loss.numerator(q, extent) for extent in extents)
                for q, extents in enumerate(tables.level_extents)
            ),
        )
        _LEVEL_NUMERATORS[tables] = found
    return found


def total_weight(table: CountTable) -> float:
    """Return the sum of the column weights: the number of quasi-identifiers unless set."""
    return cell_loss((1,) * len(table.names), weights_of(table)).total_weight


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

    def evaluate(self, classes: Classes) -> Floats:
        """Return GL + SL of every candidate."""
        return exact_loss(classes).total(lost_extents(classes))

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the unsuppressed loss of the finest corner."""
        return finest_cells(tables, box.finest_levels)
