"""The first population of a search in the space of partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.recoding.partition_space import PartitionSpace


def random_strings(space: PartitionSpace, count: int, *, rng: np.random.Generator) -> Flags:
    """Return valid strings, drawn column by column.

    A constrained column is drawn by recursion down its tree (MOEA §1.4.5). The chapter does not
    say how an unconstrained one is drawn: here every bit is a cut with a probability that is
    itself drawn uniformly for every string and column, so that coarse and fine partitions come
    up as often as middling ones. With even bits, a column of 70 values would hardly ever have
    fewer than 25 blocks.
    """
    parts = []
    for column in space.columns:
        if column.constrained:
            parts.append(column.tree.random_strings(count, rng=rng))
        else:
            density = rng.random((count, 1))
            parts.append(rng.random((count, column.bits)) < density)
    strings: Flags = np.concatenate(parts, axis=1)
    return strings
