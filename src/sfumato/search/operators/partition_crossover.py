"""The crossover of the MOEA chapter: one kind for unconstrained columns, one for constrained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.operators.single_point_crossover import single_point
from sfumato.search.operators.validity_preserving_crossover import validity_preserving_crossover

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.recoding.partition_space import PartitionSpace


def partition_crossover(
    parents: Flags, *, space: PartitionSpace, probability: float, rng: np.random.Generator
) -> Flags:
    """Return the children of neighbouring rows, each pair crossed with the probability (MOEA §1.5).

    The bits of all unconstrained columns together are crossed at a single point, those of all
    constrained ones together by the validity-preserving operator; a pair whose constrained parts
    have no place for that keeps them. Of an odd number the last moves on unchanged.
    """
    children = parents.copy()
    pairs = parents.shape[0] // 2
    ones, others = parents[0 : 2 * pairs : 2], parents[1 : 2 * pairs : 2]
    crossed = rng.random(pairs) < probability
    free = np.flatnonzero(~space.constrained_bits)
    bound = np.flatnonzero(space.constrained_bits)
    first, second = ones.copy(), others.copy()
    first[:, free], second[:, free] = single_point(
        ones[:, free], others[:, free], crossed=crossed, rng=rng
    )
    heads, tails, _ = validity_preserving_crossover(
        ones[:, bound], others[:, bound], borders=_constrained_borders(space), rng=rng
    )
    first[:, bound] = np.where(crossed[:, None], heads, ones[:, bound])
    second[:, bound] = np.where(crossed[:, None], tails, others[:, bound])
    children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2] = first, second
    return children


def _constrained_borders(space: PartitionSpace) -> list[int]:
    widths = [column.bits for column in space.columns if column.constrained]
    borders: list[int] = np.cumsum(widths)[:-1].astype(np.int64).tolist()
    return borders
