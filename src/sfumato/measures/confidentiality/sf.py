"""sf: how little the release tells on average about what people protect (Granulation §4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.unit_values import sum_over_units
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
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.classes.protected_groups import ProtectedGroups
    from sfumato.microdata.count_table import CountTable


def total_risk(classes: Classes) -> Floats:
    """Return the sum of everybody's risk, the suppressed rows being one class.

    A person's risk is that of the row where it is greatest.
    """
    statements = statements_of(classes.table, asker="sf")
    prior_of = priors(classes.table)

    def risk(view: ProtectedGroups, groups: Counts, codes: Counts) -> Floats:
        found: Floats = np.zeros(groups.shape, dtype=np.float64)
        for predicate, prior in enumerate(prior_of):
            satisfying = view.with_code(statements.satisfied[:, predicate])
            gain = information_gain(satisfying, view.units, prior=prior)
            found += statements.damages[codes, predicate] * gain[groups]
        return found

    total = sum_over_units(classes, StatementPatterns(), risk, greatest=True)
    return np.asarray(total, dtype=np.float64)


def mean_safety(classes: Classes) -> Floats:
    """Return sf of every candidate; kept in [0, 1] whatever the rounding."""
    return np.maximum(1.0 - total_risk(classes) / classes.table.units, 0.0)


def priors(table: CountTable) -> list[float]:
    """Return Pr φ of every predicate: its share of all rows, or people."""
    satisfied = statements_of(table, asker="a share of all rows").satisfied
    return [table.units_with(StatementPatterns(), flags) / table.units for flags in satisfied.T]


def least_risk(classes: Classes, budget: int) -> Floats:
    """Return a lower bound of the sum of risks of all nodes below the candidates.

    It is about statements that are common to all. Σ over φ of dm(φ) · Σ over classes of
    max(rows that satisfy φ - size · Pr φ, 0) / (1 - Pr φ), less the budget.
    """
    batch = classes.batch
    statements = statements_of(batch.table, asker="sf")
    least: Floats = np.zeros(batch.classes, dtype=np.float64)
    for predicate, prior in enumerate(priors(batch.table)):
        if prior < 1:
            beyond = np.maximum(satisfying_rows(batch, predicate) - batch.units * prior, 0.0)
            least += statements.damages[0, predicate] * beyond / (1.0 - prior)
    summed: Floats = np.maximum(classes.add_kept(least) - budget, 0.0)
    return summed


@dataclass(frozen=True, kw_only=True)
class Sf(Measure):
    """1 - the mean over all rows of their risk: between 0 and 1.

    sf(τ) = 1 - Σ_u ri(τ, u) / N, with the risk of a row ri(τ, u) = Σ over φ in CON(u) of
    dm(u, φ) · max((log Pr φ - log Pr_τ(φ|u)) / log Pr φ, 0), Pr φ its share of all rows and
    Pr_τ(φ|u) its share of the row's class. Pr φ = 1 gives no risk, nor does Pr_τ = 0, nor does
    having no statements. The suppressed rows are one class, as in all sums over rows. With a
    person key shares are those of people, who satisfy φ if one of their rows does, and the mean is
    over people, each with the risk of the row where it is greatest.

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
    values: Floats = 1.0 - least_risk(classes, budget) / classes.table.units
    return np.minimum(values + 1e-9, 1.0)
