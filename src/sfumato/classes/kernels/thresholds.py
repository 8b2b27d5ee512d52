"""The kernels that apply thresholds to class tables and reduce over what is kept or not.

A *candidate* is a table with a threshold. The candidates of table ``n`` are those from
``starts[n]`` to ``starts[n + 1]``, by rising threshold, so that each keeps a part of what the one
before it keeps. What a class adds is therefore put once, at the candidate where it leaves, and
summed up along the candidates of its table.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float64, int64, types, uint64, void

from sfumato.classes.kernels.lazily import helper, kernel
from sfumato.classes.kernels.signatures import (
    CONST_FLOATS,
    CONST_INTS,
    CONST_KEYS,
    CONST_ROWS,
    FLOATS,
    INTS,
    ROWS,
)

_HISTOGRAM_LENGTH = 4096


@kernel(void(CONST_INTS, CONST_INTS, CONST_INTS, int64, INTS, INTS))
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


@kernel(types.Tuple((INTS, INTS, INTS))(CONST_INTS, CONST_INTS, CONST_INTS, int64, int64))
def every_threshold(sizes, weights, offsets, budget, least):
    """For every table, all class sizes that can be the smallest kept one within ``budget`` rows.

    They are those from ``least`` up, and the largest where no such size is within the budget.
    Returns where the candidates of every table begin, their thresholds, and how many rows each
    suppresses. ``sizes`` and ``weights`` are as in `largest_thresholds`.
    """
    tables = offsets.shape[0] - 1
    starts = np.zeros(tables + 1, dtype=np.int64)
    thresholds = np.empty(max(16, 8 * tables), dtype=np.int64)
    suppressed = np.empty(max(16, 8 * tables), dtype=np.int64)
    # The rows of every size; -1 where no class has it.
    histogram = np.full(_HISTOGRAM_LENGTH, -1, dtype=np.int64)
    for n in range(tables):
        largest = int64(0)
        for i in range(offsets[n], offsets[n + 1]):
            size = sizes[i]
            if size < _HISTOGRAM_LENGTH:
                histogram[size] = max(histogram[size], 0) + weights[i]
            if size > largest:
                largest = size
        count = starts[n]
        total = int64(0)
        size = int64(-1)
        while size < largest and total <= budget:
            size += 1
            while size < _HISTOGRAM_LENGTH and histogram[size] < 0:
                size += 1
            if size < _HISTOGRAM_LENGTH:
                rows = histogram[size]
            else:
                # One size at a time, as above.
                following = largest
                rows = int64(0)
                for i in range(offsets[n], offsets[n + 1]):
                    if size <= sizes[i] <= following:
                        if sizes[i] < following:
                            following = sizes[i]
                            rows = 0
                        rows += weights[i]
                size = following
            if count > starts[n] and thresholds[count - 1] < least:
                # Not the last one, so that it is no candidate.
                count -= 1
            if count == thresholds.shape[0]:
                longer = np.empty(2 * count, dtype=np.int64)
                longer[:count] = thresholds
                thresholds = longer
                longer = np.empty(2 * count, dtype=np.int64)
                longer[:count] = suppressed
                suppressed = longer
            thresholds[count] = size
            suppressed[count] = total
            count += 1
            total += rows
        starts[n + 1] = count
        for size in range(min(largest + 1, _HISTOGRAM_LENGTH)):
            histogram[size] = -1
    count = starts[tables]
    return starts, thresholds[:count], suppressed[:count]


@helper(int64(int64, int64, int64, CONST_INTS))
def _leaves_at(mark, first, end, limits):
    """Return the first of a table's candidates that suppresses a class; ``end`` if none does."""
    if mark >= limits[end - 1]:
        return end
    while first < end:
        middle = (first + end) >> 1
        if limits[middle] <= mark:
            first = middle + 1
        else:
            end = middle
    return first


@kernel(void(CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS, INTS))
def leaving(marks, offsets, starts, limits, out):
    """For every class, the first candidate of its table that suppresses it, or the last's next."""
    for n in range(offsets.shape[0] - 1):
        for i in range(offsets[n], offsets[n + 1]):
            out[i] = _leaves_at(marks[i], starts[n], starts[n + 1], limits)


@kernel(
    *[
        void(values, CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS, boolean, out)
        for values, out in ((CONST_INTS, INTS), (CONST_FLOATS, FLOATS))
    ]
)
def sums_by_candidate(values, marks, offsets, starts, limits, kept, out):
    """For every candidate, the sum of a value over the classes that it keeps, or suppresses."""
    for n in range(offsets.shape[0] - 1):
        first, end = starts[n], starts[n + 1]
        for c in range(first, end):
            out[c] = 0
        for i in range(offsets[n], offsets[n + 1]):
            place = _leaves_at(marks[i], first, end, limits)
            if kept and place > first:
                out[place - 1] += values[i]
            elif not kept and place < end:
                out[place] += values[i]
        if kept:
            for c in range(end - 2, first - 1, -1):
                out[c] += out[c + 1]
        else:
            for c in range(first + 1, end):
                out[c] += out[c - 1]


@kernel(
    *[
        void(values, CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS, boolean, float64, FLOATS)
        for values in (CONST_INTS, CONST_FLOATS)
    ]
)
def extremes_kept(values, marks, offsets, starts, limits, greatest, empty, out):
    """For every candidate, the least or greatest value of the classes that it keeps."""
    # Extremes are those of the given values, and converted only then.
    best = np.empty(limits.shape[0], dtype=values.dtype)
    found = np.zeros(limits.shape[0], dtype=np.bool_)
    for n in range(offsets.shape[0] - 1):
        first, end = starts[n], starts[n + 1]
        for i in range(offsets[n], offsets[n + 1]):
            c = _leaves_at(marks[i], first, end, limits) - 1
            if c >= first:
                value = values[i]
                if not found[c] or (value > best[c] if greatest else value < best[c]):
                    best[c] = value
                    found[c] = True
        for c in range(end - 1, first - 1, -1):
            if c < end - 1 and found[c + 1]:
                value = best[c + 1]
                if not found[c] or (value > best[c] if greatest else value < best[c]):
                    best[c] = value
                    found[c] = True
            out[c] = best[c] if found[c] else empty


@kernel(
    void(
        CONST_KEYS,
        CONST_INTS,
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
    )
)
def extents_below(
    keys,
    marks,
    weights,
    offsets,
    starts,
    limits,
    word_of,
    shift_of,
    bits_of,
    block_starts,
    block_sizes,
    out,
):
    """For every candidate and column, the sum of |block| - 1 over the rows that it suppresses.

    ``weights`` are the rows of every class, and ``marks`` what it is suppressed by.
    ``block_sizes[block_starts[n, q] + code]`` is the number of leaves of a block.
    """
    columns = word_of.shape[0]
    for n in range(offsets.shape[0] - 1):
        first, end = starts[n], starts[n + 1]
        for c in range(first, end):
            for q in range(columns):
                out[c, q] = 0
        for i in range(offsets[n], offsets[n + 1]):
            c = _leaves_at(marks[i], first, end, limits)
            if c < end:
                for q in range(columns):
                    mask = (uint64(1) << uint64(bits_of[q])) - uint64(1)
                    code = int64((keys[i, word_of[q]] >> uint64(shift_of[q])) & mask)
                    out[c, q] += weights[i] * (block_sizes[block_starts[n, q] + code] - 1)
        for c in range(first + 1, end):
            for q in range(columns):
                out[c, q] += out[c - 1, q]
