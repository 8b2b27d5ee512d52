"""ql: how much of the domains' entropy the partitions keep (Granulation §4.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.errors.listing import counted
from sfumato.measures.measure import (
    ROUNDING,
    Box,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    Scale,
    SeenFrom,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


QUALITY_DIGITS = 12


def partition_qualities(block_sizes: Counts) -> Floats:
    """Return h(π) / log |V| of partitions of one domain, a row of block sizes for each.

    h(π) = Σ over blocks s of -|s|/|V| · log(|s|/|V|). It is 1 for the values themselves, 0 for a
    single block; a domain of one value has lost nothing. Rows are filled up with zeros.
    """
    values = int(block_sizes[0].sum())
    if values == 1:
        return np.ones(block_sizes.shape[0])
    sizes = np.arange(1, values + 1) / values
    terms = np.concatenate(([0.0], -sizes * np.log(sizes)))
    # Sorted, so that partitions into blocks of the same sizes tie to the last bit.
    ordered = np.zeros((block_sizes.shape[0], values), dtype=np.int64)
    ordered[:, values - block_sizes.shape[1] :] = np.sort(block_sizes, axis=1)
    entropies: Floats = terms[ordered].sum(axis=1)
    return entropies / math.log(values)


def partition_quality(block_sizes: Sequence[int] | Counts) -> float:
    """Return h(π) / log |V| of one partition.

    >>> round(partition_quality([3, 3, 5]), 6), partition_quality([1])
    (0.445011, 1.0)
    """
    return float(partition_qualities(np.array([block_sizes], dtype=np.int64))[0])


def column_weights(table: CountTable, weights: tuple[float, ...] | None) -> list[float]:
    """Return w_i of every quasi-identifier: those given, or the columns' own, made to sum to 1."""
    if weights is not None:
        return list(weights)
    own = [identifier.weight for identifier in table.quasi_identifiers]
    return [weight / math.fsum(own) for weight in own]


def check_weights(table: CountTable, weights: tuple[float, ...] | None, *, asker: str) -> None:
    """Refuse weights that are not one for every quasi-identifier, or all 0."""
    names = ", ".join(map(repr, table.names))
    if weights is None:
        if not any(identifier.weight for identifier in table.quasi_identifiers):
            raise SettingsError(
                f"measure {asker!r} weights the columns, and all of {names} have the weight 0",
                code="no-weight",
                remedy="give one of them a weight",
            )
        return
    if len(weights) != len(table.names):
        raise SettingsError(
            f"measure {asker!r} has {counted(len(weights), 'weight')} and the study "
            f"{counted(len(table.names), 'quasi-identifier')}: {names}",
            code="wrong-length",
            found=str(len(weights)),
            remedy="give one for each, in this order",
        )


def shares_of_one(weights: tuple[float, ...] | None, *, asker: str) -> None:
    """Refuse weights outside [0, 1], or that do not sum to 1."""
    if weights is None:
        return
    outside = [weight for weight in weights if not 0 <= weight <= 1]
    if outside:
        raise SettingsError(
            f"measure {asker!r} has the weight {outside[0]:g}",
            code="out-of-range",
            found=f"{outside[0]:g}",
            expected="a number from 0 to 1",
        )
    total = math.fsum(weights)
    if abs(total - 1) > 1e-9:
        raise SettingsError(
            f"the weights of measure {asker!r} sum to {total:g}",
            code="wrong-sum",
            found=f"{total:g}",
            expected="a sum of 1",
            remedy="without weights, those of the columns are used",
        )


def quality(classes: Classes, weights: tuple[float, ...] | None) -> Floats:
    """Return ql of every candidate."""
    batch = classes.batch
    total: Floats = np.zeros(batch.recodings, dtype=np.float64)
    shares = column_weights(batch.table, weights)
    for q, (book, weight) in enumerate(zip(batch.books, shares, strict=True)):
        pages, which = np.unique(batch.choices[:, q], return_inverse=True)
        assert book.partitions is not None, "lacking() says that they are not known"
        total += weight * partition_qualities(book.partitions[pages])[which]
    # Sums that are equal may differ in the last bits, and the values themselves miss 1 by one.
    return np.round(total, QUALITY_DIGITS)[classes.recoding]


def most_quality(box: Box, tables: ClassTables, weights: tuple[float, ...] | None) -> float:
    """Return ql of the finest corner of a box, with room for rounding."""
    shares = column_weights(tables.table, weights)
    total = 0.0
    for book, level, weight in zip(tables.level_books, box.finest_levels, shares, strict=True):
        total += weight * partition_quality(book.block_sizes[level])
    return total * (1.0 + ROUNDING)


@dataclass(frozen=True, kw_only=True)
class Ql(Measure):
    """Σ over quasi-identifiers of w_i · h(π_i) / log |V_i|: between 0 and 1.

    h is the entropy of the domain's blocks, whatever rows they have; a domain of one value counts
    as 1. It is about the partitions alone, so that suppression does not change it. ``weights``
    are w_i in the order of the quasi-identifiers and sum to 1; without them the weights of the
    columns are taken, divided by their sum.

    Bound: splitting blocks never lowers the entropy, so ql(n) <= ql(finest) under every policy.
    """

    name: ClassVar[str] = "ql"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Granulation §4.2"
    unit: ClassVar[str] = "share of entropy"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The share of the information in the quasi-identifiers that generalization keeps, "
        "measured by their entropy."
    )
    seen_from: ClassVar[SeenFrom] = SeenFrom.PARTITIONS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE

    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        shares_of_one(self.weights, asker=self.name)

    def check(self, table: CountTable) -> None:
        """Refuse weights that are not one for every quasi-identifier."""
        check_weights(table, self.weights, asker=self.name)

    def evaluate(self, classes: Classes) -> Floats:
        """Return ql of every candidate."""
        return quality(classes, self.weights)

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return ql of the finest corner, relaxed."""
        return most_quality(box, tables, self.weights)
