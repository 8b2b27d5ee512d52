"""IGD+: how far a true or better front is from being reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.indicators.objective_values import ObjectiveScale, same_objectives

if TYPE_CHECKING:
    from sfumato.front.front import Front


def igd_plus(found: Front, true: Front) -> float:
    """Return IGD+ = mean over M in true of min over M' in found of ‖max(c(M') − c(M), 0)‖.

    c are costs, scaled so that the true front goes from 0 (its ideal point) to 1 (its nadir point)
    in every objective. Only what a solution is worse in counts, so that a front that dominates
    another one never has a greater IGD+ (Ishibuchi et al. 2015). It is 0 if every true solution is
    reached; infinite if nothing was found. Solutions with equal values count once.

    >>> from sfumato.front.front import Front
    >>> from sfumato.measures.measure import Direction
    >>> def front(*pairs):
    ...     return Front.of_values({"k": Direction.HIGHER, "loss": Direction.LOWER}, pairs)
    >>> igd_plus(front((1, 0), (2, 100)), front((1, 0), (3, 100)))
    0.25
    """
    import moocore

    same_objectives(found, true)
    scale = ObjectiveScale.of(true)
    if not len(found):
        return float("inf")
    truth = np.unique(scale.costs(true), axis=0)
    return float(moocore.igd_plus(scale.costs(found), ref=truth))
