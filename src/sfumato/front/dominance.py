"""Dominance: at least as good in everything and better in something (MOEA def. 1.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Flags, Floats


def as_costs(values: Floats, directions: Sequence[Direction]) -> Floats:
    """Return the values with the sign of every higher-is-better objective turned.

    >>> as_costs(np.array([[5.0, 0.2]]), [Direction.HIGHER, Direction.LOWER]).tolist()
    [[-5.0, 0.2]]
    """
    signs = np.array([-1.0 if d is Direction.HIGHER else 1.0 for d in directions])
    costs: Floats = values * signs
    return costs


def nondominated(values: Floats, directions: Sequence[Direction]) -> Flags:
    """Say of every point (a row) whether no other point dominates it. Ties are all kept.

    >>> points = np.array([[2.0, 1.0], [2.0, 1.0], [1.0, 1.0], [3.0, 4.0]])
    >>> nondominated(points, [Direction.HIGHER, Direction.LOWER]).tolist()
    [True, True, False, True]
    """
    import moocore

    if np.isnan(values).any():
        raise ValueError("a point has a value that is not a number; dominance is undefined")
    if values.shape[0] == 0:
        return np.zeros(0, dtype=np.bool_)
    if values.shape[1] == 1:
        costs = as_costs(values, directions)
        single: Flags = costs[:, 0] == costs.min()
        return single
    maximise = [direction is Direction.HIGHER for direction in directions]
    if not np.isfinite(values).all():
        # moocore 0.3.2 answers wrongly or crashes on infinities. Dominance only asks which of two
        # values is greater, and the ranks of values answer that as well.
        values = np.stack([value_ranks(column) for column in values.T], axis=1)
    flags: Flags = moocore.is_nondominated(values, maximise=maximise, keep_weakly=True)
    return flags


def value_ranks(values: Floats) -> Floats:
    """Return the place of every value among the different ones, the least being 0."""
    ranks: Floats = np.unique(values, return_inverse=True)[1].astype(np.float64)
    return ranks


def dominates(better: Floats, worse: Floats, directions: Sequence[Direction]) -> bool:
    """Say whether one point dominates another.

    >>> both = [Direction.HIGHER, Direction.LOWER]
    >>> dominates(np.array([3.0, 1.0]), np.array([2.0, 1.0]), both)
    True
    """
    first, second = as_costs(better, directions), as_costs(worse, directions)
    return bool((first <= second).all() and (first < second).any())


def pareto_ranks(values: Floats, directions: Sequence[Direction]) -> Counts:
    """Return the rank of every point (a row): 0 for the front, then as if that were not there.

    Points with equal values have equal ranks (Deb et al. 2002; computed by moocore).

    >>> from sfumato.measures.measure import Direction
    >>> points = np.array([[2.0, 1.0], [2.0, 1.0], [1.0, 1.0], [3.0, 4.0]])
    >>> pareto_ranks(points, [Direction.HIGHER, Direction.LOWER]).tolist()
    [0, 0, 1, 0]
    """
    import moocore

    if np.isnan(values).any():
        raise ValueError("a point has a value that is not a number; dominance is undefined")
    if values.shape[0] == 0:
        return np.zeros(0, dtype=np.int64)
    costs = as_costs(values, directions)
    if values.shape[1] == 1:
        return value_ranks(costs[:, 0]).astype(np.int64)
    if not np.isfinite(costs).all():
        # As in `nondominated`: moocore cannot tell infinities apart, and ranks answer as well.
        costs = np.stack([value_ranks(column) for column in costs.T], axis=1)
    ranks: Counts = moocore.pareto_rank(costs).astype(np.int64)
    return ranks
