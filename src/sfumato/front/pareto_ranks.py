"""Non-dominated sorting: which points are left when all better ones are taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import as_costs, value_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Floats
    from sfumato.measures.measure import Direction


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
