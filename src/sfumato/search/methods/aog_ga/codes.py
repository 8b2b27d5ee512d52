"""The binary codes of recodings by admissible partitions (Granulation §4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Flags


@dataclass(frozen=True, kw_only=True)
class AogCodes:
    """Every quasi-identifier has its partitions numbered from 0, written with ⌈log₂ |Π_i|⌉ bits.

    ``counts`` are the numbers |Π_i| of partitions. Any other string is repaired: a number
    beyond the last partition is taken modulo |Π_i|.

    >>> codes = AogCodes(counts=(4, 6, 5))
    >>> codes.bits, codes.decoded(np.array([[c == "1" for c in "01011010"]])).tolist()
    (8, [[1, 3, 2]])
    >>> codes.repaired(np.array([[1, 0, 5], [0, 7, 2]])).tolist()
    [[1, 0, 0], [0, 1, 2]]
    """

    counts: tuple[int, ...]

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of bits of every quasi-identifier."""
        return tuple((count - 1).bit_length() for count in self.counts)

    @property
    def bits(self) -> int:
        """The length of a string."""
        return sum(self.widths)

    def encoded(self, numbers: Counts) -> Flags:
        """Return the strings of recodings, a row of partition numbers for each."""
        parts = [
            (numbers[:, [q]] >> np.arange(width - 1, -1, -1)) & 1 == 1
            for q, width in enumerate(self.widths)
        ]
        return np.concatenate(parts, axis=1)

    def decoded(self, strings: Flags) -> Counts:
        """Return the numbers that strings say, legal or not."""
        numbers: Counts = np.zeros((strings.shape[0], len(self.counts)), dtype=np.int64)
        start = 0
        for q, width in enumerate(self.widths):
            places = 1 << np.arange(width - 1, -1, -1)
            numbers[:, q] = strings[:, start : start + width] @ places
            start += width
        return numbers

    def repaired(self, numbers: Counts) -> Counts:
        """Return legal numbers: each modulo the number of partitions."""
        legal: Counts = numbers % np.array(self.counts, dtype=np.int64)
        return legal
