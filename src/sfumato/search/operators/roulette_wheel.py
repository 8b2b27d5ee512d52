"""Roulette wheel selection: each is drawn with a probability proportional to its fitness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats


def roulette_wheel(fitness: Floats, *, count: int, rng: np.random.Generator) -> Counts:
    """Return the places of ``count`` that are selected, with repetition (Granulation §4.3).

    If all fitness is 0, all are equally likely.
    """
    if not np.isfinite(fitness).all() or (fitness < 0).any():
        raise SettingsError(
            "a roulette wheel needs a fitness that is finite and never negative",
            code="out-of-range",
            key="fitness",
            remedy="choose another measure",
        )
    if not fitness.any():
        fitness = np.ones_like(fitness)
    ends = np.cumsum(fitness)
    drawn: Counts = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
    # Rounding must not draw beyond the last that has a share.
    last = int(np.flatnonzero(fitness)[-1])
    return np.minimum(drawn, last)
