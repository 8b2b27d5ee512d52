"""The kernels of local recoding: labels, splits, peeling, moves, and ruin and recreate.

The *label* of a class is a row of words (`CellArrays.words`); joining two labels gives the smallest
label that covers both. The *loss* of a label is what it costs one row. All kernels work on whole
cells, release the GIL, and draw from a generator of their own, so that a seed replays a run.

Kernels that call each other live in one file: Numba's disk cache only notices changes of the
kernel's own file.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from sfumato.search.local.cell_arrays import INTERVAL, NODE
from sfumato.search.local.class_rules import (
    DISTINCT,
    ENTROPY,
    EQUAL_T,
    FREQUENCY,
    RECURSIVE,
)

_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
_INNER = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""For what only other kernels call: no code for calls from Python is compiled."""
_INLINE = {**_INNER, "forceinline": True}
"""For what is done to labels: a call would cost more than the work."""
_SLIGHT = 1e-9
"""Less than this is rounding, not an improvement."""
_FEW = 1e-12
_FEW_CELLS = 24
"""So many are sorted in place."""
_START, _SETTLED, _RECREATED = 1, 2, 3
"""When classes and cells were last changed or looked at: before all moves, up to the last of them,
or since then, by ruin and recreate."""


# Labels


@njit(**_INLINE)
def _ones(word):
    bits = np.uint64(word)
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + (
        (bits >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(**_INLINE)
def _set_cell(label, cell, a):
    """Make a label that of one cell."""
    for q in range(a.columns.shape[0]):
        code, at = a.codes[cell, q], a.columns[q].word
        if a.columns[q].kind == NODE:
            label[at] = a.leaves[a.columns[q].leaf + code].node
        elif a.columns[q].kind == INTERVAL:
            if code == a.columns[q].missing:
                label[at], label[at + 1], label[at + 2] = np.int64(1) << np.int64(62), -1, 1
            else:
                label[at], label[at + 1], label[at + 2] = code, code, 0
        else:
            for word in range(at, a.columns[q].word_end):
                label[word] = 0
            label[at + (code >> 6)] = np.int64(1) << np.int64(code & 63)


@njit(**_INLINE)
def _common_node(one, other, a):
    while one != other:
        if a.nodes[one].level < a.nodes[other].level:
            one = a.nodes[one].parent
        elif a.nodes[other].level < a.nodes[one].level:
            other = a.nodes[other].parent
        else:
            one, other = a.nodes[one].parent, a.nodes[other].parent
    return one


@njit(**_INLINE)
def _join(label, other, a):
    """Widen a label until it covers the other."""
    for q in range(a.columns.shape[0]):
        at = a.columns[q].word
        if a.columns[q].kind == NODE:
            label[at] = _common_node(label[at], other[at], a)
        elif a.columns[q].kind == INTERVAL:
            label[at] = min(label[at], other[at])
            label[at + 1] = max(label[at + 1], other[at + 1])
            label[at + 2] = max(label[at + 2], other[at + 2])
        else:
            for word in range(at, a.columns[q].word_end):
                label[word] |= other[word]


@njit(**_INLINE)
def _interval_extent(first, last, missing, q, a):
    """Return the number of domain values from one leaf to another, less one."""
    if last < 0:
        return 0
    return last + a.leaves[a.columns[q].leaf + last].width - 1 - first + missing


@njit(**_INLINE)
def _set_extent(label, q, a):
    size = 0
    leaves = a.columns[q].leaf
    plain = a.columns[q].plain
    for word in range(a.columns[q].word, a.columns[q].word_end):
        if plain:
            size += _ones(label[word])
        else:
            bits = np.uint64(label[word])
            at = leaves + 64 * (word - a.columns[q].word)
            while bits != 0:
                if bits & np.uint64(1):
                    size += a.leaves[at].width
                bits >>= np.uint64(1)
                at += 1
    return size - 1


@njit(**_INLINE)
def _loss(label, a):
    """Return what a label costs a row."""
    total = 0.0
    for q in range(a.columns.shape[0]):
        at = a.columns[q].word
        if a.columns[q].kind == NODE:
            extent = a.nodes[label[at]].extent
        elif a.columns[q].kind == INTERVAL:
            extent = _interval_extent(label[at], label[at + 1], label[at + 2], q, a)
        else:
            extent = _set_extent(label, q, a)
        total += extent * a.columns[q].cost
    return total


@njit(**_INLINE)
def _added(label, q, cell, a):
    """Return what a cell adds to the loss of a label in one column."""
    code, at = a.codes[cell, q], a.columns[q].word
    if a.columns[q].kind == NODE:
        before = label[at]
        leaf = a.leaves[a.columns[q].leaf + code].node
        while a.nodes[leaf].level < a.nodes[before].level:
            leaf = a.nodes[leaf].parent
        if leaf == before:
            return 0.0
        extent = a.nodes[_common_node(before, leaf, a)].extent - a.nodes[before].extent
    elif a.columns[q].kind == INTERVAL:
        first, last, missing = label[at], label[at + 1], label[at + 2]
        if code == a.columns[q].missing:
            if missing:
                return 0.0
            after = _interval_extent(first, last, 1, q, a)
        else:
            if first <= code <= last:
                return 0.0
            after = _interval_extent(min(first, code), max(last, code), missing, q, a)
        extent = after - _interval_extent(first, last, missing, q, a)
    else:
        if (label[at + (code >> 6)] >> (code & 63)) & 1:
            return 0.0
        extent = a.leaves[a.columns[q].leaf + code].width
    return extent * a.columns[q].cost


@njit(**_INLINE)
def _loss_with(label, loss, cell, limit, a):
    """Return the loss of a label, ``loss``, once a cell joins it; infinite above the limit."""
    for q in range(a.columns.shape[0]):
        loss += _added(label, q, cell, a)
        if loss > limit:
            return np.inf
    return loss


@njit(**_INLINE)
def _joined_loss(one, other, limit, a):
    """Return the loss of two labels together; infinite above the limit."""
    total = 0.0
    for q in range(a.columns.shape[0]):
        at = a.columns[q].word
        if a.columns[q].kind == NODE:
            extent = a.nodes[_common_node(one[at], other[at], a)].extent
        elif a.columns[q].kind == INTERVAL:
            extent = _interval_extent(
                min(one[at], other[at]),
                max(one[at + 1], other[at + 1]),
                max(one[at + 2], other[at + 2]),
                q,
                a,
            )
        else:
            size = 0
            if a.columns[q].plain:
                for word in range(at, a.columns[q].word_end):
                    size += _ones(one[word] | other[word])
                extent = size - 1
            else:
                extent = _set_extent(one | other, q, a)
        total += extent * a.columns[q].cost
        if total > limit:
            return np.inf
    return total


@njit(**_INLINE)
def _cost(size, loss, a):
    """Return the cost of a class: the loss of its rows, unless the search is steered otherwise."""
    if a.steering.shape[0] == 0:
        return size * loss
    return size * (loss + a.steering[0] * loss * loss + a.steering[1] * size)


@njit(**_INLINE)
def _affordable(cost, size, a):
    """Return the greatest loss at which a class of so many rows costs no more."""
    loss = cost / size
    if a.steering.shape[0] == 0:
        return loss
    loss -= a.steering[1] * size
    if a.steering[0] > 0.0:
        loss = (np.sqrt(max(0.0, 1.0 + 4.0 * a.steering[0] * loss)) - 1.0) / (2.0 * a.steering[0])
    # A hair more, so that rounding never rules out what costs exactly so much.
    return loss * (1.0 + _FEW) + _FEW


@njit(**_OPTIONS)
def class_losses(class_of, classes, a):
    """Return the loss of a row in every class, and the rows of every class."""
    words = a.columns[-1].word_end
    labels = np.zeros((classes, words), dtype=np.int64)
    sizes = np.zeros(classes, dtype=np.int64)
    cell_label = np.empty(words, dtype=np.int64)
    for cell in range(class_of.shape[0]):
        c = class_of[cell]
        if c < 0:
            continue
        if sizes[c] == 0:
            _set_cell(labels[c], cell, a)
        else:
            _set_cell(cell_label, cell, a)
            _join(labels[c], cell_label, a)
        sizes[c] += a.sizes[cell]
    losses = np.empty(classes)
    for c in range(classes):
        losses[c] = _loss(labels[c], a)
    return losses, sizes


# Criteria


@njit(**_INNER)
def _lack(rule, counts, size, r):
    """Return how far the counts of a class are from meeting a rule; 0 or less if they do."""
    first, end = r.rules[rule].first, r.rules[rule].end
    bound = r.rules[rule].bound
    kind = r.rules[rule].kind
    unknown = r.rules[rule].unknown
    known = size - counts[unknown] if unknown >= 0 else size
    if kind <= RECURSIVE and known <= 0:
        return bound
    if kind == DISTINCT:
        distinct = 0
        for v in range(first, end):
            if counts[v] > 0 and v != unknown:
                distinct += 1
        return bound - distinct
    if kind == FREQUENCY:
        most = 0
        for v in range(first, end):
            if v != unknown:
                most = max(most, counts[v])
        return bound * most * (1 - _FEW) / known - 1
    if kind == ENTROPY:
        entropy = 0.0
        for v in range(first, end):
            if counts[v] > 0 and v != unknown:
                share = counts[v] / known
                entropy -= share * np.log(share)
        return bound - np.exp(entropy) * (1 + _FEW)
    if kind == RECURSIVE:
        ranked = counts[first:end].copy()
        if unknown >= 0:
            ranked[unknown - first] = 0
        ranked = np.sort(ranked)[::-1]
        place = np.int64(bound) - 1
        if place >= ranked.shape[0]:
            return np.inf
        tail = 0
        for v in range(place, ranked.shape[0]):
            tail += ranked[v]
        # Met only if the most frequent value is less frequent than that; in whole numbers.
        under = r.rules[rule].under
        short = ranked[0] * under - r.rules[rule].over * tail
        return short / (size * under) if short > 0 else (_SLIGHT if short == 0 else 0.0)
    distance = 0.0
    if kind == EQUAL_T:
        for v in range(first, end):
            distance += max(counts[v] / size - r.shares[v], 0.0)
    else:
        difference = 0.0
        for v in range(first, end):
            difference += counts[v] / size - r.shares[v]
            distance += abs(difference)
        distance /= max(1, end - first - 1)
    return distance * (1 - _FEW) - bound


@njit(**_INNER)
def _lacks(counts, size, r):
    """Return how far counts are from meeting all rules together; 0 if they do."""
    total = 0.0
    for rule in range(r.rules.shape[0]):
        total += max(0.0, _lack(rule, counts, size, r))
    return total


@njit(**_INNER)
def _count(cell, sign, counts, r):
    """Add the sensitive values of a cell to counts, or take them away."""
    if r.rules.shape[0] == 0:
        return
    for entry in range(r.starts[cell], r.starts[cell + 1]):
        for column in range(r.values.shape[0]):
            counts[r.values[column, entry]] += sign * r.counts[entry]


@njit(**_INNER)
def _new_values(cell, counts, r):
    """Return how many sensitive values of a cell are not yet among the counts."""
    new = 0
    for entry in range(r.starts[cell], r.starts[cell + 1]):
        for column in range(r.values.shape[0]):
            if counts[r.values[column, entry]] == 0:
                new += 1
    return new


@njit(**_INNER)
def _meets(cells, length, size, counts, r):
    """Say whether some cells, of so many rows, are a class that meets all criteria."""
    if size < r.k:
        return False
    if r.rules.shape[0] == 0:
        return True
    counts[:] = 0
    for place in range(length):
        _count(cells[place], 1, counts, r)
    return _lacks(counts, size, r) == 0.0


# Top-down


@njit(**_INNER)
def _sort_by_leaf(cells, length, q, sorted_cells, ends, a):
    """Sort the first cells by their leaf in a column; those of one leaf keep their order."""
    leaves = ends.shape[0]
    if length <= _FEW_CELLS:
        for i in range(1, length):
            cell = cells[i]
            code = a.codes[cell, q]
            j = i
            while j > 0 and a.codes[cells[j - 1], q] > code:
                cells[j] = cells[j - 1]
                j -= 1
            cells[j] = cell
        return
    if leaves > length:
        keys = np.empty(length, dtype=np.int64)
        for i in range(length):
            keys[i] = a.codes[cells[i], q]
        order = np.argsort(keys, kind="mergesort")
        for i in range(length):
            sorted_cells[i] = cells[order[i]]
    else:
        ends[:] = 0
        for i in range(length):
            ends[a.codes[cells[i], q]] += 1
        total = 0
        for code in range(leaves):
            total += ends[code]
            ends[code] = total
        for i in range(length - 1, -1, -1):
            code = a.codes[cells[i], q]
            ends[code] -= 1
            sorted_cells[ends[code]] = cells[i]
    cells[:length] = sorted_cells[:length]


@njit(**_INNER)
def _group(cells, length, q, groups, ends, a):
    """Sort cells by their leaf in a column, and join those of one leaf; return how many there are.

    ``groups`` has the labels, the rows, the first places and the leaves of the groups.
    """
    labels, rows, first, leaf, cell_label, sorted_cells = groups
    _sort_by_leaf(cells, length, q, sorted_cells, ends, a)
    count = 0
    for i in range(length):
        cell = cells[i]
        if i == 0 or a.codes[cell, q] != leaf[count - 1]:
            _set_cell(labels[count], cell, a)
            rows[count], first[count], leaf[count] = a.sizes[cell], i, a.codes[cell, q]
            count += 1
        else:
            _set_cell(cell_label, cell, a)
            _join(labels[count - 1], cell_label, a)
            rows[count - 1] += a.sizes[cell]
    first[count] = length
    return count


@njit(**_INNER)
def _count_range(cells, first, end, counts, r):
    """Add the sensitive values of the cells of a range of places to counts."""
    for place in range(first, end):
        _count(cells[place], 1, counts, r)


@njit(**_INNER)
def _both_meet(rows, counts, total, total_counts, others, r):
    """Say whether a part of some rows and the rest of them both meet the criteria."""
    if rows < r.k or total - rows < r.k:
        return False
    if r.rules.shape[0] == 0:
        return True
    if _lacks(counts, rows, r) > 0.0:
        return False
    others[:] = total_counts - counts
    return _lacks(others, total - rows, r) == 0.0


@njit(**_OPTIONS)
def top_down(cells, a, r):
    """Split cells again and again by the split that loses least; return a class for each.

    A split is a range of neighbouring values of one column against all others: a threshold, one
    value, or a node of the hierarchy against the rest. Both sides must meet the criteria.
    """
    n, columns = cells.shape[0], a.columns.shape[0]
    words = a.columns[-1].word_end
    order = cells.copy()
    class_of = np.empty(n, dtype=np.int64)
    place_of = np.empty(a.codes.shape[0], dtype=np.int64)
    for i in range(n):
        place_of[cells[i]] = i
    stack = np.empty((n + 1, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = 0, n
    waiting, classes, ruled = 1, 0, r.rules.shape[0] > 0
    before = np.empty((n + 1, words), dtype=np.int64)
    behind = np.empty((n + 1, words), dtype=np.int64)
    before_loss, behind_loss = np.empty(n + 1), np.empty(n + 1)
    labels = np.empty((n + 1, words), dtype=np.int64)
    rows = np.empty(n + 1, dtype=np.int64)
    reached = np.empty(n + 1, dtype=np.int64)
    first = np.empty(n + 2, dtype=np.int64)
    leaf = np.empty(n + 1, dtype=np.int64)
    outside = np.empty(words, dtype=np.int64)
    inside = np.empty(words, dtype=np.int64)
    scratch = np.empty(n, dtype=np.int64)
    counts = np.zeros(r.shares.shape[0], dtype=np.int64)
    total_counts, rest_counts = np.zeros_like(counts), np.zeros_like(counts)
    groups = (labels, rows, first, leaf, np.empty(words, dtype=np.int64), scratch.copy())
    ends = np.empty(a.leaves.shape[0], dtype=np.int64)
    while waiting > 0:
        waiting -= 1
        low, high = stack[waiting, 0], stack[waiting, 1]
        own = order[low:high]
        total = 0
        for i in range(high - low):
            total += a.sizes[own[i]]
        total_counts[:] = 0
        if ruled:
            _count_range(own, 0, high - low, total_counts, r)
        best, best_column, best_from, best_to = np.inf, -1, 0, 0
        for q in range(columns if total >= 2 * r.k else 0):
            last_leaf = a.columns[q + 1].leaf if q + 1 < columns else a.leaves.shape[0]
            own_ends = ends[: last_leaf - a.columns[q].leaf]
            count = _group(own, high - low, q, groups, own_ends, a)
            if count < 2:
                continue
            before[0] = labels[0]
            before_loss[0] = _loss(labels[0], a)
            reached[0] = rows[0]
            for g in range(1, count):
                before[g] = before[g - 1]
                _join(before[g], labels[g], a)
                before_loss[g] = _loss(before[g], a)
                reached[g] = reached[g - 1] + rows[g]
            behind[count - 1] = labels[count - 1]
            behind_loss[count - 1] = _loss(labels[count - 1], a)
            for g in range(count - 2, -1, -1):
                behind[g] = behind[g + 1]
                _join(behind[g], labels[g], a)
                behind_loss[g] = _loss(behind[g], a)
            counts[:] = 0
            for g in range(count - 1):
                left = reached[g]
                if ruled:
                    _count_range(own, first[g], first[g + 1], counts, r)
                value = _cost(left, before_loss[g], a) + _cost(total - left, behind_loss[g + 1], a)
                if value < best and _both_meet(left, counts, total, total_counts, rest_counts, r):
                    best, best_column, best_from, best_to = value, q, leaf[0], leaf[g]
            # One value, then one node of each level, against the rest.
            climbed, blocks = 0, count
            while blocks > 2:
                g, blocks = 0, 0
                while g < count:
                    node = a.leaves[a.columns[q].leaf + leaf[g]].node
                    for _ in range(climbed):
                        if a.nodes[node].parent >= 0:
                            node = a.nodes[node].parent
                    end = g + 1
                    inside[:] = labels[g]
                    while end < count:
                        other = a.leaves[a.columns[q].leaf + leaf[end]].node
                        for _ in range(climbed):
                            if a.nodes[other].parent >= 0:
                                other = a.nodes[other].parent
                        if other != node:
                            break
                        _join(inside, labels[end], a)
                        end += 1
                    blocks += 1
                    size = reached[end - 1] - (reached[g - 1] if g > 0 else 0)
                    if g > 0 and end < count and size >= r.k and total - size >= r.k:
                        outside[:] = before[g - 1]
                        _join(outside, behind[end], a)
                        value = _cost(size, _loss(inside, a), a)
                        value += _cost(total - size, _loss(outside, a), a)
                        if value < best:
                            counts[:] = 0
                            _count_range(own, first[g], first[end], counts, r)
                            if _both_meet(size, counts, total, total_counts, rest_counts, r):
                                best, best_column = value, q
                                best_from, best_to = leaf[g], leaf[end - 1]
                    g = end
                climbed += 1
        if best_column < 0:
            for i in range(high - low):
                class_of[place_of[own[i]]] = classes
            classes += 1
            continue
        middle, others = low, 0
        for i in range(low, high):
            cell = order[i]
            if best_from <= a.codes[cell, best_column] <= best_to:
                order[middle] = cell
                middle += 1
            else:
                scratch[others] = cell
                others += 1
        for i in range(others):
            order[middle + i] = scratch[i]
        stack[waiting, 0], stack[waiting, 1] = low, middle
        stack[waiting + 1, 0], stack[waiting + 1, 1] = middle, high
        waiting += 2
    return class_of, classes


# Peeling


@njit(**_OPTIONS)
def peel(nodes, blocks, counts_of_blocks, a, r, most_visits):
    """Visit nodes of the lattice in their order, and take every class that meets the criteria.

    ``blocks[q, level, leaf]`` is a block and ``counts_of_blocks[q, level]`` their number. Cells
    that no node takes have the class -1. After ``most_visits`` cells were looked at, only the
    last node, where all cells are one class, is visited.
    """
    n, columns = a.codes.shape
    left = np.arange(n)
    codes = a.codes.T.copy()
    length = n
    class_of = np.full(n, -1, dtype=np.int64)
    classes = 0
    room = 1
    while room < 2 * n:
        room *= 2
    keys, stamps = np.empty(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    rows = np.empty(room, dtype=np.int64)
    taken, heads = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    following = np.empty(n, dtype=np.int64)
    slot, key = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    sizes = a.sizes.copy()
    gathered = np.empty(n, dtype=np.int64)
    value_counts = np.empty(r.shares.shape[0], dtype=np.int64)
    visits, last, ruled = 0, nodes.shape[0] - 1, r.rules.shape[0] > 0
    for number in range(nodes.shape[0]):
        if length == 0:
            break
        if visits > most_visits and number < last:
            continue
        visits += length
        for j in range(length):
            key[j] = 0
        for q in range(columns):
            level = nodes[number, q]
            of_leaf, factor = blocks[q, level], counts_of_blocks[q, level]
            if factor == 1:
                continue
            column = codes[q]
            for j in range(length):
                key[j] = key[j] * factor + of_leaf[column[j]]
        stamp = number + 1
        found = False
        while room > 4 * length:
            room //= 2
        for j in range(length):
            own = key[j]
            h = own * np.int64(-7046029254386353131)
            h = (h ^ (h >> np.int64(29))) & (room - 1)
            while stamps[h] == stamp and keys[h] != own:
                h = (h + 1) & (room - 1)
            if stamps[h] != stamp:
                stamps[h], keys[h], rows[h], taken[h] = stamp, own, 0, -1
                if ruled:
                    heads[h] = -1
            rows[h] += sizes[j]
            slot[j] = h
            if ruled:
                following[j], heads[h] = heads[h], j
            found = found or rows[h] >= r.k
        if not found:
            continue
        if ruled:
            # Each large enough group once; marked -2 if it fails.
            for j in range(length):
                h = slot[j]
                if rows[h] >= r.k and taken[h] == -1:
                    many, i = 0, heads[h]
                    while i >= 0:
                        gathered[many] = left[i]
                        many += 1
                        i = following[i]
                    taken[h] = -3 if _meets(gathered, many, rows[h], value_counts, r) else -2
        remaining = 0
        for j in range(length):
            h = slot[j]
            if rows[h] >= r.k and taken[h] != -2:
                if taken[h] < 0:
                    taken[h] = classes
                    classes += 1
                class_of[left[j]] = taken[h]
            else:
                left[remaining], sizes[remaining] = left[j], sizes[j]
                for q in range(columns):
                    codes[q, remaining] = codes[q, j]
                remaining += 1
        length = remaining
    return class_of, classes


# Moves


@njit(**_INNER)
def _uniform(state):
    """Return a random number from 0 up to 1 (xorshift64)."""
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return (word >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(**_INNER)
def _unlink(i, c, s):
    if s.members[i].previous >= 0:
        s.members[s.members[i].previous].following = s.members[i].following
    else:
        s.classes[c].head = s.members[i].following
    if s.members[i].following >= 0:
        s.members[s.members[i].following].previous = s.members[i].previous


@njit(**_INNER)
def _link(i, c, s):
    s.members[i].following, s.members[i].previous = s.classes[c].head, -1
    if s.classes[c].head >= 0:
        s.members[s.classes[c].head].previous = i
    s.classes[c].head = i
    s.members[i].owner = c


@njit(**_INNER)
def _add(cell, c, s, scratch, a, r):
    """Add the rows of a cell to a class, and widen its label."""
    _count(cell, 1, s.counts[c], r)
    _set_cell(scratch, cell, a)
    _join(s.labels[c], scratch, a)
    s.classes[c].size += a.sizes[cell]
    s.classes[c].loss = _loss(s.labels[c], a)


@njit(**_OPTIONS)
def start_chunk(s, classes, a, r):
    """Fill the state of a chunk from its cells and their classes."""
    scratch = np.empty(a.columns[-1].word_end, dtype=np.int64)
    for i in range(s.members.shape[0]):
        c, cell = s.members[i].owner, s.members[i].cell
        if s.classes[c].size == 0:
            _set_cell(s.labels[c], cell, a)
            s.classes[c].size = a.sizes[cell]
        else:
            _set_cell(scratch, cell, a)
            _join(s.labels[c], scratch, a)
            s.classes[c].size += a.sizes[cell]
        _count(cell, 1, s.counts[c], r)
        _link(i, c, s)
    for c in range(classes):
        s.classes[c].loss = _loss(s.labels[c], a)
    room = s.classes.shape[0]
    for c in range(room):
        s.classes[c].changed = _START
    for c in range(room - 1, classes - 1, -1):
        s.free[s.counters[0]] = c
        s.counters[0] += 1
    s.counters[1] = classes


@njit(**_INNER)
def _label_without(i, c, label, scratch, s, a):
    """Make ``label`` that of a class without one of its cells; False if nothing is left."""
    empty = True
    j = s.classes[c].head
    while j >= 0:
        if j != i:
            if empty:
                _set_cell(label, s.members[j].cell, a)
                empty = False
            else:
                _set_cell(scratch, s.members[j].cell, a)
                _join(label, scratch, a)
        j = s.members[j].following
    return not empty


@njit(**_INNER)
def _takes(c, cell, s, a, r):
    """Say whether a class that gets one more cell meets the criteria."""
    if r.rules.shape[0] == 0:
        return True
    _count(cell, 1, s.counts[c], r)
    lacking = _lacks(s.counts[c], s.classes[c].size + a.sizes[cell], r)
    _count(cell, -1, s.counts[c], r)
    return lacking == 0.0


@njit(**_INNER)
def _spares(c, i, s, a, r):
    """Say whether a class without one of its cells meets the criteria."""
    cell = s.members[i].cell
    size = s.classes[c].size - a.sizes[cell]
    if size < r.k:
        return False
    if r.rules.shape[0] == 0:
        return True
    _count(cell, -1, s.counts[c], r)
    lacking = _lacks(s.counts[c], size, r)
    _count(cell, 1, s.counts[c], r)
    return lacking == 0.0


@njit(**_INNER)
def _best_class(cell, skipped, limit, since, s, a, r):
    """Return the class that a cell joins at the least cost below a limit, and that cost.

    Only classes that changed at ``since`` or later are looked at; -1 if none is below the limit.
    Classes are alike if their numbers are near: so those around ``skipped`` come first.
    """
    size, found = a.sizes[cell], -1
    for turn in range(2, 2 * max(skipped, s.counters[1] - 1 - skipped) + 2):
        c = skipped + (turn >> 1 if turn & 1 else -(turn >> 1))
        if c < 0 or c >= s.counters[1]:
            continue
        if s.classes[c].changed < since or s.classes[c].size == 0:
            continue
        loss = s.classes[c].loss
        own, rows = _cost(s.classes[c].size, loss, a), s.classes[c].size + size
        if _cost(rows, loss, a) - own >= limit:
            continue
        after = _loss_with(s.labels[c], loss, cell, _affordable(limit + own, rows, a), a)
        if after == np.inf:
            continue
        cost = _cost(rows, after, a) - own
        if cost < limit and _takes(c, cell, s, a, r):
            limit, found = cost, c
    return found, limit


@njit(**_INNER)
def _gather(c, gathered, behind, s, a):
    """Gather the cells of a class, and join all from each on; return how many there are."""
    length = 0
    i = s.classes[c].head
    while i >= 0:
        gathered[length] = i
        length += 1
        i = s.members[i].following
    for place in range(length - 1, -1, -1):
        _set_cell(behind[place], s.members[gathered[place]].cell, a)
        if place < length - 1:
            _join(behind[place], behind[place + 1], a)
    return length


@njit(**_INNER)
def _may_move(c, clock, seen, s, a, r):
    """Say whether a class can spare a cell, and something has changed since it was looked at."""
    i = s.classes[c].head
    while i >= 0:
        spared = s.classes[c].size - a.sizes[s.members[i].cell] >= r.k
        if spared and (clock[0] >= seen[i] or s.classes[c].changed >= seen[i]):
            return True
        i = s.members[i].following
    return False


@njit(**_INNER)
def _move_cells(s, clock, seen, gathered, behind, a, r):
    """Move every cell to the class where it costs least, while that lowers the loss."""
    words = a.columns[-1].word_end
    label, scratch = np.empty(words, dtype=np.int64), np.empty(words, dtype=np.int64)
    ahead = np.empty(words, dtype=np.int64)
    moved = 0
    for c in range(s.counters[1]):
        if s.classes[c].size == 0 or not _may_move(c, clock, seen, s, a, r):
            continue
        length, place = _gather(c, gathered, behind, s, a), 0
        while length > 1 and place < length:
            i = gathered[place]
            cell, target = s.members[i].cell, -1
            since = seen[i] if s.classes[c].changed < seen[i] else np.int64(0)
            if clock[0] >= since and _spares(c, i, s, a, r):
                # The label without the cell: that of all ahead of it and all behind it.
                label[:] = behind[place + 1] if place + 1 < length else ahead
                if 0 < place < length - 1:
                    _join(label, ahead, a)
                loss, size = _loss(label, a), a.sizes[cell]
                left = s.classes[c].size - size
                gain = _cost(s.classes[c].size, s.classes[c].loss, a)
                gain -= _cost(left, loss, a) + _SLIGHT
                seen[i] = clock[0] + 1
                if gain > 0:
                    target, _ = _best_class(cell, c, gain, since, s, a, r)
                if target >= 0:
                    _unlink(i, c, s)
                    _count(cell, -1, s.counts[c], r)
                    s.classes[c].size = left
                    s.labels[c], s.classes[c].loss = label, loss
                    _add(cell, target, s, scratch, a, r)
                    _link(i, target, s)
                    clock[0] += 1
                    s.classes[c].changed = s.classes[target].changed = clock[0]
                    moved += 1
                    length -= 1
                    for later in range(place, length):
                        gathered[later], behind[later] = gathered[later + 1], behind[later + 1]
            if target < 0:
                _set_cell(scratch, cell, a)
                if place:
                    _join(ahead, scratch, a)
                else:
                    ahead[:] = scratch
                place += 1
    return moved


@njit(**_INNER)
def _give_away(c, withheld, budget, time, labels, losses, targets, members, s, a, r):
    """Give the cells of a class, but for one, to others at less than a cost; the class is gone.

    False if that costs more: then nothing has changed.
    """
    scratch = np.empty(a.columns[-1].word_end, dtype=np.int64)
    length, spent = 0, 0.0
    i = s.classes[c].head
    while i >= 0:
        if i != withheld:
            cell = s.members[i].cell
            target, cost = _best_class(cell, c, budget - spent, 0, s, a, r)
            if target < 0:
                break
            spent += cost
            labels[length], losses[length] = s.labels[target], s.classes[target].loss
            targets[length], members[length] = target, i
            length += 1
            _add(cell, target, s, scratch, a, r)
        i = s.members[i].following
    if i >= 0:
        for place in range(length - 1, -1, -1):
            target = targets[place]
            s.labels[target], s.classes[target].loss = labels[place], losses[place]
            cell = s.members[members[place]].cell
            s.classes[target].size -= a.sizes[cell]
            _count(cell, -1, s.counts[target], r)
        return False
    for place in range(length):
        _unlink(members[place], c, s)
        _link(members[place], targets[place], s)
        s.classes[targets[place]].changed = time
    s.classes[c].size, s.classes[c].loss, s.classes[c].head = 0, 0.0, -1
    s.counts[c] = 0
    s.free[s.counters[0]] = c
    s.counters[0] += 1
    return True


@njit(**_INNER)
def _dissolve_classes(s, clock, seen, a, r):
    """Give the cells of a class to others, where that lowers the loss.

    A class that fails a criterion is dissolved at any cost.
    """
    n, words = s.members.shape[0], a.columns[-1].word_end
    labels, losses = np.empty((n, words), dtype=np.int64), np.empty(n)
    targets, members = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    dissolved = 0
    for c in range(s.counters[1]):
        if s.classes[c].size == 0 or seen[c] > s.classes[c].changed:
            continue
        seen[c] = clock[0] + 1
        must = s.classes[c].size < r.k or _lacks(s.counts[c], s.classes[c].size, r) > 0.0
        budget = np.inf if must else _cost(s.classes[c].size, s.classes[c].loss, a) - _SLIGHT
        if budget <= 0:
            continue
        time = clock[0] + 1
        if _give_away(c, -1, budget, time, labels, losses, targets, members, s, a, r):
            clock[0] = time
            dissolved += 1
    return dissolved


@njit(**_OPTIONS)
def move(s, passes, settled, a, r):
    """Move cells and dissolve classes until nothing improves, or for so many passes.

    Where the classes are ``settled``, nothing improved before: then only classes that have to be
    dissolved or were recreated, and what that changes, are looked at.
    """
    n = s.members.shape[0]
    seen_cells = np.zeros(n, dtype=np.int64)
    seen_classes = np.zeros(s.classes.shape[0], dtype=np.int64)
    gathered = np.empty(n, dtype=np.int64)
    behind = np.empty((n, a.columns[-1].word_end), dtype=np.int64)
    clock = np.full(1, _START, dtype=np.int64)
    for c in range(s.counters[1]):
        clock[0] = max(clock[0], s.classes[c].changed)
    if settled:
        seen_cells[:] = _SETTLED
        for c in range(s.classes.shape[0]):
            met = s.classes[c].size >= r.k and _lacks(s.counts[c], s.classes[c].size, r) == 0.0
            seen_classes[c] = _SETTLED if met else 0
    for _ in range(passes):
        dissolved = _dissolve_classes(s, clock, seen_classes, a, r)
        moved = _move_cells(s, clock, seen_cells, gathered, behind, a, r)
        if moved + dissolved == 0:
            break


# Ruin and recreate


@njit(**_INNER)
def _nearest(c, wanted, found, costs, s, a):
    """Find the classes that are merged with a class at the least cost; return how many."""
    count = 0
    for turn in range(2, 2 * max(c, s.counters[1] - 1 - c) + 2):
        other = c + (turn >> 1 if turn & 1 else -(turn >> 1))
        if other < 0 or other >= s.counters[1] or s.classes[other].size == 0:
            continue
        own = _cost(s.classes[c].size, s.classes[c].loss, a)
        own += _cost(s.classes[other].size, s.classes[other].loss, a)
        size = s.classes[c].size + s.classes[other].size
        limit = np.inf if count < wanted else _affordable(costs[count - 1] + own, size, a)
        loss = _joined_loss(s.labels[c], s.labels[other], limit, a)
        if loss == np.inf:
            continue
        cost = _cost(size, loss, a) - own
        if count == wanted and cost >= costs[count - 1]:
            continue
        if count < wanted:
            count += 1
        place = count - 1
        while place > 0 and costs[place - 1] > cost:
            costs[place], found[place] = costs[place - 1], found[place - 1]
            place -= 1
        costs[place], found[place] = cost, other
    return count


@njit(**_INNER)
def _add_again(pool, many, before, label, p, a):
    """Compute anew what the cells that are left add to a label that was widened."""
    for q in range(a.columns.shape[0]):
        changed = False
        for word in range(a.columns[q].word, a.columns[q].word_end):
            changed = changed or before[word] != label[word]
        if not changed:
            continue
        for place in range(many):
            i = p.left[place]
            p.added[i] += _added(label, q, pool[i], a) - _added(before, q, pool[i], a)


@njit(**_INNER)
def _recreate(pool, length, p, join_rest, state, scratch, counts, a, r):
    """Form new classes of some cells: from a seed, the cell that costs least, until it is enough.

    What is left joins the class where it costs least, or has the class -1. Returns the number of
    classes and their loss, infinite if there is none that meets the criteria.
    """
    left = 0
    for i in range(length):
        p.used[i] = False
        left += a.sizes[pool[i]]
    classes, last, ruled = 0, -1, r.rules.shape[0] > 0
    distinct = True
    for rule in range(r.rules.shape[0]):
        distinct = distinct and r.rules[rule].kind == DISTINCT and r.rules[rule].unknown < 0
    before = np.empty_like(scratch)
    while left >= r.k:
        seed = np.int64(_uniform(state) * length)
        while p.used[seed]:
            seed = seed + 1 if seed + 1 < length else 0
        if last >= 0 and _uniform(state) < 0.5:
            farthest, label = -1.0, p.labels[last]
            for i in range(length):
                if not p.used[i]:
                    loss = _loss_with(label, 0.0, pool[i], np.inf, a)
                    if loss > farthest:
                        farthest, seed = loss, i
        c, loss, label = classes, 0.0, p.labels[classes]
        _set_cell(label, pool[seed], a)
        p.sizes[c] = a.sizes[pool[seed]]
        p.used[seed], p.class_of[seed] = True, c
        left -= p.sizes[c]
        if ruled:
            counts[:] = 0
            _count(pool[seed], 1, counts, r)
        many = 0
        for i in range(length):
            if not p.used[i]:
                p.left[many], p.added[i] = i, _loss_with(label, 0.0, pool[i], np.inf, a)
                many += 1
        while True:
            best, chosen = np.inf, -1
            # Once there are enough rows, what lacks is in the sensitive values.
            lacking = _lacks(counts, p.sizes[c], r) if ruled and p.sizes[c] >= r.k else 0.0
            enough = p.sizes[c] >= r.k and lacking == 0.0
            if enough:
                break
            own, chosen_place = _cost(p.sizes[c], loss, a), -1
            for place in range(many):
                i = p.left[place]
                size = a.sizes[pool[i]]
                after = loss + p.added[i]
                cost = _cost(p.sizes[c] + size, after, a) - own
                cost *= 1.0 + 0.3 * _uniform(state)
                if lacking > 0.0:
                    if distinct:
                        helped = min(lacking, _new_values(pool[i], counts, r))
                    else:
                        _count(pool[i], 1, counts, r)
                        helped = lacking - _lacks(counts, p.sizes[c] + size, r)
                        _count(pool[i], -1, counts, r)
                    cost = (cost + _SLIGHT) / max(helped, 1e-3 * lacking)
                if cost < best:
                    best, chosen, chosen_place = cost, i, place
            if chosen < 0:
                break
            many -= 1
            p.left[chosen_place] = p.left[many]
            if p.added[chosen] != 0.0:
                before[:] = label
                _set_cell(scratch, pool[chosen], a)
                _join(label, scratch, a)
                loss = _loss(label, a)
                _add_again(pool, many, before, label, p, a)
            p.sizes[c] += a.sizes[pool[chosen]]
            p.used[chosen], p.class_of[chosen] = True, c
            left -= a.sizes[pool[chosen]]
            if ruled:
                _count(pool[chosen], 1, counts, r)
        p.losses[c] = loss
        if not enough:
            # All that was left, and it is not enough: it goes to the others.
            for i in range(length):
                if p.class_of[i] == c and p.used[i]:
                    p.used[i] = False
            break
        last = c
        classes += 1
    if classes == 0:
        return 0, np.inf
    for i in range(length):
        if p.used[i]:
            continue
        p.class_of[i] = -1
        if not join_rest:
            continue
        size, best, chosen, chosen_loss = a.sizes[pool[i]], np.inf, -1, 0.0
        for c in range(classes):
            after = _loss_with(p.labels[c], p.losses[c], pool[i], np.inf, a)
            cost = _cost(p.sizes[c] + size, after, a) - _cost(p.sizes[c], p.losses[c], a)
            if cost < best:
                best, chosen, chosen_loss = cost, c, after
        _set_cell(scratch, pool[i], a)
        _join(p.labels[chosen], scratch, a)
        p.sizes[chosen] += size
        p.losses[chosen], p.class_of[i], p.used[i] = chosen_loss, chosen, True
    total = 0.0
    for c in range(classes):
        total += _cost(p.sizes[c], p.losses[c], a)
    return classes, total


@njit(**_OPTIONS)
def grow(cells, p, seed, a, r):
    """Form classes of some cells, each grown from a seed; return the number, 0 if none is met."""
    state = np.array([np.uint64(seed) * np.uint64(2654435761) + np.uint64(88172645463325252)])
    scratch = np.empty(a.columns[-1].word_end, dtype=np.int64)
    counts = np.empty(r.shares.shape[0], dtype=np.int64)
    found, _ = _recreate(cells, cells.shape[0], p, False, state, scratch, counts, a, r)
    return found


@njit(**_INNER)
def _pool_members(p, length, pool, c, skipped, gathered):
    many = 0
    for j in range(length):
        if j != skipped and p.class_of[j] == c:
            gathered[many] = pool[j]
            many += 1
    return many


@njit(**_INNER)
def _polish(pool, length, classes, p, label, scratch, gathered, counts, a, r):
    """Move cells between new classes while that lowers the loss; return it, infinite if bad."""
    for _ in range(5):
        moved = False
        for i in range(length):
            c, size = p.class_of[i], a.sizes[pool[i]]
            if p.sizes[c] - size < r.k:
                continue
            many = _pool_members(p, length, pool, c, i, gathered)
            if many == 0:
                continue
            _set_cell(label, gathered[0], a)
            for j in range(1, many):
                _set_cell(scratch, gathered[j], a)
                _join(label, scratch, a)
            loss = _loss(label, a)
            gain = _cost(p.sizes[c], p.losses[c], a) - _cost(p.sizes[c] - size, loss, a) - _SLIGHT
            target, target_loss = -1, 0.0
            for other in range(classes):
                if other == c:
                    continue
                own, rows = _cost(p.sizes[other], p.losses[other], a), p.sizes[other] + size
                limit = _affordable(gain + own, rows, a)
                after = _loss_with(p.labels[other], p.losses[other], pool[i], limit, a)
                if after == np.inf:
                    continue
                cost = _cost(rows, after, a) - own
                if cost < gain:
                    gain, target, target_loss = cost, other, after
            if target >= 0 and (
                r.rules.shape[0] == 0 or _meets(gathered, many, p.sizes[c] - size, counts, r)
            ):
                p.labels[c], p.losses[c] = label, loss
                p.sizes[c] -= size
                _set_cell(scratch, pool[i], a)
                _join(p.labels[target], scratch, a)
                p.sizes[target] += size
                p.losses[target], p.class_of[i] = target_loss, target
                moved = True
        if not moved:
            break
    total = 0.0
    for c in range(classes):
        total += _cost(p.sizes[c], p.losses[c], a)
        if r.rules.shape[0]:
            many = _pool_members(p, length, pool, c, -1, gathered)
            if not _meets(gathered, many, p.sizes[c], counts, r):
                return np.inf
    return total


@njit(**_OPTIONS)
def ruin_and_recreate(s, p, steps, neighbours, seed, trials, promising, a, r):
    """Dissolve a class and its neighbours, form new ones, and keep them if they lose less.

    ``neighbours`` is the greatest number of neighbours. Returns the loss that was saved.
    """
    words, room = a.columns[-1].word_end, s.classes.shape[0]
    n = s.members.shape[0]
    most = p.used.shape[0]
    state = np.array([np.uint64(seed) * np.uint64(2654435761) + np.uint64(88172645463325252)])
    near, costs = np.empty(neighbours, dtype=np.int64), np.empty(neighbours)
    places = np.empty(most, dtype=np.int64)
    pool, best_class_of = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    best_labels = np.empty((most, words), dtype=np.int64)
    best_sizes, best_losses = np.empty(most, dtype=np.int64), np.empty(most)
    label, scratch = np.empty(words, dtype=np.int64), np.empty(words, dtype=np.int64)
    gathered = np.empty(n + 1, dtype=np.int64)
    counts = np.empty(r.shares.shape[0], dtype=np.int64)
    saved = 0.0
    for _ in range(steps):
        c = np.int64(_uniform(state) * room)
        tried = 0
        while tried < room and (s.classes[c].size == 0 or s.classes[c].loss == 0.0):
            c = c + 1 if c + 1 < room else 0
            tried += 1
        if tried == room:
            break
        wanted = 1 + np.int64(_uniform(state) * neighbours)
        count = _nearest(c, wanted, near, costs, s, a)
        before, length = 0.0, 0
        for number in range(-1, count):
            own = c if number < 0 else near[number]
            before += _cost(s.classes[own].size, s.classes[own].loss, a)
            i = s.classes[own].head
            while i >= 0 and length < most:
                pool[length], places[length] = s.members[i].cell, i
                length += 1
                i = s.members[i].following
            if i >= 0:
                length = most + 1
                break
        if length > most:
            continue
        best, best_count = promising * before, 0
        for _trial in range(trials):
            found, loss = _recreate(pool, length, p, True, state, scratch, counts, a, r)
            if loss < best:
                best, best_count = loss, found
                best_class_of[:length] = p.class_of[:length]
                best_labels[:found] = p.labels[:found]
                best_sizes[:found], best_losses[:found] = p.sizes[:found], p.losses[:found]
        if best_count == 0:
            continue
        p.class_of[:length] = best_class_of[:length]
        p.labels[:best_count] = best_labels[:best_count]
        p.sizes[:best_count] = best_sizes[:best_count]
        p.losses[:best_count] = best_losses[:best_count]
        best = _polish(pool, length, best_count, p, label, scratch, gathered, counts, a, r)
        if best >= before - _SLIGHT:
            continue
        best_class_of[:length] = p.class_of[:length]
        if best_count == 0 or best_count > s.counters[0] + count + 1:
            continue
        saved += before - best
        for number in range(-1, count):
            own = c if number < 0 else near[number]
            s.classes[own].head, s.classes[own].size, s.classes[own].loss = -1, 0, 0.0
            s.counts[own] = 0
            s.free[s.counters[0]] = own
            s.counters[0] += 1
        for new in range(best_count):
            s.counters[0] -= 1
            own = s.free[s.counters[0]]
            s.counters[1] = max(s.counters[1], own + 1)
            empty = True
            for i in range(length):
                if best_class_of[i] == new:
                    if empty:
                        _set_cell(s.labels[own], pool[i], a)
                        empty = False
                    else:
                        _set_cell(scratch, pool[i], a)
                        _join(s.labels[own], scratch, a)
                    s.classes[own].size += a.sizes[pool[i]]
                    _count(pool[i], 1, s.counts[own], r)
                    _link(places[i], own, s)
            s.classes[own].loss = _loss(s.labels[own], a)
            s.classes[own].changed = _RECREATED
    return saved


@njit(**_OPTIONS)
def failing_classes(class_of, classes, a, r):
    """Say of every class whether it fails a criterion."""
    n = class_of.shape[0]
    order = np.argsort(class_of, kind="mergesort")
    gathered = np.empty(n, dtype=np.int64)
    counts = np.empty(r.shares.shape[0], dtype=np.int64)
    failing = np.zeros(classes, dtype=np.bool_)
    at = 0
    while at < n:
        c, length, size = class_of[order[at]], 0, 0
        while at < n and class_of[order[at]] == c:
            gathered[length] = order[at]
            size += a.sizes[order[at]]
            length += 1
            at += 1
        if c >= 0:
            failing[c] = not _meets(gathered, length, size, counts, r)
    return failing


@njit(**_OPTIONS)
def suppress_outliers(s, budget, everything, a, r):
    """Suppress cells that cost their class more than they lose; return which, and their rows.

    ``everything`` is what a suppressed row loses. Cells come by what their suppression saves for
    each row, and at most ``budget`` rows are suppressed. A class that is not enough without such a
    cell is given to the others, if that costs less than what is saved.
    """
    n, words = s.members.shape[0], a.columns[-1].word_end
    label, scratch = np.empty(words, dtype=np.int64), np.empty(words, dtype=np.int64)
    labels, losses = np.empty((n, words), dtype=np.int64), np.empty(n)
    targets, members = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    gone = np.zeros(n, dtype=np.bool_)
    saved = np.empty(n)
    rows, changed = 0, 1
    for c in range(s.counters[1]):
        s.classes[c].changed = 1
    while changed:
        for i in range(n):
            c, size = s.members[i].owner, a.sizes[s.members[i].cell]
            if not s.classes[c].changed:
                continue
            saved[i] = -1.0
            if gone[i] or not _label_without(i, c, label, scratch, s, a):
                continue
            after = _cost(s.classes[c].size - size, _loss(label, a), a)
            gain = _cost(s.classes[c].size, s.classes[c].loss, a) - after - size * everything
            saved[i] = gain / size
        order = np.argsort(-saved, kind="mergesort")
        changed = 0
        for c in range(s.counters[1]):
            s.classes[c].changed = 0
        for place in range(n):
            i = order[place]
            if saved[i] <= _SLIGHT:
                break
            c, size = s.members[i].owner, a.sizes[s.members[i].cell]
            if s.classes[c].changed or size > budget - rows:
                continue
            if _spares(c, i, s, a, r):
                _label_without(i, c, label, scratch, s, a)
                _unlink(i, c, s)
                _count(s.members[i].cell, -1, s.counts[c], r)
                s.classes[c].size -= size
                s.labels[c], s.classes[c].loss = label, _loss(label, a)
            else:
                most = _cost(s.classes[c].size, s.classes[c].loss, a) - size * everything - _SLIGHT
                if not _give_away(c, i, most, 1, labels, losses, targets, members, s, a, r):
                    continue
            s.classes[c].changed = 1
            gone[i] = True
            rows += size
            changed += 1
    return gone, rows


@njit(**_OPTIONS)
def merged(class_of, failing, a):
    """Merge every failing class with the class at which that costs least; return the classes."""
    classes = failing.shape[0]
    words = a.columns[-1].word_end
    labels = np.zeros((classes, words), dtype=np.int64)
    sizes = np.zeros(classes, dtype=np.int64)
    scratch = np.empty(words, dtype=np.int64)
    for cell in range(class_of.shape[0]):
        c = class_of[cell]
        if c < 0:
            continue
        if sizes[c] == 0:
            _set_cell(labels[c], cell, a)
        else:
            _set_cell(scratch, cell, a)
            _join(labels[c], scratch, a)
        sizes[c] += a.sizes[cell]
    losses = np.empty(classes)
    target = np.arange(classes)
    for c in range(classes):
        losses[c] = _loss(labels[c], a)
    for c in range(classes):
        if not failing[c] or target[c] != c:
            continue
        best, nearest = np.inf, -1
        for other in range(classes):
            if other == c or target[other] != other:
                continue
            loss = _joined_loss(labels[c], labels[other], np.inf, a)
            own = _cost(sizes[c], losses[c], a) + _cost(sizes[other], losses[other], a)
            cost = _cost(sizes[c] + sizes[other], loss, a) - own
            if cost < best:
                best, nearest = cost, other
        if nearest < 0:
            break
        _join(labels[nearest], labels[c], a)
        sizes[nearest] += sizes[c]
        losses[nearest] = _loss(labels[nearest], a)
        target[c] = nearest
        # Once it has grown it is looked at again by its criteria.
        failing[nearest] = False
    number = np.full(classes, -1, dtype=np.int64)
    found = class_of.copy()
    count = 0
    for cell in range(class_of.shape[0]):
        c = class_of[cell]
        if c < 0:
            continue
        while target[c] != c:
            c = target[c]
        if number[c] < 0:
            number[c] = count
            count += 1
        found[cell] = number[c]
    return found
