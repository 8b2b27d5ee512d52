"""Mutation of nodes, and of strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Flags


def single_step_mutation(
    nodes: Counts,
    *,
    heights: Sequence[int],
    probability: float,
    rng: np.random.Generator,
    minimum_levels: Sequence[int] | int = 0,
) -> Counts:
    """Return the nodes with each level, with the probability, one higher or one lower (PBG §6).

    Up and down are equally likely. A level that would leave its hierarchy, or fall below its
    minimum level, stays at the end of it ("appropriate rounding").
    """
    chosen = rng.random(nodes.shape) < probability
    steps = 2 * rng.integers(0, 2, size=nodes.shape) - 1
    mutated: Counts = np.clip(nodes + chosen * steps, np.array(minimum_levels), np.array(heights))
    return mutated


def bit_flip_mutation(
    strings: Flags, *, probability: float, allowed: Flags, rng: np.random.Generator
) -> Flags:
    """Return the strings with every allowed bit turned with the probability, independently.

    On a constrained column a single bit mostly makes a string invalid; mutation is for the
    unconstrained ones (MOEA §1.5), or is followed by a repair.
    """
    flips = (rng.random(strings.shape) < probability) & allowed
    return strings ^ flips
