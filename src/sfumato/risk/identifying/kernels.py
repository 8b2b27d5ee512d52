"""Counting the combinations of some columns over cells, in Numba."""

from __future__ import annotations

import numba
import numpy as np

from sfumato.arrays import Codes, Counts, Flags

_DENSE = 1 << 22
"""Up to so many possible combinations have a place each; others are hashed."""


@numba.njit(cache=True, nogil=True)  # type: ignore[misc]
def count_combinations(
    codes: Codes, widths: Counts, columns: Counts, sizes: Counts, unique: Flags
) -> tuple[int, float]:
    """Count the cells by some of their columns.

    Returns the number of combinations and the sum of their squared rows, and flags in ``unique``
    the cells whose combination has a single row. ``codes`` has a row for each column.
    """
    cells = sizes.shape[0]
    reach = 1.0
    for column in columns:
        reach *= widths[column]
    keys = np.zeros(cells, dtype=np.uint64)
    for column in columns:
        width = np.uint64(widths[column])
        own = codes[column]
        for cell in range(cells):
            keys[cell] = keys[cell] * width + np.uint64(own[cell])
    distinct = 0
    squares = 0.0
    if reach <= _DENSE:
        rows = np.zeros(int(reach), dtype=np.int64)
        for cell in range(cells):
            rows[keys[cell]] += sizes[cell]
        for place in range(rows.shape[0]):
            if rows[place]:
                distinct += 1
                squares += float(rows[place]) * float(rows[place])
        for cell in range(cells):
            unique[cell] = rows[keys[cell]] == 1
        return distinct, squares
    room = 16
    while room < 2 * cells:
        room *= 2
    mask = np.uint64(room - 1)
    taken = np.zeros(room, dtype=np.uint64)
    rows = np.zeros(room, dtype=np.int64)
    places = np.empty(cells, dtype=np.int64)
    for cell in range(cells):
        key = keys[cell]
        # A multiplicative hash: the product's high bits depend on all bits of the key.
        mixed = key * np.uint64(0x9E3779B97F4A7C15)
        place = (mixed ^ (mixed >> np.uint64(32))) & mask
        while rows[place] != 0 and taken[place] != key:
            place = (place + np.uint64(1)) & mask
        taken[place] = key
        rows[place] += sizes[cell]
        places[cell] = place
    for place in range(room):
        if rows[place]:
            distinct += 1
            squares += float(rows[place]) * float(rows[place])
    for cell in range(cells):
        unique[cell] = rows[places[cell]] == 1
    return distinct, squares
