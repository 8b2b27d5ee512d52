"""Bit-flip mutation: every bit that may be turned is, with a probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from sfumato.arrays import Flags


def bit_flip_mutation(
    strings: Flags, *, probability: float, allowed: Flags, rng: np.random.Generator
) -> Flags:
    """Return the strings with every allowed bit turned with the probability, independently.

    On a constrained column a single bit mostly makes a string invalid; mutation is for the
    unconstrained ones (MOEA §1.5), or is followed by a repair.
    """
    flips = (rng.random(strings.shape) < probability) & allowed
    return strings ^ flips
