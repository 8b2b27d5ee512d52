"""How the codes of all quasi-identifiers share the words of one key.

Every quasi-identifier owns a bit field that is wide enough for its leaves, so a key of any
coarser recoding fits the same field and one field can be replaced without touching the others.
Fields never straddle two 64-bit words, and a key takes as many words as it needs: 15 columns
of a thousand values are two or three words, never an overflow.

Keys compare as the code vectors do, first field first. The field order is chosen so that the
columns with the most levels come last: rolling up the last field of sorted keys leaves them
sorted, which is the cheapest step of a lattice walk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import Codes, Counts, sealed_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WORD_BITS = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyLayout:
    """The word and the bit field of every quasi-identifier in a packed key.

    >>> layout = KeyLayout(leaf_counts=(74, 2), heights=(6, 1))
    >>> layout.order, layout.words
    ((1, 0), 1)
    >>> keys = layout.pack(np.array([[3, 70], [0, 1]], dtype=np.int32))
    >>> layout.unpack(keys, 0).tolist(), layout.unpack(keys, 1).tolist()
    ([3, 70], [0, 1])
    """

    leaf_counts: tuple[int, ...]
    heights: tuple[int, ...]
    order: tuple[int, ...] = field(init=False)
    words: int = field(init=False)
    word_of: Counts = field(init=False)
    shift_of: Counts = field(init=False)
    bits_of: Counts = field(init=False)

    def __post_init__(self) -> None:
        columns = range(len(self.leaf_counts))
        order = tuple(sorted(columns, key=lambda q: (self.heights[q], self.leaf_counts[q], q)))
        bits = [max(1, (count - 1).bit_length()) for count in self.leaf_counts]
        word_of, shift_of = self._place(order, bits)
        object.__setattr__(self, "order", order)
        object.__setattr__(self, "words", 1 + max(word_of, default=0))
        object.__setattr__(self, "word_of", sealed_counts(word_of))
        object.__setattr__(self, "shift_of", sealed_counts(shift_of))
        object.__setattr__(self, "bits_of", sealed_counts(bits))

    @staticmethod
    def _place(order: Sequence[int], bits: Sequence[int]) -> tuple[list[int], list[int]]:
        word_of, shift_of = [0] * len(bits), [0] * len(bits)
        word, free = 0, WORD_BITS
        for q in order:
            if bits[q] > free:
                word, free = word + 1, WORD_BITS
            free -= bits[q]
            word_of[q], shift_of[q] = word, free
        return word_of, shift_of

    def pack(self, codes: Codes) -> NDArray[np.uint64]:
        """Pack ``codes`` (a row for each quasi-identifier) into keys (a row for each key)."""
        keys = np.zeros((codes.shape[1], self.words), dtype=np.uint64)
        for q, row in enumerate(codes):
            keys[:, self.word_of[q]] |= row.astype(np.uint64) << np.uint64(self.shift_of[q])
        return keys

    def unpack(self, keys: NDArray[np.uint64], q: int) -> Counts:
        """Return the code of quasi-identifier ``q`` in every key."""
        mask = np.uint64((1 << int(self.bits_of[q])) - 1)
        codes: Counts = ((keys[:, self.word_of[q]] >> np.uint64(self.shift_of[q])) & mask).astype(
            np.int64
        )
        return codes
