"""sf: how little the release tells on average about what people protect (Granulation §4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.confidentiality.information_gain import information_gain
from sfumato.measures.confidentiality.security import satisfying_rows
from sfumato.measures.measure import (
    Box,
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    column_of,
)
from sfumato.microdata.count_table import statements_of
from sfumato.statements.counted_statements import CountedStatements, StatementPatterns

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable


def total_risk(classes: Classes) -> Floats:
    """Return the sum over all rows of their risk, the suppressed rows being one class."""
    batch = classes.batch
    statements = statements_of(batch.table, asker="sf")
    counts = batch.counts(StatementPatterns())
    risk: Floats = np.zeros(batch.classes, dtype=np.float64)
    for predicate, prior in enumerate(priors(statements, batch.table.rows)):
        gain = information_gain(satisfying_rows(batch, predicate), batch.sizes, prior=prior)
        damage = statements.damages[counts.values, predicate]
        risk += np.add.reduceat(counts.counts * damage, counts.starts[:-1]) * gain
    total = classes.add_kept(risk)
    if not classes.suppressed_rows.any():
        return total
    gone = classes.suppressed_counts(StatementPatterns())
    rows = np.maximum(classes.suppressed_rows, 1)
    for predicate, prior in enumerate(priors(statements, batch.table.rows)):
        satisfying = (gone * statements.satisfied[:, predicate]).sum(axis=1)
        gain = information_gain(satisfying, rows, prior=prior)
        total += (gone * statements.damages[:, predicate]).sum(axis=1) * gain
    return total


def mean_safety(classes: Classes) -> Floats:
    """Return sf of every candidate; kept in [0, 1] whatever the rounding."""
    return np.maximum(1.0 - total_risk(classes) / classes.table.rows, 0.0)


def priors(statements: CountedStatements, rows: int) -> list[float]:
    """Return Pr φ of every predicate: its share of all rows."""
    return [int(satisfied) / rows for satisfied in statements.satisfied_rows]


def least_risk(classes: Classes, budget: int) -> Floats:
    """Return a lower bound of the sum of risks of all nodes below the candidates.

    It is about statements that are common to all. Σ over φ of dm(φ) · Σ over classes of
    max(rows that satisfy φ - size · Pr φ, 0) / (1 - Pr φ), less the budget.
    """
    batch = classes.batch
    statements = statements_of(batch.table, asker="sf")
    least: Floats = np.zeros(batch.classes, dtype=np.float64)
    for predicate, prior in enumerate(priors(statements, batch.table.rows)):
        if prior < 1:
            beyond = np.maximum(satisfying_rows(batch, predicate) - batch.sizes * prior, 0.0)
            least += statements.damages[0, predicate] * beyond / (1.0 - prior)
    summed: Floats = np.maximum(classes.add_kept(least) - budget, 0.0)
    return summed


@dataclass(frozen=True, kw_only=True)
class Sf(Measure):
    """1 - the mean over all rows of their risk: between 0 and 1.

    sf(τ) = 1 - Σ_u ri(τ, u) / N, with the risk of a row ri(τ, u) = Σ over φ in CON(u) of
    dm(u, φ) · max((log Pr φ - log Pr_τ(φ|u)) / log Pr φ, 0), Pr φ its share of all rows and
    Pr_τ(φ|u) its share of the row's class. Pr φ = 1 gives no risk, nor does Pr_τ = 0, nor does
    having no statements. The suppressed rows are one class, as in all sums over rows.

    It is not monotone: merging a class that hides a predicate with one that tells it can raise the
    sum of their risks, since the logarithm is concave.

    Bound, where the statements are common to all: the risk of a class is at least the straight line
    max((share - Pr φ) / (1 - Pr φ), 0), which is convex, so that the classes inside a class of
    the coarsest corner have at least its line; every suppressed row takes away at most 1.
    """

    name: ClassVar[str] = "sf"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "Granulation §4.1"
    unit: ClassVar[str] = "1 - mean risk"
    meaning: ClassVar[str] = (
        "How well confidential statements are protected on average: 1 if an intruder learns "
        "nothing about them from the classes, 0 if everything."
    )
    needs_statements: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return sf of every candidate."""
        return mean_safety(classes)

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:
        """Say whether the bound is proved: only for statements that are common to all."""
        return super().has_bound(tables, budget) and common_statements(tables.table)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the sf that no finer node exceeds."""
        return column_of(most_sf(classes, budget))

    def bound(self, box: Box, tables: ClassTables) -> float:
        """Return what the coarsest corner allows, and 1 at most."""
        return min(super().bound(box, tables), 1.0)


def common_statements(table: CountTable) -> bool:
    """Say whether a table has confidential statements, the same for everybody."""
    return table.statements is not None and table.statements.statements.common_to_all


def most_sf(classes: Classes, budget: int) -> Floats:
    """Return an upper bound of the sf of all nodes below the candidates, with room for rounding."""
    values: Floats = 1.0 - least_risk(classes, budget) / classes.table.rows
    return np.minimum(values + 1e-9, 1.0)
