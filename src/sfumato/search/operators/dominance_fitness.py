"""The fitness of PBG-EA: how much the solutions that dominate one dominate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import as_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.measures.measure import Direction

_PAIRS_AT_ONCE = 4_000_000


def dominance_fitness(values: Floats, directions: Sequence[Direction]) -> Counts:
    """Return Fitness_P = Σ of dom_P' over all P' that dominate P; lower is better (PBG §6).

    dom_P is the number of points that P dominates. It is adapted from SPEA2: a point is the worse
    the more points dominate it, and the better these are. Non-dominated points have fitness 0.

    >>> from sfumato.measures.measure import Direction
    >>> points = np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 3.0], [4.0, 4.0]])
    >>> dominance_fitness(points, (Direction.HIGHER, Direction.LOWER)).tolist()
    [0, 2, 3, 0]
    """
    costs = as_costs(values, directions)
    count = costs.shape[0]
    rows = max(1, _PAIRS_AT_ONCE // max(1, count))
    blocks = [slice(start, start + rows) for start in range(0, count, rows)]
    dominated: Counts = np.zeros(count, dtype=np.int64)
    for block in blocks:
        dominated[block] = _dominating(costs[block], costs).sum(axis=1)
    fitness: Counts = np.zeros(count, dtype=np.int64)
    for block in blocks:
        fitness += dominated[block] @ _dominating(costs[block], costs)
    return fitness


def _dominating(better: Floats, worse: Floats) -> Flags:
    """Say of every pair whether the row dominates the column."""
    as_good: Flags = np.ones((better.shape[0], worse.shape[0]), dtype=np.bool_)
    is_better: Flags = np.zeros_like(as_good)
    for mine, other in zip(better.T, worse.T, strict=True):
        as_good &= mine[:, None] <= other
        is_better |= mine[:, None] < other
    return as_good & is_better
