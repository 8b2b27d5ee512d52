"""Population uniques by Pitman's sampling formula (Hoshino 2001)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.risk.population_models.sample_classes import SampleClasses

_STEPS = 200
_ACCURACY = 1e-10


class PitmanParameters(NamedTuple):
    """θ and α of Pitman's formula, the maximum likelihood estimates."""

    theta: float
    alpha: float


def pitman_uniques(sample: SampleClasses) -> float | None:
    """Return the expected number of population uniques; None if there is no estimate.

    It is Γ(θ + 1) / Γ(θ + α) · N^α with the maximum likelihood estimates of θ and α (Hoshino
    2001, eqs. 5 and 14).
    """
    found = pitman_parameters(sample)
    if found is None:
        return None
    theta, alpha = found
    uniques = math.exp(
        math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(sample.population)
    )
    return min(uniques, sample.population)


def pitman_parameters(sample: SampleClasses) -> PitmanParameters | None:
    """Return the estimates by Newton's method; None if it does not converge inside the domain."""
    s1, s2, u, n = sample.of_size(1), sample.of_size(2), sample.classes, sample.people
    if not s1 or u < 2 or s1 == n:
        return None
    c = s1 * (s1 - 1) / max(s2, 1)
    bottom = 2 * s1 * u + s1 * c - n * c
    starts = [(1.0, 0.5), (float(u), 0.1), (0.1, 0.9)]
    if bottom:
        theta = (n * u * c - s1 * (n - 1) * (2 * u + c)) / bottom
        starts.insert(0, (theta, (theta * (s1 - n) + (n - 1) * s1) / (n * u)))
    for theta, alpha in starts:
        if _inside(theta, alpha):
            found = _climb(sample, theta, alpha)
            if found is not None:
                return found
    return None


def _inside(theta: float, alpha: float) -> bool:
    return 0 < alpha < 1 and theta > -alpha and math.isfinite(theta)


def _climb(sample: SampleClasses, theta: float, alpha: float) -> PitmanParameters | None:
    for _ in range(_STEPS):
        slopes, curves = _derivatives(sample, theta, alpha)
        if not np.isfinite(curves).all() or abs(np.linalg.det(curves)) < 1e-300:
            return None
        step = np.linalg.solve(curves, slopes)
        size = 1.0
        while size > 1e-6 and not _inside(theta - size * step[0], alpha - size * step[1]):
            size /= 2
        if size <= 1e-6:
            return None
        theta, alpha = float(theta - size * step[0]), float(alpha - size * step[1])
        if abs(step[0]) <= _ACCURACY * max(1.0, abs(theta)) and abs(step[1]) <= _ACCURACY:
            return PitmanParameters(theta, alpha)
    return None


def _derivatives(sample: SampleClasses, theta: float, alpha: float) -> tuple[Floats, Floats]:
    """Return the slopes of the log likelihood by θ and α, and its second derivatives.

    L = Σ_{i<u} log(θ + iα) − Σ_{i<n} log(θ + i) + Σ_j s_j Σ_{i<j} log(i − α).
    """
    i = np.arange(1, sample.classes)
    by_class = 1.0 / (theta + i * alpha)
    by_person = 1.0 / (theta + np.arange(1, sample.people))
    within = 1.0 / (np.arange(1, int(sample.sizes.max())) - alpha)
    sums = np.concatenate(([0.0], np.cumsum(within)))[sample.sizes - 1]
    squares = np.concatenate(([0.0], np.cumsum(within * within)))[sample.sizes - 1]
    slopes = np.array(
        [
            by_class.sum() - by_person.sum(),
            (i * by_class).sum() - (sample.times * sums).sum(),
        ]
    )
    mixed = -(i * by_class * by_class).sum()
    curves = np.array(
        [
            [(by_person * by_person).sum() - (by_class * by_class).sum(), mixed],
            [mixed, -(i * i * by_class * by_class).sum() - (sample.times * squares).sum()],
        ]
    )
    return slopes, curves
