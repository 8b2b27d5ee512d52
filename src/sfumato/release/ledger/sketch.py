"""Sketches: how much two sets have in common, from a few bits that tell of no member.

One-permutation minwise hashing (Li, Owen and Zhang, NIPS 2012): hashes fall into registers, and
each register has the least of them. Of that only the lowest two bits are kept (b-bit minwise
hashing; Li and König, WWW 2010). There are at least eight members for a register, so that whoever
has the key and guesses a member sees its two bits in the register of a set that has it at most 11/8
as often as in that of one that has not. Sets of fewer than 32 have four registers all the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.release.ledger.keyed_hashes import Hashes

BUCKETS = 4096
"""The finest registers, which are never stored."""
_BITS = 60
_EMPTY = np.uint64(2**64 - 1)
_LEAST_REGISTERS, _MOST_REGISTERS = 4, 1024
_MEMBERS = 8
_BY_CHANCE = 0.25
"""How often two bits agree though they come from different members."""
_SIGMAS = 3.0
"""So many standard deviations above what chance gives, sets are taken to have something in common.
"""


class Sketch(Record):
    """A few bits of a set: of every register the last two of its least hash."""

    members: int = Field(description="How many members the set has.")
    registers: str = Field(
        pattern=r"^[0-3-]*$", description="Two bits of every register, - where it is empty."
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Minima:
    """The least hash of every bucket of a set: in memory only, since it could tell of members."""

    members: int
    least: Hashes

    @classmethod
    def of_hashes(cls, hashes: Hashes) -> Minima:
        """Return the minima of hashes, one for each member."""
        short = np.sort(hashes >> np.uint64(64 - _BITS))
        buckets = (short >> np.uint64(_BITS - 12)).astype(np.int64)
        found, first = np.unique(buckets, return_index=True)
        least = np.full(BUCKETS, _EMPTY, dtype=np.uint64)
        least[found] = short[first]
        return cls(members=int(hashes.shape[0]), least=least)

    @classmethod
    def of_texts(cls, members: int, by_bucket: Mapping[str, str]) -> Minima:
        """Return the minima that an engine found: the rest of the hash by its first digits.

        Both are hexadecimal, 3 and 12 digits.
        """
        least = np.full(BUCKETS, _EMPTY, dtype=np.uint64)
        for bucket, rest in by_bucket.items():
            least[int(bucket, 16)] = np.uint64(int(bucket + rest, 16))
        return cls(members=members, least=least)

    def sketch(self) -> Sketch:
        """Return what may be stored."""
        wanted = min(max(self.members // _MEMBERS, _LEAST_REGISTERS), _MOST_REGISTERS)
        return Sketch(members=self.members, registers=self.registers(2 ** int(math.log2(wanted))))

    def registers(self, many: int) -> str:
        """Return two bits of the least hash in each of so many registers, a power of two."""
        least = self.least.reshape(many, -1).min(axis=1)
        bits = (least & np.uint64(3)).tolist()
        return "".join("-" if e else str(b) for b, e in zip(bits, least == _EMPTY, strict=True))

    def shared(self, stored: Sketch) -> float:
        """Return about which share of the smaller set is in the other one too, 0 if that is chance.

        The similarity J of Jaccard follows from the registers that agree: those of the J in common,
        and by chance a quarter of the others.
        """
        many = len(stored.registers)
        if not (many and many & (many - 1) == 0 and many <= BUCKETS):
            return 0.0
        pairs = list(zip(self.registers(many), stored.registers, strict=True))
        used = sum(own != "-" or other != "-" for own, other in pairs)
        both = sum(own != "-" and other != "-" for own, other in pairs)
        agree = sum(own == other != "-" for own, other in pairs)
        if not both:
            return 0.0
        jaccard = (agree - _BY_CHANCE * both) / (used * (1 - _BY_CHANCE))
        noise = math.sqrt(_BY_CHANCE * (1 - _BY_CHANCE) * both) / (used * (1 - _BY_CHANCE))
        if jaccard < min(_SIGMAS * noise, 0.9):
            return 0.0
        both_members = jaccard * (self.members + stored.members) / (1 + jaccard)
        return min(1.0, both_members / min(self.members, stored.members))
