"""Counting the combinations of some columns over cells, in Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Flags, Floats

_DENSE = 1 << 22
"""Up to so many possible combinations have a place each; others are hashed."""


@numba.njit(cache=True, nogil=True)
def count_combinations(
    keys: Counts, reach: float, sizes: Counts, unique: Flags
) -> tuple[int, float]:
    """Count the cells by a packed key below ``reach``.

    Returns the number of combinations and the sum of their squared rows, and flags in ``unique``
    the cells whose combination has a single row.
    """
    cells = sizes.shape[0]
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
        key = np.uint64(keys[cell])
        # A multiplicative hash: the product's high bits depend on all bits of the key.
        mixed = key * np.uint64(0x9E3779B97F4A7C15)
        slot = (mixed ^ (mixed >> np.uint64(32))) & mask
        while rows[slot] != 0 and taken[slot] != key:
            slot = (slot + np.uint64(1)) & mask
        taken[slot] = key
        rows[slot] += sizes[cell]
        places[cell] = slot
    for place in range(room):
        if rows[place]:
            distinct += 1
            squares += float(rows[place]) * float(rows[place])
    for cell in range(cells):
        unique[cell] = rows[places[cell]] == 1
    return distinct, squares


@numba.njit(cache=True, nogil=True)
def count_extensions(
    prefix: Counts,
    reach: float,
    codes: Codes,
    widths: Counts,
    columns: Counts,
    sizes: Counts,
    found: Counts,
    squares: Floats,
) -> None:
    """Count the cells by a packed prefix of columns together with each of some more columns.

    ``found`` gets the number of combinations and of those of a single row, ``squares`` the sum of
    their squared rows, a row for each column.
    """
    cells = sizes.shape[0]
    room = 16
    while room < 2 * cells:
        room *= 2
    mask = np.uint64(room - 1)
    taken = np.zeros(0, dtype=np.uint64)
    rows = np.zeros(0, dtype=np.int64)
    for number in range(columns.shape[0]):
        own = codes[columns[number]]
        width = widths[columns[number]]
        dense = reach * width <= _DENSE
        length = int(reach * width) if dense else room
        if rows.shape[0] < length:
            rows = np.zeros(length, dtype=np.int64)
        else:
            rows[:length] = 0
        if dense:
            for cell in range(cells):
                rows[prefix[cell] * width + own[cell]] += sizes[cell]
        else:
            if taken.shape[0] < room:
                taken = np.zeros(room, dtype=np.uint64)
            for cell in range(cells):
                key = np.uint64(prefix[cell] * width + own[cell])
                mixed = key * np.uint64(0x9E3779B97F4A7C15)
                slot = (mixed ^ (mixed >> np.uint64(32))) & mask
                while rows[slot] != 0 and taken[slot] != key:
                    slot = (slot + np.uint64(1)) & mask
                taken[slot] = key
                rows[slot] += sizes[cell]
        distinct = 0
        unique = 0
        total = 0.0
        for place in range(length):
            many = rows[place]
            if many:
                distinct += 1
                total += float(many) * float(many)
                if many == 1:
                    unique += 1
        found[number, 0] = distinct
        found[number, 1] = unique
        squares[number] = total
