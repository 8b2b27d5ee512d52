"""How far the solutions of a search are from the true front (PBG §7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.indicators.objective_values import finite_values_of, same_objectives

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.front.front import Front


@dataclass(frozen=True, kw_only=True)
class ConvergenceError:
    """The convergence error as printed, a sum over solutions, and the mean of a solution."""

    total: float
    mean: float


def convergence_error(found: Front, true: Front) -> ConvergenceError:
    """Return CE = Σ over M' in found of min over M in true of ‖I(M) − I(M')‖ (PBG §7).

    Every value is divided by the greatest one of its objective in the true front (by 1 if that is
    0). The distance is Euclidean. CE is 0 exactly if every solution has the values of a true one. A
    sum grows with the number of solutions, which the mean does not.

    >>> from sfumato.front.front import Front
    >>> from sfumato.measures.measure import Direction
    >>> def front(*pairs):
    ...     return Front.of_values({"k": Direction.HIGHER, "loss": Direction.LOWER}, pairs)
    >>> convergence_error(front((1, 0), (7, 54)), front((1, 0), (10, 50)))
    ConvergenceError(total=0.310483..., mean=0.155241...)
    """
    same_objectives(found, true)
    truth, candidates = finite_values_of(true), finite_values_of(found)
    greatest = np.abs(truth).max(axis=0)
    scale: Floats = np.where(greatest > 0, greatest, 1.0)
    truth, candidates = np.unique(truth / scale, axis=0), candidates / scale
    nearest = [float(np.sqrt(((truth - each) ** 2).sum(axis=1)).min()) for each in candidates]
    total = float(sum(nearest))
    return ConvergenceError(total=total, mean=total / len(nearest) if nearest else 0.0)
