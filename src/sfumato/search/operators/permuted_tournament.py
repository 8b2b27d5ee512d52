"""Binary tournaments in which everyone takes part equally often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats


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
