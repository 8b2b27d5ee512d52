"""The security test on class tables: who can be known to satisfy what (Granulation §3).

A class tells a predicate if all its rows satisfy it; it is insecure if one of its rows protects a
predicate that it tells. Both are questions about counts of rows by class, which roll up, so that
the test takes as long as the class table has entries and never looks at pairs of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import statements_of
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Flags
    from sfumato.classes.class_batch import ClassBatch


def satisfying_rows(batch: ClassBatch, predicate: int) -> Counts:
    """Return the rows of every class that satisfy a predicate, by its position."""
    statements = statements_of(batch.table, asker="a count of rows that satisfy a predicate")
    return batch.protected(StatementPatterns()).with_code(statements.satisfied[:, predicate])


def protecting_rows(batch: ClassBatch, predicate: int) -> Counts:
    """Return the rows of every class that protect a predicate, by its position."""
    statements = statements_of(batch.table, asker="a count of rows that protect a predicate")
    return batch.protected(StatementPatterns()).with_code(statements.protected[:, predicate])


def insecure_classes(batch: ClassBatch) -> Flags:
    """Return of every class of a batch whether a row in it protects what the class tells.

    The class tables must carry `StatementPatterns()`. A recoding is secure exactly if none of its
    classes is insecure. If a merged class tells a predicate then so did every part of it, so that
    everything coarser than a secure recoding is secure (Granulation, Property 1), also where
    confidential statements differ by person.
    """
    insecure: Flags = np.zeros(batch.classes, dtype=np.bool_)
    statements = statements_of(batch.table, asker="the security test")
    for predicate in range(statements.satisfied.shape[1]):
        tells = satisfying_rows(batch, predicate) == batch.units
        insecure |= tells & (protecting_rows(batch, predicate) > 0)
    return insecure


def exposed_rows(batch: ClassBatch) -> Counts:
    """Return how many of every class protect a predicate which the class tells."""
    statements = statements_of(batch.table, asker="the security test")
    found = batch.protected(StatementPatterns())
    exposed: Counts = np.zeros(batch.classes, dtype=np.int64)
    told = np.stack(
        [
            satisfying_rows(batch, predicate) == batch.units
            for predicate in range(statements.satisfied.shape[1])
        ],
        axis=1,
    )
    # Few combinations of predicates are told by some class: those of each at once.
    for combination in np.unique(told[told.any(axis=1)], axis=0):
        classes = (told == combination).all(axis=1)
        flagged: Flags = np.asarray(statements.protected[:, combination].any(axis=1))
        protecting = found.with_code(flagged)
        exposed[classes] = protecting[classes]
    return exposed
