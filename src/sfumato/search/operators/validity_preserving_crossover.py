"""Validity-preserving crossover (NEW): parents swap their ends at a cut that both have."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Flags


def crossover_places(first: Flags, second: Flags, *, borders: Sequence[int] = ()) -> Flags:
    """Say of every place of every pair whether its parents may be crossed there (Crossover §3.2).

    A place is a bit that is 1 in both parents, or a border between two columns, which counts as
    such a bit; before it lie a bit where the parents agree and, later, one where they disagree, so
    that the parts differ. ``borders`` are the first bits of all columns but the first. Places are
    numbered as `with_borders` puts the borders among the bits.
    """
    mine, other = with_borders(first, borders), with_borders(second, borders)
    agree = mine == other
    agreed = np.logical_or.accumulate(agree, axis=1)
    differ_after = np.logical_or.accumulate(~agree & agreed, axis=1)
    places: Flags = mine & other & differ_after
    return places


def with_borders(strings: Flags, borders: Sequence[int]) -> Flags:
    """Return the strings with a 1 before every border."""
    count, bits = strings.shape
    bordered: Flags = np.ones((count, bits + len(borders)), dtype=np.bool_)
    bordered[:, _places_of_bits(bits, tuple(borders))] = strings
    return bordered


@lru_cache(maxsize=64)
def _places_of_bits(bits: int, borders: tuple[int, ...]) -> Counts:
    """Return where every bit stands once the borders stand among them."""
    at = np.arange(bits)
    places: Counts = at + np.searchsorted(borders, at, side="right")
    places.flags.writeable = False
    return places


@lru_cache(maxsize=64)
def _bits_of_places(bits: int, borders: tuple[int, ...]) -> Counts:
    """Return the bit that a child changes parents at, for every place: a border's is its first."""
    # One more than there are places, for strings that have none.
    among: Counts = np.append(np.insert(np.arange(bits), list(borders), list(borders)), 0)
    among.flags.writeable = False
    return among


def validity_preserving_crossover(
    first: Flags, second: Flags, *, borders: Sequence[int] = (), rng: np.random.Generator
) -> tuple[Flags, Flags, Flags]:
    """Cross every pair at one place, uniform among those allowed.

    Return the children that begin like the first and like the second parent, and which pairs
    have such a place at all; the others come back as they are. What lies on one side of a cut
    that both parents have is valid by itself, so that valid parents have valid children.
    """
    places = crossover_places(first, second, borders=borders)
    counts = places.sum(axis=1)
    chosen = (rng.random(counts.shape[0]) * counts).astype(np.int64)
    # The (chosen + 1)-th place of each pair; argmax finds the first column that reaches it.
    reached = np.cumsum(places, axis=1) == (chosen + 1)[:, None]
    place = reached.argmax(axis=1) if places.shape[1] else np.zeros(counts.shape, dtype=np.int64)
    crossed: Flags = counts > 0
    cut = _bits_of_places(first.shape[1], tuple(borders))[place]
    tail = crossed[:, None] & (np.arange(first.shape[1]) >= cut[:, None])
    return np.where(tail, second, first), np.where(tail, first, second), crossed


def validity_preserving_child(
    first: int, second: int, *, length: int, uniform: float
) -> int | None:
    """Return the child of one pair that begins like the first parent; None if it has no place.

    The same as `validity_preserving_crossover` makes of the pair with the same draw, a number
    that is uniform in [0, 1), at a fraction of the cost: GENITOR crosses one pair at a time, and
    many of them in vain. Strings are `BorderedNumbers` of some
    ``length``. The pair of Crossover §3.2:

    >>> child = validity_preserving_child(0b0111110, 0b0100111, length=7, uniform=0.0)
    >>> f"{child:07b}"
    '0111111'
    """
    differ = first ^ second
    agreed = (((1 << length) - 1) ^ differ).bit_length()
    differ &= (1 << agreed) - 1
    # Bits that differ come after the first that agrees, and places after the first that differs.
    places = first & second & ((1 << differ.bit_length()) - 1)
    count = places.bit_count()
    if not differ or not count:
        return None
    for _ in range(int(uniform * count)):
        places ^= 1 << (places.bit_length() - 1)
    tail = (1 << places.bit_length()) - 1
    return (first & ~tail) | (second & tail)


def crossed_at(first: Flags, second: Flags, place: int) -> Flags:
    """Return the child that has the bits of the first parent before a place, then the second's."""
    child: Flags = np.concatenate((first[:place], second[place:]))
    return child
