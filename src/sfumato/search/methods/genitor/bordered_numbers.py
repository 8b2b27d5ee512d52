"""Strings as whole numbers with a 1 at every border between columns, to cross one pair quickly."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class BorderedNumbers:
    """Turns packed strings of ``bits`` bits into numbers and back; the first bit is the highest.

    ``borders`` are the first bits of all columns but the first, as in
    `sfumato.search.operators.validity_preserving_crossover.with_borders`.

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
