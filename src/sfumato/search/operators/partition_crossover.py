"""Crossover in the space of partitions, which keeps strings valid."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.operators.crossover import single_point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Flags
    from sfumato.recoding.partition_space import PartitionSpace


def random_strings(space: PartitionSpace, count: int, *, rng: np.random.Generator) -> Flags:
    """Return valid strings, drawn column by column.

    A constrained column is drawn by recursion down its tree (MOEA §1.4.5). The chapter does not
    say how an unconstrained one is drawn: here every bit is a cut with a probability that is
    itself drawn uniformly for every string and column, so that coarse and fine partitions come
    up as often as middling ones. With even bits, a column of 70 values would hardly ever have
    fewer than 25 blocks.
    """
    parts = []
    for column in space.columns:
        if column.constrained:
            parts.append(column.tree.random_strings(count, rng=rng))
        else:
            density = rng.random((count, 1))
            parts.append(rng.random((count, column.bits)) < density)
    strings: Flags = np.concatenate(parts, axis=1)
    return strings


def repaired_random_strings(
    space: PartitionSpace, count: int, *, rng: np.random.Generator
) -> Flags:
    """Return strings whose bits are all even chance, repaired to the nearest valid strings.

    This is how a population starts that knows nothing of the trees; nearly all of its strings are
    invalid before the repair (Crossover §3.2), and fine after it.
    """
    strings: Flags = rng.random((count, space.bits)) < 0.5
    return space.nearest_valid(strings, rng=rng)


def crossover_places(first: Flags, second: Flags, *, borders: Sequence[int] = ()) -> Flags:
    """Say of every place of every pair whether its parents may be crossed there (Crossover §3.2).

    A place is a bit that is 1 in both parents, or a border between two columns, which counts as
    such a bit; before it lie a bit where the parents agree and, later, one where they disagree, so
    that the parts differ. After it the parents disagree once more: a cut after the last
    disagreement would only repeat a parent, which the paper holds against crossover (§3.1).
    ``borders`` are the first bits of all columns but the first. Places are numbered as
    `with_borders` puts the borders among the bits.
    """
    mine, other = with_borders(first, borders), with_borders(second, borders)
    differ = mine != other
    agreed = np.logical_or.accumulate(~differ, axis=1)
    differ_before = np.logical_or.accumulate(differ & agreed, axis=1)
    differ_after = np.logical_or.accumulate(differ[:, ::-1], axis=1)[:, ::-1]
    places: Flags = mine & other & differ_before & differ_after
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
    if not differ:
        return None
    # Places lie after the first bit that differs, but before the last one (the lowest).
    last = (differ & -differ) - 1
    places = first & second & ((1 << differ.bit_length()) - 1) & ~last
    count = places.bit_count()
    if not count:
        return None
    for _ in range(int(uniform * count)):
        places ^= 1 << (places.bit_length() - 1)
    tail = (1 << places.bit_length()) - 1
    return (first & ~tail) | (second & tail)


def crossed_at(first: Flags, second: Flags, place: int) -> Flags:
    """Return the child that has the bits of the first parent before a place, then the second's."""
    child: Flags = np.concatenate((first[:place], second[place:]))
    return child


def partition_crossover(
    parents: Flags, *, space: PartitionSpace, probability: float, rng: np.random.Generator
) -> Flags:
    """Return the children of neighbouring rows, each pair crossed with the probability (MOEA §1.5).

    The bits of all unconstrained columns together are crossed at a single point, those of all
    constrained ones together by the validity-preserving operator; a pair whose constrained parts
    have no place for that keeps them. Of an odd number the last moves on unchanged.
    """
    children = parents.copy()
    pairs = parents.shape[0] // 2
    ones, others = parents[0 : 2 * pairs : 2], parents[1 : 2 * pairs : 2]
    crossed = rng.random(pairs) < probability
    free = np.flatnonzero(~space.constrained_bits)
    bound = np.flatnonzero(space.constrained_bits)
    first, second = ones.copy(), others.copy()
    first[:, free], second[:, free] = single_point(
        ones[:, free], others[:, free], crossed=crossed, rng=rng
    )
    heads, tails, _ = validity_preserving_crossover(
        ones[:, bound], others[:, bound], borders=_constrained_borders(space), rng=rng
    )
    first[:, bound] = np.where(crossed[:, None], heads, ones[:, bound])
    second[:, bound] = np.where(crossed[:, None], tails, others[:, bound])
    children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2] = first, second
    return children


def _constrained_borders(space: PartitionSpace) -> list[int]:
    widths = [column.bits for column in space.columns if column.constrained]
    borders: list[int] = np.cumsum(widths)[:-1].astype(np.int64).tolist()
    return borders


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
    """Cross the constrained columns of all strings with those of fresh random ones.

    It takes the place of mutation where a flipped bit would mostly be invalid; in the other
    columns the partner is the string itself, for a flip is always valid there. Which of the two
    children of the validity-preserving crossover takes the place of the string is even chance, so
    that no constrained column is safe from change. Where the two have no place to be crossed, the
    string takes over one column in which they differ: its borders are cuts that both have.
    """
    partners = np.where(
        space.constrained_bits, random_strings(space, strings.shape[0], rng=rng), strings
    )
    heads, tails, crossed = validity_preserving_crossover(
        strings, partners, borders=space.borders, rng=rng
    )
    heads_first: Flags = np.asarray(rng.random(strings.shape[0])) < 0.5
    mutated: Flags = np.where(heads_first[:, None], heads, tails)
    for row in np.flatnonzero(~crossed):
        mutated[row] = _with_a_column_of(strings[row], partners[row], space=space, rng=rng)
    return mutated


def _with_a_column_of(
    string: Flags, partner: Flags, *, space: PartitionSpace, rng: np.random.Generator
) -> Flags:
    inside = [slice(column.start, column.end) for column in space.columns]
    differing = [each for each in inside if (string[each] != partner[each]).any()]
    changed: Flags = string.copy()
    if differing:
        chosen = differing[rng.integers(len(differing))]
        changed[chosen] = partner[chosen]
    return changed
