"""Keyed hashes: what the ledger keeps in place of values. Without the key they say nothing."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts

Hashes = NDArray[np.uint64]
"""Hashes of 64 bits, and sums of them modulo 2^64."""


@dataclass(frozen=True)
class KeyedHashes:
    """Hashes of texts under a key of this user; every purpose has hashes of its own."""

    key: bytes

    def of(self, texts: Sequence[str], *, purpose: str) -> Hashes:
        """Return the hash of every text for a purpose: BLAKE2b with a key."""
        own = hashlib.blake2b(purpose.encode(), key=self.key, digest_size=32).digest()
        plain = b"".join(
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=own, digest_size=8).digest()
            for text in texts
        )
        return np.frombuffer(plain, dtype="<u8").astype(np.uint64)


def mixed(hashes: Hashes) -> Hashes:
    """Return hashes of sums of hashes, so that a sum of them tells nothing of its parts.

    It is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    """
    found = hashes + np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(31))


def with_counts(hashes: Hashes, counts: Counts) -> Hashes:
    """Return a hash of every hash together with a number of rows."""
    return mixed(hashes + mixed(counts.astype(np.uint64)))


def sums_by(groups: Counts, hashes: Hashes, length: int) -> Hashes:
    """Return the sum of hashes by group, modulo 2^64."""
    found = np.zeros(length, dtype=np.uint64)
    np.add.at(found, groups, hashes)
    return found


def packed_hashes(hashes: Hashes) -> str:
    """Return hashes as a text, in base 64.

    >>> unpacked_hashes(packed_hashes(np.array([1, 2**63], dtype=np.uint64))).tolist()
    [1, 9223372036854775808]
    """
    return base64.b64encode(np.ascontiguousarray(hashes, dtype="<u8").tobytes()).decode("ascii")


def unpacked_hashes(text: str) -> Hashes:
    """Return the hashes of a text; what is not one is a ValueError."""
    try:
        return np.frombuffer(base64.b64decode(text, validate=True), dtype="<u8").astype(np.uint64)
    except (ValueError, binascii.Error) as error:
        raise ValueError(f"the text is not a list of hashes: {error}") from None
