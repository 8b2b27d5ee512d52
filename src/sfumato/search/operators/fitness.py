"""The fitness of points: the dominance of PBG-EA, and the crowding of NSGA-II."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import as_costs, value_ranks

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


def behind_those_that_meet(standing: Counts, violations: Counts) -> Counts:
    """Return a standing, lower being better, in which what misses criteria comes last.

    Of those the one that misses them by less is better (Deb et al. 2002, constrained dominance).

    >>> behind_those_that_meet(np.array([0, 0, 1, 7]), np.array([4, 0, 0, 2])).tolist()
    [3, 0, 1, 2]
    """
    meets = violations == 0
    if meets.all():
        return standing
    last = int(standing[meets].max(initial=-1))
    degrees = np.unique(violations[~meets], return_inverse=True)[1]
    placed = standing.copy()
    placed[~meets] = last + 1 + degrees
    return placed


def _dominating(better: Floats, worse: Floats) -> Flags:
    """Say of every pair whether the row dominates the column."""
    as_good: Flags = np.ones((better.shape[0], worse.shape[0]), dtype=np.bool_)
    is_better: Flags = np.zeros_like(as_good)
    for mine, other in zip(better.T, worse.T, strict=True):
        as_good &= mine[:, None] <= other
        is_better |= mine[:, None] < other
    return as_good & is_better


def crowding_distances(values: Floats, ranks: Counts) -> Floats:
    """Return the crowding distance of every point within its rank; greater is lonelier.

    For every objective the points of a rank are sorted, those at its ends get infinity, the
    others the distance between both neighbours over the range of the objective; the sum over the
    objectives counts. Equal metrics are sorted by the other objectives in turn: where metrics
    are whole numbers, a plain sort would leave it to chance which of many equals is at the end.
    An objective with infinite metrics counts by their order instead.
    """
    distances: Floats = np.zeros(values.shape[0], dtype=np.float64)
    objectives = values.shape[1]
    columns = [column if np.isfinite(column).all() else value_ranks(column) for column in values.T]
    for first in range(objectives):
        turns = [columns[(first + turn) % objectives] for turn in range(objectives)]
        order = np.lexsort((*turns[::-1], ranks))
        metrics, groups = turns[0][order], ranks[order]
        starts = np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1])))
        ends = np.concatenate((starts[1:], [groups.shape[0]])) - 1
        ranges = np.repeat(metrics[ends] - metrics[starts], ends - starts + 1)
        apart: Floats = np.zeros_like(metrics)
        apart[1:-1] = metrics[2:] - metrics[:-2]
        gaps = np.divide(apart, ranges, out=np.zeros_like(apart), where=ranges > 0)
        gaps[starts] = gaps[ends] = np.inf
        distances[order] += gaps
    return distances
