"""The hypervolume of a front: how much of the objective space it dominates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.front.indicators.objective_values import ObjectiveScale

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.front.front import Front

REFERENCE = 1.1
"""The reference point on every side of the scale: a tenth beyond the worst value, so that the ends
of a front count too."""


def hypervolume(front: Front, *, scale: ObjectiveScale | None = None) -> float:
    """Return the share of the space between the ideal and the reference point that is dominated.

    Values are scaled to costs from 0 (ideal point) to 1 (nadir point); the reference point is 1.1
    in every objective, and what lies beyond it dominates nothing. The volume is divided by 1.1 to
    the number of objectives, so that it lies between 0 and 1; more is better. Fronts are comparable
    on one and the same scale: ``ObjectiveScale.of(one, other)``; without it, that of the front.
    The volume is exact (Zitzler & Thiele 1998; computed by moocore).

    >>> from sfumato.front.front import Front
    >>> from sfumato.measures.measure import Direction
    >>> ways = {"k": Direction.HIGHER, "loss": Direction.LOWER}
    >>> front = Front.of_values(ways, ((1, 0), (2, 50), (3, 100)))
    >>> round(1.1**2 * hypervolume(front), 4)  # 0.1 · 1.1 + 0.5 · 0.6 + 0.5 · 0.1
    0.46
    """
    scale = ObjectiveScale.of(front) if scale is None else scale
    return dominated_share(scale.costs(front))


def dominated_share(costs: Floats) -> float:
    """Return the hypervolume of scaled costs, a row for each point.

    >>> import numpy as np
    >>> dominated_share(np.array([[0.0], [0.55]]))
    1.0
    """
    import moocore

    # A value that is better than all that the scale was made of dominates no more than the whole.
    costs = costs.clip(min=0.0)
    costs = costs[(costs < REFERENCE).all(axis=1)]
    if not costs.shape[0]:
        return 0.0
    if costs.shape[1] == 1:
        return float((REFERENCE - costs.min()) / REFERENCE)
    volume = moocore.hypervolume(costs, ref=[REFERENCE] * costs.shape[1])
    return float(volume / REFERENCE ** costs.shape[1])
