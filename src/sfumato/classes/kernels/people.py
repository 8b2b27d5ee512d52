"""The kernels that count distinct people in classes.

Somebody all of whose rows are in one class comes as one of a number of people with the same *set*
of codes; anybody else as one *pair* of person and code after another. The first sets are the codes
themselves; pairs are numbered from ``sets`` up, by person. The entries of a class ascend.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, types, void

from sfumato.classes.kernels.lazily import helper, kernel
from sfumato.classes.kernels.signatures import (
    CONST_INTS,
    CONST_SMALL,
    HELPER,
    INTS,
    SMALL,
)


@njit(**HELPER)
def _more(array, length):
    """Return a copy of an array with room for ``length`` entries."""
    grown = np.empty(length, dtype=array.dtype)
    for i in range(array.shape[0]):
        grown[i] = array[i]
    return grown


@helper(void(SMALL, int64, int64))
def _sort_codes(codes, first, end):
    """Put the codes of one class into ascending order, in place."""
    # Shell's sort: a general one would take longer to compile than all else in this file.
    gap = int64(1)
    while 3 * gap < end - first:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, end):
            moving = codes[i]
            j = i - gap
            while j >= first and codes[j] > moving:
                codes[j + gap] = codes[j]
                j -= gap
            codes[j + gap] = moving
        gap //= 3


@kernel(
    types.Tuple((INTS, INTS, SMALL, INTS, INTS))(
        CONST_INTS,
        CONST_SMALL,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        CONST_INTS,
        int64,
        int64,
    )
)
def people_by_code(
    starts,
    values,
    counts,
    set_starts,
    set_codes,
    set_shares,
    pair_persons,
    pair_codes,
    width,
    scale,
):
    """For every class its people, and for every code in it who has it and how much of them.

    A person weighs ``scale``, split equally over their different codes in the class; what does
    not divide evenly is spread by the order of the codes, so that the parts sum to ``scale``.
    Returns the people of every class, where its codes begin, the codes, how many have each, and
    what these weigh by it.
    """
    sets = set_starts.shape[0] - 1
    groups = starts.shape[0] - 1
    owners = np.zeros(width, dtype=np.int64)
    weights = np.zeros(width, dtype=np.int64)
    people = np.empty(groups, dtype=np.int64)
    out_starts = np.empty(groups + 1, dtype=np.int64)
    # No more codes than entries, but for sets of several: then more room is made. Every code is
    # written and only new ones are advanced over: no branch to mispredict.
    room = values.shape[0] + width + 1
    codes = np.empty(room, dtype=np.int32)
    having = np.empty(room, dtype=np.int64)
    shares = np.empty(room, dtype=np.int64)
    at = int64(0)
    out_starts[0] = 0
    for g in range(groups):
        if at + width >= room:
            room = 2 * room
            codes, having, shares = _more(codes, room), _more(having, room), _more(shares, room)
        first = at
        total = int64(0)
        e, end = starts[g], starts[g + 1]
        # Codes that are sets by themselves come first, and ascend.
        while e < end and values[e] < width:
            code = int64(values[e])
            codes[at] = code
            at += 1
            total += counts[e]
            owners[code] = counts[e]
            weights[code] = counts[e] * scale
            e += 1
        singles = at
        while e < end and values[e] < sets:
            value = int64(values[e])
            total += counts[e]
            for place in range(set_starts[value], set_starts[value + 1]):
                code = set_codes[place]
                codes[at] = code
                at += int64(owners[code] == 0)
                owners[code] += counts[e]
                weights[code] += counts[e] * set_shares[place]
            e += 1
        while e < end:
            # All pairs of a person are neighbours.
            begin = int64(values[e]) - sets
            person = pair_persons[begin]
            many = int64(1)
            while e + many < end and pair_persons[int64(values[e + many]) - sets] == person:
                many += 1
            total += 1
            part = scale
            for taken in range(many):
                code = pair_codes[int64(values[e + taken]) - sets]
                codes[at] = code
                at += int64(owners[code] == 0)
                owners[code] += 1
                if many > 1:
                    part = (scale * (taken + 1)) // many - (scale * taken) // many
                weights[code] += part
            e += many
        if at > singles:
            if 4 * (at - first) > width:
                at = first
                for code in range(width):
                    codes[at] = code
                    having[at] = owners[code]
                    shares[at] = weights[code]
                    at += int64(owners[code] != 0)
                    owners[code] = 0
                    weights[code] = 0
                people[g] = total
                out_starts[g + 1] = at
                continue
            _sort_codes(codes, first, at)
        for i in range(first, at):
            code = int64(codes[i])
            having[i] = owners[code]
            shares[i] = weights[code]
            owners[code] = 0
            weights[code] = 0
        people[g] = total
        out_starts[g + 1] = at
    return people, out_starts, codes[:at], having[:at], shares[:at]


@kernel(void(CONST_INTS, CONST_SMALL, CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS, INTS))
def people_with(starts, values, counts, set_flags, pair_flags, pair_persons, people):
    """For every class the people who have a code that is flagged, whatever other codes they have.

    ``set_flags`` and ``pair_flags`` are 1 where a set has such a code, or a pair is of one.
    """
    sets = set_flags.shape[0]
    for g in range(starts.shape[0] - 1):
        total = int64(0)
        e, end = starts[g], starts[g + 1]
        while e < end and values[e] < sets:
            total += counts[e] * set_flags[values[e]]
            e += 1
        # All pairs of a person are neighbours.
        counted = int64(-1)
        while e < end:
            pair = int64(values[e]) - sets
            if pair_flags[pair] != 0 and pair_persons[pair] != counted:
                counted = pair_persons[pair]
                total += 1
            e += 1
        people[g] = total
