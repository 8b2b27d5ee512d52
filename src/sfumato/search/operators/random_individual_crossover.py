"""Crossover with a random individual: a mutation that keeps strings valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.operators.random_strings import random_strings
from sfumato.search.operators.validity_preserving_crossover import validity_preserving_crossover

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.recoding.partition_space import PartitionSpace


def random_individual_crossover(
    strings: Flags, *, space: PartitionSpace, probability: float, rng: np.random.Generator
) -> Flags:
    """Cross strings with fresh random ones, each with the probability (Crossover §3.2)."""
    chosen = np.flatnonzero(rng.random(strings.shape[0]) < probability)
    if not chosen.shape[0]:
        return strings
    mutated: Flags = strings.copy()
    mutated[chosen] = crossed_with_random(strings[chosen], space=space, rng=rng)
    return mutated


def crossed_with_random(
    strings: Flags, *, space: PartitionSpace, rng: np.random.Generator
) -> Flags:
    """Cross all strings with fresh random ones.

    The crossover is the validity-preserving one over the whole string; which of its two children
    takes the place of the string is even chance, so that no part of it is safe from change. One
    that has no place in common with its random partner stays as it is.
    """
    partners = random_strings(space, strings.shape[0], rng=rng)
    heads, tails, _ = validity_preserving_crossover(
        strings, partners, borders=space.borders, rng=rng
    )
    heads_first: Flags = np.asarray(rng.random(strings.shape[0])) < 0.5
    return np.where(heads_first[:, None], heads, tails)
