"""Binary tournament: of two that are drawn, the fitter one is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts


def binary_tournament(fitness: Counts, *, count: int, rng: np.random.Generator) -> Counts:
    """Return the places of ``count`` winners; lower fitness wins, of equals the first drawn.

    Every tournament is between two different ones, drawn uniformly (PBG §6).
    """
    first = rng.integers(fitness.shape[0], size=count)
    if fitness.shape[0] == 1:
        return first
    second = rng.integers(fitness.shape[0] - 1, size=count)
    second += second >= first
    winners: Counts = np.where(fitness[second] < fitness[first], second, first)
    return winners
