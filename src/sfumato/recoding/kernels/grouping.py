"""The kernels that group and roll up class tables.

A *table* is a run of classes inside flat arrays: ``keys[i]`` (packed codes), ``sizes[i]`` (rows)
and, between ``starts[i]`` and ``starts[i + 1]``, the class's carried values with their counts,
ascending by value. Tables are always ascending by key, so the order of classes never depends on
the path by which a table was reached.

Kernels that call each other live in one file: Numba's disk cache only notices changes of the
kernel's own file.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, int64, njit, types, uint64, void

from sfumato.recoding.kernels.array_types import (
    CONST_INTS,
    CONST_KEYS,
    CONST_SMALL,
    CONST_WORDS,
    INTS,
    KEYS,
    ROWS,
    SMALL,
    WORDS,
)
from sfumato.recoding.kernels.options import HELPER, KERNEL

_INSERTION_LENGTH = 16
_MERGING_LENGTH = 4096
_DIGIT_BITS = 10
_DIGITS = 1 << _DIGIT_BITS


@njit(void(WORDS, int64, int64, INTS, INTS), **HELPER)
def _sort_range(keys, begin, end, order, spare):
    """Put ``order[begin:end]``, positions of keys, into ascending order of the keys (stable)."""
    if end - begin <= _INSERTION_LENGTH:
        for i in range(begin + 1, end):
            moving = order[i]
            j = i - 1
            while j >= begin and keys[order[j]] > keys[moving]:
                order[j + 1] = order[j]
                j -= 1
            order[j + 1] = moving
        return
    if end - begin <= _MERGING_LENGTH:
        # Roll-up leaves a few ascending runs: merge them two by two until one is left.
        runs = 2
        while runs > 1:
            runs = 0
            low = begin
            while low < end:
                middle = low + 1
                while middle < end and keys[order[middle - 1]] <= keys[order[middle]]:
                    middle += 1
                high = min(middle + 1, end)
                while high < end and keys[order[high - 1]] <= keys[order[high]]:
                    high += 1
                left, right = low, middle
                for i in range(low, high):
                    if right == high or (left < middle and keys[order[left]] <= keys[order[right]]):
                        spare[i] = order[left]
                        left += 1
                    else:
                        spare[i] = order[right]
                        right += 1
                for i in range(low, high):
                    order[i] = spare[i]
                runs += 1
                low = high
        return
    # Least significant digit first; bits in which no two keys differ are skipped.
    buckets = np.empty(_DIGITS, dtype=np.int64)
    leader = keys[order[begin]]
    differing = uint64(0)
    for i in range(begin + 1, end):
        differing |= keys[order[i]] ^ leader
    shift = uint64(0)
    while shift < 64 and differing >> shift != 0:
        while (differing >> shift) & uint64(1) == 0:
            shift += uint64(1)
        for b in range(_DIGITS):
            buckets[b] = 0
        for i in range(begin, end):
            buckets[int64((keys[order[i]] >> shift) & uint64(_DIGITS - 1))] += 1
        position = begin
        for b in range(_DIGITS):
            count = buckets[b]
            buckets[b] = position
            position += count
        for i in range(begin, end):
            source = order[i]
            b = int64((keys[source] >> shift) & uint64(_DIGITS - 1))
            spare[buckets[b]] = source
            buckets[b] += 1
        for i in range(begin, end):
            order[i] = spare[i]
        shift += uint64(_DIGIT_BITS)


@njit(void(WORDS, int64, INTS, INTS, uint64), **HELPER)
def _sort(keys, length, order, spare, settled):
    """Fill ``order`` with the ascending order of the first ``length`` keys (stable).

    In the bits ``settled`` the keys are known to ascend already: only keys that agree in them
    are compared. Nothing is assumed if there are none.
    """
    for i in range(length):
        order[i] = i
    begin = 0
    while begin < length:
        prefix = keys[begin] & settled
        end = begin + 1
        ascending = True
        while end < length and keys[end] & settled == prefix:
            ascending = ascending and keys[end - 1] <= keys[end]
            end += 1
        if not ascending:
            _sort_range(keys, begin, end, order, spare)
        begin = end


@njit(int64(WORDS, int64, int64, CONST_INTS, INTS, INTS, INTS, int64), **HELPER)
def _group(keys, length, first, sizes, order, bounds, out_sizes, out_class):
    """Append a class for every run of equal keys; ``bounds`` gets where the runs begin and end."""
    groups = 0
    begin = 0
    while begin < length:
        leader = keys[order[begin]]
        total = sizes[first + order[begin]]
        end = begin + 1
        while end < length and keys[order[end]] == leader:
            total += sizes[first + order[end]]
            end += 1
        out_sizes[out_class + groups] = total
        bounds[groups] = begin
        groups += 1
        begin = end
    bounds[groups] = length
    return groups


@njit(int64(WORDS, INTS, int64, int64, uint64, uint64, CONST_SMALL, int64, INTS, int64), **HELPER)
def _roll_last(keys, sizes, first, length, shift, mask, steps, base, bounds, out_class):
    """Roll up the last column one level and append the classes to the same arrays.

    Ascending keys stay so, hence equal ones are neighbours and nothing is sorted.
    """
    clear = ~(mask << shift)
    groups = 0
    at = out_class - 1
    previous = uint64(0)
    for i in range(length):
        key = keys[first + i]
        key = (key & clear) | (uint64(steps[base + int64((key >> shift) & mask)]) << shift)
        if i == 0 or key != previous:
            at += 1
            keys[at] = key
            sizes[at] = sizes[first + i]
            bounds[groups] = i
            groups += 1
            previous = key
        else:
            sizes[at] += sizes[first + i]
    bounds[groups] = length
    return groups


@njit(
    void(
        CONST_INTS,
        CONST_SMALL,
        CONST_INTS,
        int64,
        INTS,
        boolean,
        INTS,
        int64,
        INTS,
        INTS,
        SMALL,
        INTS,
        int64,
    ),
    **HELPER,
)
def _carry(
    starts,
    values,
    counts,
    first,
    order,
    in_order,
    bounds,
    groups,
    tally,
    out_starts,
    out_values,
    out_counts,
    out_class,
):
    """Append the carried counts of every new class: those of its members, added up by value.

    One call for a whole table: passing arrays costs more than merging a small class. Where the
    classes are ``in_order``, ``order`` is not looked at and the members' entries are neighbours.
    """
    width = tally.shape[0]
    at = out_starts[out_class]
    for g in range(groups):
        begin, end = bounds[g], bounds[g + 1]
        length = int64(0)
        members = end - begin
        if in_order:
            source = first + begin
            length = starts[first + end] - starts[source]
        else:
            source = first + order[begin]
            for member in range(begin, end):
                length += starts[first + order[member] + 1] - starts[first + order[member]]
        low = starts[source]
        if members == 1:
            for e in range(low, low + length):
                out_values[at] = values[e]
                out_counts[at] = counts[e]
                at += 1
            out_starts[out_class + g + 1] = at
            continue
        runs = int64(1) if in_order else members
        if 8 * length >= width or length * length > 4 * width:
            for run in range(runs):
                high = low + length
                if not in_order:
                    source = first + order[begin + run]
                    low, high = starts[source], starts[source + 1]
                for e in range(low, high):
                    tally[values[e]] += counts[e]
            # Every value is written and only those that occur are advanced over: no branch to
            # mispredict, at the price of one entry of room beyond the last.
            for value in range(width):
                out_values[at] = value
                out_counts[at] = tally[value]
                at += int64(tally[value] != 0)
                tally[value] = 0
        else:
            # Few entries of many possible values: insert them into an ascending list.
            head = at
            place = head
            for run in range(runs):
                high = low + length
                if not in_order:
                    source = first + order[begin + run]
                    low, high = starts[source], starts[source + 1]
                for e in range(low, high):
                    value = values[e]
                    if place > head and out_values[place - 1] >= value:
                        place = head
                    while place < at and out_values[place] < value:
                        place += 1
                    if place < at and out_values[place] == value:
                        out_counts[place] += counts[e]
                    else:
                        for j in range(at, place, -1):
                            out_values[j] = out_values[j - 1]
                            out_counts[j] = out_counts[j - 1]
                        out_values[place] = value
                        out_counts[place] = counts[e]
                        at += 1
                    place += 1
        out_starts[out_class + g + 1] = at


@njit(**HELPER)
def _longer(array, length):
    """Return a copy of a one-dimensional ``array`` with room for ``length`` entries."""
    grown = np.empty(length, dtype=array.dtype)
    for i in range(array.shape[0]):
        grown[i] = array[i]
    return grown


@njit(
    types.Tuple((INTS, KEYS, INTS, INTS, SMALL, INTS))(
        CONST_KEYS,
        CONST_INTS,
        CONST_INTS,
        CONST_SMALL,
        CONST_INTS,
        int64,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        ROWS,
        CONST_SMALL,
    ),
    **KERNEL,
)
def group_tables(
    keys,
    sizes,
    starts,
    values,
    counts,
    carried_values,
    column_order,
    word_of,
    shift_of,
    bits_of,
    map_starts,
    maps,
):
    """Group one table under each of several recodings, directly.

    ``maps[map_starts[n, q] + code]`` is the code that recoding ``n`` gives to ``code`` of
    quasi-identifier ``q``. Returns the class offsets of the recodings and the flat tables.
    Keys of more than one word are sorted as single ones: whenever the next field does not fit,
    the fields so far are replaced by their rank, which keeps their order and is shorter.
    """
    length, words = keys.shape
    columns = word_of.shape[0]
    recodings = map_starts.shape[0]
    entries = values.shape[0]
    rank_bits = 0
    while (length >> rank_bits) > 0:
        rank_bits += 1
    recoded = np.empty(length, dtype=np.uint64)
    order = np.empty(length, dtype=np.int64)
    spare = np.empty(length, dtype=np.int64)
    bounds = np.empty(length + 1, dtype=np.int64)
    tally = np.zeros(carried_values, dtype=np.int64)
    offsets = np.zeros(recodings + 1, dtype=np.int64)
    out_keys = np.empty((length, words), dtype=np.uint64)
    out_sizes = np.empty(length, dtype=np.int64)
    out_starts = np.zeros(length + 1, dtype=np.int64)
    out_values = np.empty(entries + 1, dtype=np.int32)
    out_counts = np.empty(entries + 1, dtype=np.int64)
    for n in range(recodings):
        used = offsets[n]
        if used + length > out_sizes.shape[0]:
            room = 2 * used + length
            grown = np.empty((room, words), dtype=np.uint64)
            for i in range(used):
                for w in range(words):
                    grown[i, w] = out_keys[i, w]
            out_keys = grown
            out_sizes = _longer(out_sizes, room)
            out_starts = _longer(out_starts, room + 1)
        if out_starts[used] + entries >= out_values.shape[0]:
            room = 2 * out_starts[used] + entries + 1
            out_values = _longer(out_values, room)
            out_counts = _longer(out_counts, room)
        for i in range(length):
            recoded[i] = uint64(0)
        filled = 0
        for position in range(columns):
            q = column_order[position]
            if filled + bits_of[q] > 64:
                _sort(recoded, length, order, spare, uint64(0))
                groups = _group(recoded, length, 0, sizes, order, bounds, out_sizes, used)
                for g in range(groups):
                    for member in range(bounds[g], bounds[g + 1]):
                        recoded[order[member]] = uint64(g)
                filled = rank_bits
            word = word_of[q]
            shift = uint64(shift_of[q])
            bits = uint64(bits_of[q])
            mask = (uint64(1) << bits) - uint64(1)
            base = map_starts[n, q]
            for i in range(length):
                code = int64((keys[i, word] >> shift) & mask)
                recoded[i] = (recoded[i] << bits) | uint64(maps[base + code])
            filled += bits_of[q]
        _sort(recoded, length, order, spare, uint64(0))
        groups = _group(recoded, length, 0, sizes, order, bounds, out_sizes, used)
        for g in range(groups):
            leader = order[bounds[g]]
            for w in range(words):
                out_keys[used + g, w] = uint64(0)
            for q in range(columns):
                shift = uint64(shift_of[q])
                mask = (uint64(1) << uint64(bits_of[q])) - uint64(1)
                code = int64((keys[leader, word_of[q]] >> shift) & mask)
                out_keys[used + g, word_of[q]] |= uint64(maps[map_starts[n, q] + code]) << shift
        _carry(
            starts,
            values,
            counts,
            0,
            order,
            False,
            bounds,
            groups,
            tally,
            out_starts,
            out_values,
            out_counts,
            used,
        )
        offsets[n + 1] = used + groups
    used = offsets[recodings]
    filled = out_starts[used]
    return (
        offsets,
        out_keys[:used],
        out_sizes[:used],
        out_starts[: used + 1],
        out_values[:filled],
        out_counts[:filled],
    )


@njit(
    void(
        CONST_WORDS,
        CONST_INTS,
        CONST_INTS,
        CONST_SMALL,
        CONST_INTS,
        int64,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_SMALL,
        INTS,
        WORDS,
        INTS,
        INTS,
        SMALL,
        INTS,
    ),
    **KERNEL,
)
def sweep_sublattice(
    keys,
    sizes,
    starts,
    values,
    counts,
    carried_values,
    shift_of,
    bits_of,
    heights,
    step_starts,
    steps,
    offsets,
    out_keys,
    out_sizes,
    out_starts,
    out_values,
    out_counts,
):
    """Visit every combination of levels of the last columns, each by one roll-up step.

    The columns are given outermost first, all at their lowest level in the table that is passed,
    and are the last fields of its one-word keys.
    ``steps[step_starts[q] + level * 2**bits + code]`` is the code at ``level + 1``.
    Combinations come in the order of an odometer whose last column turns fastest, and each is
    rolled up from the smallest of its finished neighbours one level below.
    The tables are written to ``out_…``, which must have room for the worst case: that no two
    classes are ever merged, and one carried entry more.
    """
    length = keys.shape[0]
    columns = shift_of.shape[0]
    strides = np.ones(columns, dtype=np.int64)
    for q in range(columns - 2, -1, -1):
        strides[q] = strides[q + 1] * (heights[q + 1] + 1)
    combinations = 1
    for q in range(columns):
        combinations *= heights[q] + 1
    entries = values.shape[0]
    recoded = np.empty(length, dtype=np.uint64)
    order = np.empty(length, dtype=np.int64)
    spare = np.empty(length, dtype=np.int64)
    bounds = np.empty(length + 1, dtype=np.int64)
    tally = np.zeros(carried_values, dtype=np.int64)
    for i in range(length):
        out_keys[i] = keys[i]
        out_sizes[i] = sizes[i]
        out_starts[i] = starts[i]
    out_starts[length] = starts[length]
    for e in range(entries):
        out_values[e] = values[e]
        out_counts[e] = counts[e]
    offsets[0] = 0
    offsets[1] = length
    for n in range(1, combinations):
        # Of the neighbours below, rolling up the last column needs no sorting: weigh it lighter.
        cheapest = int64(-1)
        parent, column = 0, 0
        for q in range(columns):
            if (n // strides[q]) % (heights[q] + 1) == 0:
                continue
            neighbour = n - strides[q]
            cost = offsets[neighbour + 1] - offsets[neighbour]
            if q < columns - 1:
                cost *= 2
            if cheapest < 0 or cost <= cheapest:
                cheapest, parent, column = cost, neighbour, q
        first = offsets[parent]
        size = offsets[parent + 1] - first
        used = offsets[n]
        level = (n // strides[column]) % (heights[column] + 1) - 1
        shift = uint64(shift_of[column])
        mask = (uint64(1) << uint64(bits_of[column])) - uint64(1)
        base = step_starts[column] + (level << bits_of[column])
        in_order = column == columns - 1
        if in_order:
            groups = _roll_last(
                out_keys, out_sizes, first, size, shift, mask, steps, base, bounds, used
            )
        else:
            clear = ~(mask << shift)
            for i in range(size):
                key = out_keys[first + i]
                coarser = uint64(steps[base + int64((key >> shift) & mask)])
                recoded[i] = (key & clear) | (coarser << shift)
            _sort(recoded, size, order, spare, ~((uint64(1) << shift) - uint64(1)))
            groups = _group(recoded, size, first, out_sizes, order, bounds, out_sizes, used)
            for g in range(groups):
                out_keys[used + g] = recoded[order[bounds[g]]]
        if carried_values > 0:
            _carry(
                out_starts,
                out_values,
                out_counts,
                first,
                order,
                in_order,
                bounds,
                groups,
                tally,
                out_starts,
                out_values,
                out_counts,
                used,
            )
        else:
            for g in range(groups):
                out_starts[used + g + 1] = 0
        offsets[n + 1] = used + groups
