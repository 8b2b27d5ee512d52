"""Long lists of small whole numbers as texts that documents can hold."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Codes


def packed_codes(codes: Codes) -> str:
    """Return codes as a text: 32-bit little-endian integers, deflated, in base 64.

    >>> unpacked_codes(packed_codes(np.array([0, 1, -1], dtype=np.int32))).tolist()
    [0, 1, -1]
    """
    plain = np.ascontiguousarray(codes, dtype="<i4").tobytes()
    return base64.b64encode(zlib.compress(plain, 1)).decode("ascii")


def unpacked_codes(text: str) -> Codes:
    """Return the codes of a text; what is not one is a ValueError."""
    try:
        plain = zlib.decompress(base64.b64decode(text, validate=True))
    except (ValueError, zlib.error, binascii.Error) as error:
        raise ValueError(f"the text is not a packed list: {error}") from None
    return np.frombuffer(plain, dtype="<i4").astype(np.int32)
