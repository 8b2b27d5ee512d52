"""The kernels that count distinct people in classes.

Somebody all of whose rows are in one class comes as one of a number of people with the same *set*
of codes; anybody else as one *pair* of person and code after another. Pairs are numbered from
``sets`` up, by person.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, void

from sfumato.classes.kernels.signatures import (
    CONST_INTS,
    CONST_SMALL,
    INTS,
    KERNEL,
    SMALL,
)


@njit(
    void(
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
        int64,
        INTS,
        INTS,
        SMALL,
        INTS,
        INTS,
    ),
    **KERNEL,
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
    persons,
    scale,
    people,
    out_starts,
    out_codes,
    having,
    shares,
):
    """For every class its people, and for every code in it who has it and how much of them.

    A person weighs ``scale``, split equally over their different codes in the class; what does
    not divide evenly is spread by the order of the codes, so that the parts sum to ``scale``.
    """
    sets = set_starts.shape[0] - 1
    owners = np.zeros(width, dtype=np.int64)
    weights = np.zeros(width, dtype=np.int64)
    parts = np.zeros(persons, dtype=np.int64)
    taken = np.zeros(persons, dtype=np.int64)
    at = int64(0)
    out_starts[0] = 0
    for g in range(starts.shape[0] - 1):
        first = at
        total = int64(0)
        for e in range(starts[g], starts[g + 1]):
            value = int64(values[e])
            if value < sets:
                total += counts[e]
                for place in range(set_starts[value], set_starts[value + 1]):
                    code = set_codes[place]
                    if owners[code] == 0:
                        out_codes[at] = code
                        at += 1
                    owners[code] += counts[e]
                    weights[code] += counts[e] * set_shares[place]
            else:
                person = pair_persons[value - sets]
                if parts[person] == 0:
                    total += 1
                parts[person] += 1
        for e in range(starts[g], starts[g + 1]):
            value = int64(values[e])
            if value >= sets:
                person, code = pair_persons[value - sets], pair_codes[value - sets]
                if owners[code] == 0:
                    out_codes[at] = code
                    at += 1
                owners[code] += 1
                many, part = parts[person], taken[person]
                if many == 1:
                    weights[code] += scale
                else:
                    weights[code] += (scale * (part + 1)) // many - (scale * part) // many
                    taken[person] += 1
        for e in range(starts[g], starts[g + 1]):
            if values[e] >= sets:
                person = pair_persons[int64(values[e]) - sets]
                parts[person] = 0
                taken[person] = 0
        ascending = True
        for i in range(first + 1, at):
            ascending = ascending and out_codes[i - 1] < out_codes[i]
        if not ascending:
            out_codes[first:at].sort()
        for i in range(first, at):
            code = int64(out_codes[i])
            having[i] = owners[code]
            shares[i] = weights[code]
            owners[code] = 0
            weights[code] = 0
        people[g] = total
        out_starts[g + 1] = at


@njit(
    void(CONST_INTS, CONST_SMALL, CONST_INTS, CONST_INTS, CONST_INTS, CONST_INTS, int64, INTS),
    **KERNEL,
)
def people_with(starts, values, counts, set_flags, pair_flags, pair_persons, persons, people):
    """For every class the people who have a code that is flagged, whatever other codes they have.

    ``set_flags`` and ``pair_flags`` are 1 where a set has such a code, or a pair is of one.
    """
    sets = set_flags.shape[0]
    seen_in = np.full(persons, -1, dtype=np.int64)
    for g in range(starts.shape[0] - 1):
        total = int64(0)
        for e in range(starts[g], starts[g + 1]):
            value = int64(values[e])
            if value < sets:
                total += counts[e] * set_flags[value]
            elif pair_flags[value - sets] != 0:
                person = pair_persons[value - sets]
                if seen_in[person] != g:
                    seen_in[person] = g
                    total += 1
        people[g] = total
