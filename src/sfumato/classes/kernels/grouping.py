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

from sfumato.classes.kernels.lazily import helper, kernel
from sfumato.classes.kernels.signatures import (
    CONST_INTS,
    CONST_KEYS,
    CONST_SMALL,
    CONST_WORDS,
    HELPER,
    INTS,
    KEYS,
    ROWS,
    SMALL,
    WORDS,
)

_INSERTION_LENGTH = 16
_MERGING_LENGTH = 4096
_SHORT_LENGTH = 256
_DIGIT_BITS = 10
_DIGITS = 1 << _DIGIT_BITS
_JOINT_CODES = 2048
_JOINT_BITS = 32
_FEW_ENTRIES = 6
_DENSE_WIDTH = 512
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_OF = np.zeros(64, dtype=np.int64)
"""Which bit is set, by the six highest bits of its product with the sequence of de Bruijn."""
for _bit in range(64):
    _BIT_OF[((1 << _bit) * int(_DE_BRUIJN) >> 58) & 63] = _bit
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@helper(void(WORDS, int64, int64, INTS, INTS))
def _sort_digits(keys, begin, end, order, spare):
    """Sort as `_sort_range` does, by the digits of the keys, for keys in any order.

    The least significant digit comes first; bits in which no two keys differ are skipped.
    """
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


@helper(void(WORDS, int64, int64, INTS, INTS))
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
    _sort_digits(keys, begin, end, order, spare)


@helper(void(WORDS, int64, INTS, INTS, uint64))
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


@helper(int64(WORDS, int64, int64, CONST_INTS, INTS, INTS, INTS, int64))
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


@helper(int64(WORDS, int64, SMALL, SMALL, WORDS, INTS, INTS, INTS))
def _gather(keys, length, slots, class_of, class_keys, leaders, order, spare):
    """Find the different keys by a hash table, and sort only them.

    Recodings that are worth something merge most keys, and looking one up is far cheaper than its
    share of a sort. ``class_of`` gets the class of every key, ``leaders`` the first member of
    every class, and ``order`` the classes ascending by key. ``slots`` has a power of two of
    places, at least twice ``length``.
    """
    mask = uint64(slots.shape[0] - 1)
    shift = uint64(64)
    while (slots.shape[0] >> int64(uint64(64) - shift)) > 1:
        shift -= uint64(1)
    for at in range(slots.shape[0]):
        slots[at] = -1
    groups = 0
    for i in range(length):
        key = keys[i]
        at = (key * _MULTIPLIER) >> shift
        found = slots[at]
        while found >= 0 and class_keys[found] != key:
            at = (at + uint64(1)) & mask
            found = slots[at]
        if found < 0:
            found = groups
            slots[at] = found
            class_keys[groups] = key
            leaders[groups] = i
            groups += 1
        class_of[i] = found
    ascending = True
    for rank in range(groups):
        order[rank] = rank
        ascending = ascending and (rank == 0 or class_keys[rank - 1] < class_keys[rank])
    if not ascending and groups > _SHORT_LENGTH:
        _sort_digits(class_keys, 0, groups, order, spare)
    elif not ascending:
        _sort_range(class_keys, 0, groups, order, spare)
    return groups


@helper(void(SMALL, int64, int64, INTS, INTS, INTS))
def _line_up(class_of, length, groups, order, spare, bounds):
    """Turn the order of the classes into that of their members; ``bounds`` says where each begins.

    Members of a class stay in their order.
    """
    for rank in range(groups):
        spare[order[rank]] = rank
        bounds[rank + 1] = 0
    bounds[0] = 0
    for i in range(length):
        class_of[i] = spare[class_of[i]]
        bounds[class_of[i] + 1] += 1
    for rank in range(groups):
        bounds[rank + 1] += bounds[rank]
        spare[rank] = bounds[rank]
    for i in range(length):
        order[spare[class_of[i]]] = i
        spare[class_of[i]] += 1


@helper(int64(WORDS, INTS, int64, int64, uint64, uint64, CONST_SMALL, int64, INTS, int64))
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


@helper(
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
        WORDS,
        WORDS,
        INTS,
        SMALL,
        INTS,
        int64,
    )
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
    marks,
    marked,
    out_starts,
    out_values,
    out_counts,
    out_class,
):
    """Append the carried counts of every new class: those of its members, added up by value.

    One call for a whole table: passing arrays costs more than merging a small class. Where the
    classes are ``in_order``, ``order`` is not looked at and the members' entries are neighbours.
    ``tally``, ``marks`` and ``marked`` are zero before and after.
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
        if 8 * length >= width and (width <= _DENSE_WIDTH or 2 * length >= width):
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
        elif length > _FEW_ENTRIES:
            # Many entries of still more possible values, as people are: mark those that occur, a
            # bit each, and every word of 64 such bits that has one.
            for run in range(runs):
                high = low + length
                if not in_order:
                    source = first + order[begin + run]
                    low, high = starts[source], starts[source + 1]
                for e in range(low, high):
                    value = int64(values[e])
                    tally[value] += counts[e]
                    marks[value >> 6] |= uint64(1) << uint64(value & 63)
                    marked[value >> 12] |= uint64(1) << uint64((value >> 6) & 63)
            for high in range(marked.shape[0]):
                words = marked[high]
                marked[high] = uint64(0)
                while words != 0:
                    lowest = words & (~words + uint64(1))
                    words ^= lowest
                    word = (high << 6) + _BIT_OF[int64((lowest * _DE_BRUIJN) >> uint64(58))]
                    bits = marks[word]
                    marks[word] = uint64(0)
                    while bits != 0:
                        lowest = bits & (~bits + uint64(1))
                        bits ^= lowest
                        value = (word << 6) + _BIT_OF[int64((lowest * _DE_BRUIJN) >> uint64(58))]
                        out_values[at] = value
                        out_counts[at] = tally[value]
                        tally[value] = 0
                        at += 1
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


@helper(
    types.Tuple((INTS, INTS, INTS, types.Array(types.int32, 2, "C")))(
        CONST_KEYS, CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS
    )
)
def _joined(keys, column_order, word_of, shift_of, bits_of):
    """Join neighbouring columns of few codes into one, so that one look-up recodes them all.

    Returns how many codes every column has, where in ``column_order`` the joint columns begin and
    end, the bits of each, and its codes.
    """
    length = keys.shape[0]
    columns = column_order.shape[0]
    widths = np.ones(columns, dtype=np.int64)
    for q in range(columns):
        word, shift = word_of[q], uint64(shift_of[q])
        mask = (uint64(1) << uint64(bits_of[q])) - uint64(1)
        for i in range(length):
            widths[q] = max(widths[q], int64((keys[i, word] >> shift) & mask) + 1)
    begins = np.zeros(columns + 1, dtype=np.int64)
    bits = np.zeros(columns, dtype=np.int64)
    joints, product = 0, _JOINT_CODES + 1
    for position in range(columns):
        q = column_order[position]
        if product * widths[q] > _JOINT_CODES or bits[joints - 1] + bits_of[q] > _JOINT_BITS:
            begins[joints] = position
            joints += 1
            product = 1
        product *= widths[q]
        bits[joints - 1] += bits_of[q]
    begins[joints] = columns
    codes = np.zeros((joints, length), dtype=np.int32)
    for joint in range(joints):
        for position in range(begins[joint], begins[joint + 1]):
            q = column_order[position]
            word, shift = word_of[q], uint64(shift_of[q])
            mask = (uint64(1) << uint64(bits_of[q])) - uint64(1)
            for i in range(length):
                code = int64((keys[i, word] >> shift) & mask)
                codes[joint, i] = codes[joint, i] * widths[q] + code
    return widths, begins[: joints + 1], bits[:joints], codes


@kernel(
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
    )
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
    widths, joint_begins, joint_bits, codes = _joined(
        keys, column_order, word_of, shift_of, bits_of
    )
    longest = _JOINT_CODES
    for q in range(columns):
        longest = max(longest, widths[q])
    table = np.empty(longest, dtype=np.uint64)
    places = 2
    while places < 2 * length:
        places *= 2
    slots = np.empty(places, dtype=np.int32)
    class_of = np.empty(length, dtype=np.int32)
    class_keys = np.empty(length, dtype=np.uint64)
    class_sizes = np.empty(length, dtype=np.int64)
    leaders = np.empty(length, dtype=np.int64)
    recoded = np.empty(length, dtype=np.uint64)
    order = np.empty(length, dtype=np.int64)
    spare = np.empty(length, dtype=np.int64)
    bounds = np.empty(length + 1, dtype=np.int64)
    tally = np.zeros(carried_values, dtype=np.int64)
    marks = np.zeros((carried_values >> 6) + 1, dtype=np.uint64)
    marked = np.zeros((carried_values >> 12) + 1, dtype=np.uint64)
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
        filled = 0
        for i in range(length):
            recoded[i] = uint64(0)
        for joint in range(joint_bits.shape[0]):
            if filled + joint_bits[joint] > 64:
                groups = _gather(
                    recoded, length, slots, class_of, class_keys, leaders, order, spare
                )
                for rank in range(groups):
                    spare[order[rank]] = rank
                for i in range(length):
                    recoded[i] = uint64(spare[class_of[i]])
                filled = rank_bits
            # What becomes of every joint code, one column more at a time, from the last backwards
            # so that nothing is overwritten before it was read.
            room = 1
            table[0] = uint64(0)
            for position in range(joint_begins[joint], joint_begins[joint + 1]):
                q = column_order[position]
                width, base, bits = widths[q], map_starts[n, q], uint64(bits_of[q])
                for c in range(room - 1, -1, -1):
                    head = table[c] << bits
                    for code in range(width - 1, -1, -1):
                        table[c * width + code] = head | uint64(maps[base + code])
                room *= width
            bits = uint64(joint_bits[joint])
            for i in range(length):
                recoded[i] = (recoded[i] << bits) | table[codes[joint, i]]
            filled += joint_bits[joint]
        groups = _gather(recoded, length, slots, class_of, class_keys, leaders, order, spare)
        for g in range(groups):
            class_sizes[g] = 0
        for i in range(length):
            class_sizes[class_of[i]] += sizes[i]
        for g in range(groups):
            out_sizes[used + g] = class_sizes[order[g]]
            leader = leaders[order[g]]
            for w in range(words):
                out_keys[used + g, w] = uint64(0)
            for q in range(columns):
                shift = uint64(shift_of[q])
                mask = (uint64(1) << uint64(bits_of[q])) - uint64(1)
                code = int64((keys[leader, word_of[q]] >> shift) & mask)
                out_keys[used + g, word_of[q]] |= uint64(maps[map_starts[n, q] + code]) << shift
        if carried_values > 0:
            _line_up(class_of, length, groups, order, spare, bounds)
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
                marks,
                marked,
                out_starts,
                out_values,
                out_counts,
                used,
            )
        else:
            for g in range(groups):
                out_starts[used + g + 1] = 0
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


@kernel(
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
    )
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
    marks = np.zeros((carried_values >> 6) + 1, dtype=np.uint64)
    marked = np.zeros((carried_values >> 12) + 1, dtype=np.uint64)
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
                marks,
                marked,
                out_starts,
                out_values,
                out_counts,
                used,
            )
        else:
            for g in range(groups):
                out_starts[used + g + 1] = 0
        offsets[n + 1] = used + groups
