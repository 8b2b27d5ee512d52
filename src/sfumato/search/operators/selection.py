"""Selection: who of a population has children."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats


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


def permuted_tournament(
    ranks: Counts, crowding: Floats, *, count: int, rng: np.random.Generator
) -> Counts:
    """Return the places of ``count`` winners, in a random order.

    The population is shuffled and neighbours meet, again and again until there are winners
    enough. The lower rank wins, of equal ranks the lonelier one (Deb et al. 2002, the crowded
    comparison), of equals the first. One alone wins without a fight.
    """
    size = ranks.shape[0]
    if size == 1:
        return np.zeros(count, dtype=np.int64)
    rounds = -(-count // (size // 2))
    drawn = np.concatenate([rng.permutation(size)[: size // 2 * 2] for _ in range(rounds)])
    first, second = drawn[0::2][:count], drawn[1::2][:count]
    beaten = (ranks[second] < ranks[first]) | (
        (ranks[second] == ranks[first]) & (crowding[second] > crowding[first])
    )
    winners: Counts = np.where(beaten, second, first)
    return winners


def biased_place(uniform: float, *, count: int, bias: float) -> int:
    """Return the place of the one selected, 0 being the best of ``count``.

    The chance falls linearly with the place, and the best is ``bias`` times as likely as the one
    in the middle. From a number u that is uniform in [0, 1)::

        place = count · (bias - √(bias² - 4 (bias - 1) u)) / (2 (bias - 1))

    >>> [biased_place(u, count=100, bias=1.5) for u in (0.0, 0.5, 0.999999)]
    [0, 38, 99]
    """
    root = math.sqrt(bias * bias - 4 * (bias - 1) * uniform)
    return min(count - 1, int(count * (bias - root) / (2 * (bias - 1))))


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
