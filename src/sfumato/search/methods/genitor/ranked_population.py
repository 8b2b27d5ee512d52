"""A population that is sorted by fitness, in which a child takes the place of the worst."""

from __future__ import annotations

import bisect
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.search.evaluation.evaluated_candidates import unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags


class BorderedNumbers:
    """Turns packed strings of ``bits`` bits into numbers and back; the first bit is the highest.

    ``borders`` are the first bits of all columns but the first, as in
    `sfumato.search.operators.partition_crossover.with_borders`.

    >>> numbers = BorderedNumbers(4, [2])
    >>> f"{numbers.of(bytes([0b0100_0000])):05b}"
    '01100'
    >>> numbers.packed(0b01100) == bytes([0b0100_0000])
    True
    """

    def __init__(self, bits: int, borders: Sequence[int]) -> None:
        self.length = bits + len(borders)
        self._bytes = -(-bits // 8)
        self._beyond = 8 * self._bytes - bits
        # Of every column: how far its bits are from the end, without and with borders.
        ends = [0, *borders, bits]
        after = range(len(borders), -1, -1)
        self._columns = [
            (bits - end, bits - end + later, (1 << (end - start)) - 1)
            for (start, end), later in zip(pairwise(ends), after, strict=True)
        ]
        self._marks = sum(
            1 << (bits - border + later) for border, later in zip(borders, after[1:], strict=True)
        )

    def of(self, packed: bytes) -> int:
        """Return the number of a packed string."""
        plain = int.from_bytes(packed, "big") >> self._beyond
        number = self._marks
        for shift, shifted, mask in self._columns:
            number |= ((plain >> shift) & mask) << shifted
        return number

    def packed(self, number: int) -> bytes:
        """Return the packed string of a number."""
        plain = 0
        for shift, shifted, mask in self._columns:
            plain |= ((number >> shifted) & mask) << shift
        return (plain << self._beyond).to_bytes(self._bytes, "big")


class RankedPopulation:
    """Packed strings, the fittest first; less is fitter (Whitley 1989: GENITOR).

    >>> living = RankedPopulation([b"a", b"b", b"c"], [1.0, 2.0, 3.0], bits=8)
    >>> living.admit(b"d", 1.5)
    >>> living.strings, living.fitness
    ([b'a', b'd', b'b'], [1.0, 1.5, 2.0])
    """

    def __init__(
        self,
        strings: Sequence[bytes],
        fitness: Sequence[float],
        *,
        bits: int,
        borders: Sequence[int] = (),
    ) -> None:
        order = sorted(range(len(strings)), key=fitness.__getitem__)
        self.strings = [strings[place] for place in order]
        self.fitness = [fitness[place] for place in order]
        self.bordered = BorderedNumbers(bits, borders)
        self._bits = bits
        self._times = Counter(self.strings)
        # Parents are looked at again and again: nobody is unpacked twice.
        self._flags: dict[bytes, Flags] = dict(
            zip(self.strings, unpack(self.strings, bits), strict=True)
        )
        self._numbers = {string: self.bordered.of(string) for string in self._times}

    def __len__(self) -> int:
        """Return how many strings live."""
        return len(self.strings)

    def __contains__(self, string: object) -> bool:
        """Say whether a packed string lives."""
        return string in self._times

    def flags(self, place: int) -> Flags:
        """Return the bits of the string at a place, 0 being the fittest."""
        return self._flags[self.strings[place]]

    def number(self, place: int) -> int:
        """Return the string at a place as a bordered number."""
        return self._numbers[self.strings[place]]

    def admit(self, child: bytes, fitness: float) -> None:
        """Put a child in its place, the worst giving way, if it is fitter than that."""
        if fitness >= self.fitness[-1]:
            return
        place = bisect.bisect_right(self.fitness, fitness)
        self.strings.insert(place, child)
        self.fitness.insert(place, fitness)
        self._times[child] += 1
        if child not in self._flags:
            self._flags[child] = unpack([child], self._bits)[0]
            self._numbers[child] = self.bordered.of(child)
        self.fitness.pop()
        gone = self.strings.pop()
        self._times[gone] -= 1
        if not self._times[gone]:
            del self._times[gone], self._flags[gone], self._numbers[gone]
