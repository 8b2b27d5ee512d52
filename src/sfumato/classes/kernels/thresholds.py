"""The kernels that apply thresholds to class tables and reduce over what is kept or not."""

from __future__ import annotations

import numpy as np
from numba import boolean, float64, int64, njit, uint64, void

from sfumato.classes.kernels.signatures import (
    CONST_FLOATS,
    CONST_INTS,
    CONST_KEYS,
    CONST_ROWS,
    FLOATS,
    INTS,
    KERNEL,
    ROWS,
)

_HISTOGRAM_LENGTH = 4096


@njit(void(CONST_INTS, CONST_INTS, CONST_INTS, int64, INTS, INTS), **KERNEL)
def largest_thresholds(sizes, weights, offsets, budget, out, suppressed):
    """For every table, the smallest class size that is kept when at most ``budget`` rows go.

    ``weights`` are the rows of every class, and ``sizes`` what it is suppressed by: its rows or
    its people. ``suppressed`` gets the number of rows in smaller classes.
    Whole size groups E_1, E_2, … are suppressed while their total stays within the budget; the
    largest size is always kept.
    """
    histogram = np.zeros(_HISTOGRAM_LENGTH, dtype=np.int64)
    for n in range(offsets.shape[0] - 1):
        for size in range(_HISTOGRAM_LENGTH):
            histogram[size] = 0
        largest = int64(0)
        for i in range(offsets[n], offsets[n + 1]):
            size = sizes[i]
            if size < _HISTOGRAM_LENGTH:
                histogram[size] += weights[i]
            if size > largest:
                largest = size
        total = int64(0)
        threshold = int64(0)
        reached = int64(_HISTOGRAM_LENGTH - 1)
        for size in range(1, _HISTOGRAM_LENGTH):
            if histogram[size] == 0:
                continue
            rows = histogram[size]
            if total + rows > budget or size == largest:
                threshold = size
                break
            total += rows
        while threshold == 0:
            # Beyond the histogram, find the next larger size and its rows, one size at a time:
            # rare, and at most sqrt(2 * budget) different sizes fit a budget.
            following = largest
            rows = int64(0)
            for i in range(offsets[n], offsets[n + 1]):
                size = sizes[i]
                if size > reached and size <= following:
                    if size < following:
                        following = size
                        rows = 0
                    rows += weights[i]
            reached = following
            if total + rows > budget or following == largest:
                threshold = following
            else:
                total += rows
        out[n] = threshold
        suppressed[n] = total


@njit(void(CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS, INTS), **KERNEL)
def sums_below(values, sizes, offsets, thresholds, out):
    """For every table, the sum of a value over the classes smaller than its threshold."""
    for n in range(offsets.shape[0] - 1):
        total = int64(0)
        for i in range(offsets[n], offsets[n + 1]):
            if sizes[i] < thresholds[n]:
                total += values[i]
        out[n] = total


@njit(
    [
        void(values, CONST_INTS, CONST_INTS, CONST_INTS, boolean, float64, FLOATS)
        for values in (CONST_INTS, CONST_FLOATS)
    ],
    **KERNEL,
)
def extremes_kept(values, sizes, offsets, thresholds, greatest, empty, out):
    """For every table, the least or greatest value of the classes from its threshold up."""
    for n in range(offsets.shape[0] - 1):
        threshold = thresholds[n]
        found = False
        extreme = values[offsets[n]]
        for i in range(offsets[n], offsets[n + 1]):
            if sizes[i] >= threshold:
                value = values[i]
                if not found or (value > extreme if greatest else value < extreme):
                    extreme = value
                    found = True
        out[n] = extreme if found else empty


@njit(
    void(
        CONST_KEYS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_ROWS,
        CONST_INTS,
        ROWS,
    ),
    **KERNEL,
)
def extents_below(
    keys,
    sizes,
    weights,
    offsets,
    thresholds,
    word_of,
    shift_of,
    bits_of,
    block_starts,
    block_sizes,
    out,
):
    """For every table and column, the sum of |block| - 1 over rows in classes below threshold.

    ``weights`` are the rows of every class, and ``sizes`` what it is suppressed by.
    ``block_sizes[block_starts[n, q] + code]`` is the number of leaves of a block.
    """
    columns = word_of.shape[0]
    for n in range(offsets.shape[0] - 1):
        for q in range(columns):
            out[n, q] = 0
        for i in range(offsets[n], offsets[n + 1]):
            if sizes[i] < thresholds[n]:
                for q in range(columns):
                    mask = (uint64(1) << uint64(bits_of[q])) - uint64(1)
                    code = int64((keys[i, word_of[q]] >> uint64(shift_of[q])) & mask)
                    out[n, q] += weights[i] * (block_sizes[block_starts[n, q] + code] - 1)
