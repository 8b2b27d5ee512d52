"""Confidential statements as a count table has them: the pattern of every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Codes, Counts, Flags, Floats
    from sfumato.statements.confidential import ConfidentialStatements
    from sfumato.statements.predicate import Atom


class StatementPatterns(NamedTuple):
    """The patterns of rows, as something that class tables can carry."""

    # A name for messages; there is one kind only.
    name: str = "statements"


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedStatements:
    """The confidential statements of a table, and what rows of every *pattern* satisfy and protect.

    A pattern is what the security test can tell about a row: ``satisfied`` and ``damages`` have a
    row for each and a column for each predicate, ``applying`` a column for each rule. A damage,
    dm(u, φ), is 0 where a row does not protect the predicate. ``satisfied_rows`` are the rows of
    the table that satisfy a predicate. Counts of patterns are additive, so they roll up as all
    counts do (Granulation, Property 3). ``notes`` say what is odd but not an error.
    """

    statements: ConfidentialStatements
    satisfied: Flags
    applying: Flags
    damages: Floats
    satisfied_rows: Counts
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.satisfied, self.applying, self.damages, self.satisfied_rows):
            array.flags.writeable = False

    @property
    def patterns(self) -> int:
        """The number of patterns that occur."""
        return int(self.satisfied.shape[0])

    @property
    def protected(self) -> Flags:
        """Which predicates the rows of every pattern protect."""
        flags: Flags = self.damages > 0
        return flags


def truths_of(
    statements: ConfidentialStatements, truth_of: Callable[[Atom], Flags], *, groups: int
) -> tuple[Flags, Flags]:
    """Return which groups satisfy every predicate, and to which every rule applies.

    ``truth_of`` says which groups satisfy an atomic predicate. A row for each group.
    """
    everybody = np.ones(groups, dtype=np.bool_)
    satisfied = np.stack([each.truth(truth_of) for each in statements.predicates], axis=1)
    applies = np.stack(
        [everybody if r.where is None else r.where.truth(truth_of) for r in statements.rules],
        axis=1,
    )
    return satisfied, applies


def count_statements(
    statements: ConfidentialStatements, counts: Counts, satisfied: Flags, applies: Flags
) -> tuple[CountedStatements, Codes]:
    """Return the counted confidential statements, and the pattern of every group of equal rows.

    ``satisfied`` and ``applies`` are those of `truths_of`; ``counts`` are the rows of the groups.
    """
    kinds, pattern_of = np.unique(
        np.concatenate((satisfied, applies), axis=1), axis=0, return_inverse=True
    )
    predicates = len(statements.predicates)
    damages: Floats = np.zeros((kinds.shape[0], predicates), dtype=np.float64)
    for damage, applying in zip(damages, kinds[:, predicates:], strict=True):
        rules = np.flatnonzero(applying).tolist()
        statements.check_damages(rules)
        for rule in rules:
            position = statements.predicates.index(statements.rules[rule].protect)
            given = statements.rules[rule].damage
            # Two rules for one predicate: their damages add up, and without any it is there once.
            damage[position] = 1.0 if given is None else damage[position] + given
        if rules and statements.rules[0].damage is None:
            damage /= np.count_nonzero(damage)
    counted = CountedStatements(
        statements=statements,
        satisfied=kinds[:, :predicates].copy(),
        applying=kinds[:, predicates:].copy(),
        damages=damages,
        satisfied_rows=(satisfied * counts[:, np.newaxis]).sum(axis=0),
    )
    return counted, pattern_of.ravel().astype(np.int32)
