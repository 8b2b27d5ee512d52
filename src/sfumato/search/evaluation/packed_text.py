"""Many strings of bits as one text, for the state of a search that was stopped."""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def write_strings(packed: Iterable[bytes]) -> str:
    """Return packed strings as text: end to end, compressed, in base 64.

    >>> read_strings(write_strings([b"ab", b"cd"]), 16)
    [b'ab', b'cd']
    """
    return base64.b64encode(zlib.compress(b"".join(packed))).decode("ascii")


def read_strings(text: str, bits: int) -> list[bytes]:
    """Return the packed strings of a text, each of so many bits."""
    try:
        together = zlib.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if bits == 0:
        return [b""]
    width = -(-bits // 8)
    if len(together) % width:
        raise ValueError("strings of another length")
    return [together[at : at + width] for at in range(0, len(together), width)]
