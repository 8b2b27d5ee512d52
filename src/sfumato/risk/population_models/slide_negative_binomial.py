"""Population uniques by the slide negative binomial model (Chen & Keller-McNulty 1998)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.risk.population_models.sample_classes import SampleClasses

_STEPS = 200
_STARTS = ((0.5, 0.5), (1.0, 0.2), (0.1, 0.1), (2.0, 0.8), (0.05, 0.01), (5.0, 0.5))


def slide_negative_binomial_uniques(
    sample: SampleClasses, *, classes: float | None = None
) -> float | None:
    """Return the expected number of population uniques, K β^α; None if there is no estimate.

    The size of a population class is one more than a negative binomial number with α and β, and
    each of its people is in the sample with probability π. So, with d = (1 − π)(1 − β), the sample
    has s_1 = K π (β/(1−d))^α (α d/(1−d) + 1) classes of one and
    s_2 = K α β^α π² (1 − β) (2 − (1 − α) d) / (2 (1−d)^(α+2)) classes of two people. K, the number
    of ``classes`` of the population, is Shlosser's estimate (Haas & Stokes 1998) unless it is
    known. With K the model finds its own uniques; Shlosser's estimate is several times too large
    below a sampling fraction of about a tenth, and so are the uniques then.
    """
    s1, s2 = sample.of_size(1), sample.of_size(2)
    if not s1:
        return 0.0
    if not s2 or sample.fraction >= 1:
        return float(s1) if sample.fraction >= 1 else None
    classes = shlosser_classes(sample) if classes is None else classes
    if not math.isfinite(classes) or classes <= 0:
        return None
    wanted = np.log([s1 / classes, s2 / classes])
    for alpha, beta in _STARTS:
        found = _solve(wanted, sample.fraction, alpha, beta)
        if found is not None:
            return min(classes * float(found[1] ** found[0]), sample.population)
    return None


def shlosser_classes(sample: SampleClasses) -> float:
    """Return Shlosser's modified estimate of the number of classes of the population.

    It is u + s_1 · Σ i q² (1−q²)^(i−1) s_i / Σ (1−q)^i ((1+q)^i − 1) s_i
    · (Σ (1−q)^i s_i / Σ i q (1−q)^(i−1) s_i)², with the sampling fraction q.
    """
    i, s, q = sample.sizes.astype(np.float64), sample.times, sample.fraction
    top = (i * q**2 * (1 - q**2) ** (i - 1) * s).sum()
    # (1−q)^i ((1+q)^i − 1), without overflow of large classes.
    bottom = (((1 - q**2) ** i - (1 - q) ** i) * s).sum()
    ratio = ((1 - q) ** i * s).sum() / (i * q * (1 - q) ** (i - 1) * s).sum()
    return float(sample.classes + sample.of_size(1) * top / bottom * ratio**2)


def _expected(logs: Floats, fraction: float) -> Floats:
    """Return the logarithms of s_1 / K and s_2 / K; parameters are log α and logit β."""
    alpha, beta = math.exp(logs[0]), 1 / (1 + math.exp(-logs[1]))
    d = (1 - fraction) * (1 - beta)
    one = math.log(fraction) + alpha * math.log(beta / (1 - d)) + math.log1p(alpha * d / (1 - d))
    two = (
        math.log(alpha / 2)
        + alpha * math.log(beta)
        + 2 * math.log(fraction)
        + math.log(1 - beta)
        + math.log(2 - (1 - alpha) * d)
        - (alpha + 2) * math.log(1 - d)
    )
    return np.array([one, two])


def _solve(wanted: Floats, fraction: float, alpha: float, beta: float) -> Floats | None:
    """Return α and β by Newton's method with shortened steps; None if it does not converge."""
    logs = np.array([math.log(alpha), math.log(beta / (1 - beta))])
    try:
        missed = _expected(logs, fraction) - wanted
        for _ in range(_STEPS):
            if np.abs(missed).max() < 1e-12:
                return np.array([math.exp(logs[0]), 1 / (1 + math.exp(-logs[1]))])
            slopes = np.empty((2, 2))
            for place in range(2):
                moved = logs.copy()
                moved[place] += 1e-6
                slopes[:, place] = (_expected(moved, fraction) - wanted - missed) / 1e-6
            step = np.linalg.solve(slopes, missed)
            size = min(1.0, 2.0 / float(np.abs(step).max()))
            while size > 1e-8:
                tried = _expected(logs - size * step, fraction) - wanted
                if np.abs(tried).sum() < np.abs(missed).sum():
                    break
                size /= 2
            else:
                return None
            logs, missed = logs - size * step, tried
    except (ValueError, OverflowError, ZeroDivisionError, np.linalg.LinAlgError):
        return None
    return None
