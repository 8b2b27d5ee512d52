"""Individual risk from sampling weights (Benedetti & Franconi 1998)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats

_FEW = 40
_TERMS = 120


def individual_risks(sizes: Counts, weights: Floats, *, approximate: bool = False) -> Floats:
    """Return the risk of a row in each class: E(1 / F | f), from f rows with a sum of weights.

    With p = f / Σ weights, F given f is negative binomial, and the risk is
    p^f / f · ₂F₁(f, f; f + 1; 1 − p) = p ∫₀¹ u^(f−1) / (p + (1 − p) u) du. The integral of f + 1
    follows from that of f, or it is the series Σ (1 − p)^j B(f, j + 1). With ``approximate``
    classes of more than two rows have p / (f − (1 − p)), as others usually compute it.

    >>> individual_risks(np.array([1, 2, 3]), np.array([10.0, 10.0, 3.0])).round(4).tolist()
    [0.2558, 0.1494, 0.3333]
    """
    if (weights < sizes * (1 - 1e-12)).any():
        raise SettingsError(
            "the weights of a class sum to less than its rows",
            code="weights-below-one",
            key="weights",
            expected="sampling weights of 1 or more: how many people a row stands for",
        )
    p = np.minimum(sizes / weights, 1.0)
    risks = _by_series(sizes, p)
    exact = (p <= 0.5) & (sizes < _FEW)
    if exact.any():
        risks[exact] = _by_recursion(sizes[exact], p[exact])
    if approximate:
        large = sizes > 2
        risks[large] = p[large] / (sizes[large] - (1 - p[large]))
    return risks


def _by_recursion(sizes: Counts, p: Floats) -> Floats:
    """Return p I_f with I_1 = −ln p / (1 − p) and I_{f+1} = (1/f − p I_f) / (1 − p)."""
    q = 1 - p
    integral = -np.log(p) / q
    found = integral.copy()
    for f in range(1, int(sizes.max())):
        integral = (1 / f - p * integral) / q
        found = np.where(sizes == f + 1, integral, found)
    return np.asarray(p * found, dtype=np.float64)


def _by_series(sizes: Counts, p: Floats) -> Floats:
    """Return p Σ_j (1 − p)^j B(f, j + 1); terms shrink by (1 − p)(j + 1) / (f + j + 1)."""
    term = 1.0 / sizes
    total = term.copy()
    for j in range(_TERMS):
        term = term * (1 - p) * (j + 1) / (sizes + j + 1)
        total += term
    return np.asarray(p * total, dtype=np.float64)
