"""sf · ql: the objective of the paper's genetic algorithm (Granulation §4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.confidentiality.sf import common_statements, mean_safety, most_sf
from sfumato.measures.loss.ql import check_weights, most_quality, quality, shares_of_one
from sfumato.measures.measure import (
    Box,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    SeenFrom,
    column_of,
    proved,
)

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class SfQl(Measure):
    """sf(τ) · ql(τ), between 0 and 1.

    The product can be greatest at an insecure recoding, even at the identity: ask for
    ``secure >= 1`` beside it. ``weights`` are those of ql.

    Bound: ql(n) <= ql(finest) and sf(n) <= 1; where the statements are common to all and
    suppression is limited, sf(n) also has its own bound from the coarsest corner.
    """

    name: ClassVar[str] = "sf-ql"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Granulation §4.3"
    unit: ClassVar[str] = "sf · ql"
    meaning: ClassVar[str] = (
        "Protection of confidential statements multiplied by the information that is kept. It "
        "does not imply that every statement is protected."
    )
    needs_statements: ClassVar[bool] = True
    seen_from: ClassVar[SeenFrom] = SeenFrom.PARTITIONS
    bound_proved: ClassVar[Proved] = Proved.ANYWHERE
    bound_needs_coarsest: ClassVar[bool] = True

    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        shares_of_one(self.weights, asker=self.name)

    def check(self, table: CountTable) -> None:
        """Refuse a table without confidential statements, and weights that do not fit."""
        super().check(table)
        check_weights(table, self.weights, asker=self.name)

    def evaluate(self, classes: Classes) -> Floats:
        """Return sf · ql of every candidate."""
        values: Floats = mean_safety(classes) * quality(classes, self.weights)
        return values

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:  # noqa: ARG002
        """Say that it has: sf is at most 1 wherever people are."""
        return proved(self.bound_proved, budget)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the sf that no finer node exceeds, 1 where none is proved."""
        table = classes.table
        if common_statements(table) and not table.people_in_several_cells:
            return column_of(most_sf(classes, budget))
        return column_of(np.ones(classes.count))

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return the product of the two bounds."""
        sf = 1.0 if box.coarsest is None else float(box.coarsest[0])
        return sf * most_quality(box, tables, self.weights)
