"""The security test on class tables: who can be known to satisfy what (Granulation §3).

A class tells a sentence if all its rows satisfy it; it is insecure if one of its rows protects a
sentence that it tells. Both are questions about counts of rows by class, which roll up, so that
the test takes as long as the class table has entries and never looks at pairs of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import secrets_of
from sfumato.statements.counted_statements import SecretPatterns

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Flags
    from sfumato.classes.class_batch import ClassBatch


def satisfying_rows(batch: ClassBatch, sentence: int) -> Counts:
    """Return the rows of every class that satisfy a sentence, by its position."""
    secrets = secrets_of(batch.table, asker="a count of rows that satisfy a sentence")
    return _rows(batch, secrets.satisfied[:, sentence])


def protecting_rows(batch: ClassBatch, sentence: int) -> Counts:
    """Return the rows of every class that protect a sentence, by its position."""
    secrets = secrets_of(batch.table, asker="a count of rows that protect a sentence")
    return _rows(batch, secrets.protected[:, sentence])


def _rows(batch: ClassBatch, of_pattern: Flags) -> Counts:
    counts = batch.counts(SecretPatterns())
    rows: Counts = np.add.reduceat(counts.counts * of_pattern[counts.values], counts.starts[:-1])
    return rows


def insecure_classes(batch: ClassBatch) -> Flags:
    """Return of every class of a batch whether a row in it protects what the class tells.

    The class tables must carry `SecretPatterns()`. A recoding is secure exactly if none of its
    classes is insecure. If a merged class tells a sentence then so did every part of it, so that
    everything coarser than a secure recoding is secure (Granulation, Property 1), also where
    secrets differ by person.
    """
    insecure: Flags = np.zeros(batch.classes, dtype=np.bool_)
    secrets = secrets_of(batch.table, asker="the security test")
    for sentence in range(secrets.satisfied.shape[1]):
        tells = satisfying_rows(batch, sentence) == batch.sizes
        insecure |= tells & (protecting_rows(batch, sentence) > 0)
    return insecure


def exposed_rows(batch: ClassBatch) -> Counts:
    """Return the rows of every class that protect a sentence which the class tells."""
    secrets = secrets_of(batch.table, asker="the security test")
    counts = batch.counts(SecretPatterns())
    class_of = np.repeat(np.arange(batch.classes), np.diff(counts.starts))
    exposed: Flags = np.zeros(counts.values.shape, dtype=np.bool_)
    for sentence in range(secrets.satisfied.shape[1]):
        tells = satisfying_rows(batch, sentence) == batch.sizes
        exposed |= tells[class_of] & secrets.protected[counts.values, sentence]
    rows: Counts = np.add.reduceat(counts.counts * exposed, counts.starts[:-1])
    return rows
