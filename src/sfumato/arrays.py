"""The array types that the whole package speaks, sealed arrays, and numbers out of arrays."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

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


def plain_number(value: object) -> object:
    """Return a number of NumPy as Python's own, by its digits, and anything else as it is.

    >>> plain_number(np.int64(3)), plain_number(np.float32(0.01)), plain_number("3")
    (3, 0.01, '3')
    """
    if isinstance(value, np.integer):
        return int(value)
    # The shortest digits that mean it: 0.01 of 32 bits is not the 0.01 of 64 bits nearest to it.
    return float(str(value)) if isinstance(value, np.floating) else value


def plain_numbers(settings: DataclassInstance) -> None:
    """Let the fields of frozen settings hold plain numbers where numbers of NumPy were given.

    Settings are compared, hashed, and written to files.
    """
    for field in fields(settings):
        given = getattr(settings, field.name)
        if isinstance(given, np.number):
            object.__setattr__(settings, field.name, plain_number(given))
