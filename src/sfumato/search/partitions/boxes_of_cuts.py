"""Boxes of cuts, and what the measures prove about the partitions in them.

A box holds the valid strings with all ``fixed`` variables and none but the ``allowed`` ones. Its
coarsest member has exactly the fixed ones, its finest all that are allowed. The bounds of the
measures are proved for recodings between two others (docs/method.md, "Bounds"), so they hold here
as they do in the lattice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.classes.classes import Classes
from sfumato.measures.measure import Box, Direction, Measure

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.search.partitions.cut_variables import CutVariables
    from sfumato.search.problem import Problem

FINEST_VALUE = frozenset({"loss", "normalized-loss", "entropy-loss"})
"""Measures bounded by their own value at the finest corner without suppression (B2, B11)."""


class CutBox(NamedTuple):
    """A box: sets of variables."""

    fixed: int
    allowed: int

    @property
    def single(self) -> bool:
        """Whether it holds one string."""
        return self.fixed == self.allowed

    def halves(self, variables: CutVariables, variable: int) -> tuple[CutBox, CutBox]:
        """Return the part with a variable and the part without it."""
        return (
            CutBox(self.fixed | variables.with_needed[variable], self.allowed),
            CutBox(self.fixed, self.allowed & ~variables.with_dependent[variable]),
        )


def has_partition_bound(objective: Measure, problem: Problem) -> bool:
    """Say whether a bound over boxes of cuts is proved."""
    by_corner = type(objective).bound is Measure.bound
    known = by_corner or objective.name in FINEST_VALUE
    return known and objective.has_bound(problem.tables, problem.budget)


class CutEvidence:
    """What evaluated strings prove about boxes, each evaluated once; costs are lower-is-better."""

    def __init__(self, problem: Problem, variables: CutVariables) -> None:
        self._problem = problem
        self._variables = variables
        self._budget = problem.table.rows if problem.budget is None else problem.budget
        self._signs = [-1.0 if d is Direction.HIGHER else 1.0 for d in problem.directions]
        self._known: dict[int, tuple[Floats, ...]] = {}

    def of(self, chosen: int) -> tuple[Floats, ...]:
        """Return what the string of a set of variables proves, by objective."""
        if chosen not in self._known:
            books, choices = self._problem.partitions.books(self._variables.string(chosen)[None])
            batch = self._problem.tables.group(choices, books=books)
            unsuppressed = Classes.of(batch)
            self._known[chosen] = tuple(
                objective.evaluate(unsuppressed)
                if objective.name in FINEST_VALUE
                else objective.evidence(unsuppressed, self._budget)[0]
                for objective in self._problem.objectives
            )
        return self._known[chosen]

    def bounds(self, box: CutBox) -> Floats:
        """Return the least costs of any candidate in a box."""
        finest, coarsest = self.of(box.allowed), self.of(box.fixed)
        costs = []
        for i, objective in enumerate(self._problem.objectives):
            if objective.name in FINEST_VALUE:
                value = float(objective.relaxed(finest[i])[0])
            else:
                corners = Box(
                    finest_levels=(),
                    finest=finest[i],
                    coarsest=coarsest[i],
                    budget=self._budget,
                )
                value = objective.bound(corners, self._problem.tables)
            costs.append(self._signs[i] * value)
        return np.array(costs)
