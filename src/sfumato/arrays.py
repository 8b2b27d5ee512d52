"""The array types that the whole package speaks, and how a shared array is sealed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
"""Positions in an ordered list: leaves of a domain, blocks of a level, values of a column."""

Counts = NDArray[np.int64]
"""Numbers of rows, and anything that is summed from them exactly."""

Floats = NDArray[np.float64]

Flags = NDArray[np.bool_]


def sealed_codes(values: object) -> Codes:
    """Return ``values`` as a read-only array of codes.

    >>> sealed_codes([0, 1, 1]).flags.writeable
    False
    """
    array: Codes = np.array(values, dtype=np.int32)
    array.flags.writeable = False
    return array


def sealed_counts(values: object) -> Counts:
    """Return ``values`` as a read-only array of row counts.

    >>> sealed_counts([2, 3]).sum()
    np.int64(5)
    """
    array: Counts = np.array(values, dtype=np.int64)
    array.flags.writeable = False
    return array
