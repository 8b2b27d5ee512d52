"""The kernels of single methods of local recoding: Mondrian and utility-based bottom-up.

They call kernels of another file, of whose changes Numba's disk cache knows nothing. So the kernels
that are cached take ``BUILT_ON``, whose type has the digest of that file in its name, and those
that they call here are not cached by themselves.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from sfumato.search.local import kernels
from sfumato.search.local.kernels import (
    _join,
    _joined_loss,
    _meets,
    _set_cell,
    top_down,
)

_OPTIONS = {"nogil": True, "error_model": "numpy"}
_CACHED = {**_OPTIONS, "cache": True}
_DIGEST = hashlib.sha256(Path(kernels.__file__).read_bytes()).hexdigest()[:16]
_A_BIT_MORE = 1 + 1e-12
"""So that rounding hides no loss that is equal to a limit."""
BUILT_ON = np.zeros(1, dtype=[(f"kernels_{_DIGEST}", np.int8)])
"""What every cached kernel takes last."""


# Mondrian


@njit(**_OPTIONS)
def _median(cells, q, a):
    """Return the least leaf of a column that at least half of the rows do not exceed."""
    codes = np.empty(cells.shape[0], dtype=np.int64)
    total = 0
    for i in range(cells.shape[0]):
        codes[i] = a.codes[cells[i], q]
        total += a.sizes[cells[i]]
    order = np.argsort(codes, kind="mergesort")
    rows = 0
    for i in range(cells.shape[0]):
        rows += a.sizes[cells[order[i]]]
        if 2 * rows >= total:
            break
    return codes[order[i]]


@njit(**_OPTIONS)
def _spread(cells, q, median, left, a):
    """Give the cells with the median to the side with fewer rows, large cells first."""
    rows = np.zeros(2, dtype=np.int64)
    middle = np.zeros(cells.shape[0], dtype=np.int64)
    for i in range(cells.shape[0]):
        code, size = a.codes[cells[i], q], a.sizes[cells[i]]
        left[i] = code < median
        if code == median:
            middle[i] = size
        else:
            rows[0 if left[i] else 1] += size
    for i in np.argsort(-middle, kind="mergesort"):
        if middle[i] == 0:
            break
        left[i] = rows[0] <= rows[1]
        rows[0 if left[i] else 1] += middle[i]


@njit(**_OPTIONS)
def _side_meets(cells, left, side, scratch, counts, a, r):
    length, rows = 0, 0
    for i in range(cells.shape[0]):
        if left[i] == side:
            scratch[length] = cells[i]
            rows += a.sizes[cells[i]]
            length += 1
    return length > 0 and _meets(scratch, length, rows, counts, r)


@njit(**_OPTIONS)
def _cut(cells, q, relaxed, left, scratch, counts, a, r):
    """Mark the cells on the left of the cut at the median; False if it is not allowable."""
    median = _median(cells, q, a)
    for turn in range(1 if relaxed else 2):
        if relaxed:
            _spread(cells, q, median, left, a)
        else:
            for i in range(cells.shape[0]):
                code = a.codes[cells[i], q]
                left[i] = code <= median if turn == 0 else code < median
        if _side_meets(cells, left, True, scratch, counts, a, r) and _side_meets(
            cells, left, False, scratch, counts, a, r
        ):
            return True
    return False


@njit(**_CACHED)
def mondrian(relaxed, a, r, built_on):  # noqa: ARG001
    """Cut the cells at medians again and again; return the class of each.

    Of the columns with an allowable cut, the one with the widest range is cut, in shares of its
    range in the whole table. Cells with the median go to the left, or to the right if only that
    is allowable; relaxed, they are spread over both sides.
    """
    n, columns = a.codes.shape
    order = np.arange(n)
    class_of = np.empty(n, dtype=np.int64)
    stack = np.empty((n + 1, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = 0, n
    waiting, classes = 1, 0
    whole, widths = np.ones(columns), np.empty(columns)
    flags = np.empty(n, dtype=np.bool_)
    scratch = np.empty(n, dtype=np.int64)
    counts = np.empty(r.shares.shape[0], dtype=np.int64)
    while waiting > 0:
        waiting -= 1
        low, high = stack[waiting, 0], stack[waiting, 1]
        own, left = order[low:high], flags[low:high]
        for q in range(columns):
            least, most = a.codes[own[0], q], a.codes[own[0], q]
            for i in range(1, own.shape[0]):
                least, most = min(least, a.codes[own[i], q]), max(most, a.codes[own[i], q])
            if classes == 0 and own.shape[0] == n:
                whole[q] = max(1, most - least)
            widths[q] = (most - least) / whole[q]
        found = False
        for q in np.argsort(-widths, kind="mergesort"):
            if widths[q] == 0:
                break
            found = _cut(own, q, relaxed, left, scratch, counts, a, r)
            if found:
                break
        if not found:
            for i in range(low, high):
                class_of[order[i]] = classes
            classes += 1
            continue
        middle, others = low, 0
        for i in range(low, high):
            if flags[i]:
                order[middle] = order[i]
                middle += 1
            else:
                scratch[others] = order[i]
                others += 1
        for i in range(others):
            order[middle + i] = scratch[i]
        stack[waiting, 0], stack[waiting, 1] = low, middle
        stack[waiting + 1, 0], stack[waiting + 1, 1] = middle, high
        waiting += 2
    return class_of


# Utility-based, bottom-up


@njit(**_OPTIONS)
def _gather(group, head, following, cells):
    length, cell = 0, head[group]
    while cell >= 0:
        cells[length] = cell
        length += 1
        cell = following[cell]
    return length


class Buckets(NamedTuple):
    """Groups by their labels in the first columns, which cost most: those of a bucket are equal.

    ``heads`` has the first group of every bucket, ``following`` and ``before`` the others.
    ``labels`` are theirs in the first columns, ``smallest`` is a size that none is below. ``slots``
    is a hash table, ``used`` the number of buckets.
    """

    of: np.ndarray
    following: np.ndarray
    before: np.ndarray
    heads: np.ndarray
    labels: np.ndarray
    smallest: np.ndarray
    slots: np.ndarray
    used: np.ndarray


@njit(**_OPTIONS)
def _empty_buckets(groups, words):
    slots = 4
    while slots < 4 * groups:
        slots *= 2
    return Buckets(
        np.empty(groups, dtype=np.int64),
        np.empty(groups, dtype=np.int64),
        np.empty(groups, dtype=np.int64),
        np.empty(2 * groups, dtype=np.int64),
        np.empty((2 * groups, words), dtype=np.int64),
        np.empty(2 * groups, dtype=np.int64),
        np.empty(slots, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@njit(**_OPTIONS)
def _bucket(label, buckets):
    """Return the bucket of a label; a new one if there is none."""
    words = buckets.labels.shape[1]
    number = np.int64(7)
    for word in range(words):
        number = (number ^ label[word]) * np.int64(1099511628211)
        number ^= number >> np.int64(29)
    mask = buckets.slots.shape[0] - 1
    slot = number & mask
    while buckets.slots[slot] >= 0:
        found = buckets.slots[slot]
        same = True
        for word in range(words):
            if buckets.labels[found, word] != label[word]:
                same = False
                break
        if same:
            return found
        slot = (slot + 1) & mask
    found = buckets.used[0]
    buckets.used[0] += 1
    buckets.slots[slot] = found
    buckets.labels[found], buckets.heads[found] = label[:words], -1
    return found


@njit(**_OPTIONS)
def _enter(g, size, label, buckets):
    own = _bucket(label, buckets)
    head = buckets.heads[own]
    buckets.smallest[own] = size if head < 0 else min(size, buckets.smallest[own])
    buckets.of[g], buckets.following[g], buckets.before[g] = own, head, -1
    buckets.heads[own] = g
    if head >= 0:
        buckets.before[head] = g


@njit(**_OPTIONS)
def _leave(g, buckets):
    before, after = buckets.before[g], buckets.following[g]
    if before < 0:
        buckets.heads[buckets.of[g]] = after
    else:
        buckets.following[before] = after
    if after >= 0:
        buckets.before[after] = before


@njit(**_OPTIONS)
def _nearest_of_bucket(g, bucket, best, nearest, labels, sizes, buckets, a):
    """Return the least loss of a union so far and its group, with those of one bucket.

    Of several the one whose number is nearest is taken.
    """
    other = buckets.heads[bucket]
    while other >= 0:
        if other != g:
            rows = sizes[g] + sizes[other]
            loss = rows * _joined_loss(labels[g], labels[other], best / rows * _A_BIT_MORE, a)
            nearer = abs(other - g) - abs(nearest - g)
            if loss < best or (loss == best and (nearer < 0 or (nearer == 0 and other < nearest))):
                best, nearest = loss, other
        other = buckets.following[other]
    return best, nearest


@njit(**_OPTIONS)
def _nearest_group(g, labels, sizes, buckets, bounds, a, first):
    """Return the group whose union with a group has the least loss of all its rows.

    In the first columns all groups of a bucket are alike, so that what the union loses there is
    a bound for all of them: a bucket with a bound above the least loss so far is passed over.
    """
    own = labels[g][: buckets.labels.shape[1]]
    least, start = np.inf, -1
    for bucket in range(buckets.used[0]):
        head = buckets.heads[bucket]
        bounds[bucket] = np.inf
        if head < 0 or (head == g and buckets.following[g] < 0):
            continue
        rows = sizes[g] + buckets.smallest[bucket]
        bounds[bucket] = rows * _joined_loss(own, buckets.labels[bucket], np.inf, first)
        if bounds[bucket] < least:
            least, start = bounds[bucket], bucket
    if start < 0:
        return -1
    best, nearest = _nearest_of_bucket(g, start, np.inf, -1, labels, sizes, buckets, a)
    for bucket in range(buckets.used[0]):
        if bucket != start and bounds[bucket] <= best:
            best, nearest = _nearest_of_bucket(g, bucket, best, nearest, labels, sizes, buckets, a)
    return nearest


@njit(**_CACHED)
def bottom_up(a, first, r, built_on):  # noqa: ARG001
    """Merge groups that do not meet the criteria until all do; return the class of every cell.

    Every cell is a group at first. In a round, every group that fails is merged with the group
    for which the union loses least, and a group of twice k rows that meets the criteria is split.
    ``first`` is ``a`` with the columns by which groups are put into buckets alone.
    """
    n, words = a.codes.shape[0], a.columns[-1].word_end
    labels = np.empty((n, words), dtype=np.int64)
    sizes = a.sizes.copy()
    head, tail = np.arange(n), np.arange(n)
    following = np.full(n, -1, dtype=np.int64)
    fails = np.empty(n, dtype=np.bool_)
    whole = np.zeros(n, dtype=np.bool_)
    cells = np.empty(n, dtype=np.int64)
    counts = np.empty(r.shares.shape[0], dtype=np.int64)
    number = np.empty(n, dtype=np.int64)
    scratch = np.empty(words, dtype=np.int64)
    buckets = _empty_buckets(n, first.columns[-1].word_end)
    bounds = np.empty(2 * n)
    count, failing = n, 0
    for cell in range(n):
        _set_cell(labels[cell], cell, a)
        cells[0] = cell
        fails[cell] = not _meets(cells, 1, sizes[cell], counts, r)
        failing += fails[cell]
    while failing > 0:
        merges = 0
        buckets.slots[:], buckets.used[0] = -1, 0
        for g in range(count):
            _enter(g, sizes[g], labels[g], buckets)
        for g in range(count):
            if sizes[g] == 0 or not fails[g]:
                continue
            other = _nearest_group(g, labels, sizes, buckets, bounds, a, first)
            if other < 0:
                break
            merges += 1
            _leave(g, buckets)
            _leave(other, buckets)
            _join(labels[g], labels[other], a)
            sizes[g] += sizes[other]
            _enter(g, sizes[g], labels[g], buckets)
            sizes[other] = 0
            following[tail[g]], tail[g] = head[other], tail[other]
            failing -= fails[other]
            whole[g] = False
            if sizes[g] >= r.k:
                length = _gather(g, head, following, cells)
                fails[g] = not _meets(cells, length, sizes[g], counts, r)
                failing -= not fails[g]
        if merges == 0:
            break
        # The groups that are left, numbered anew; a large one is split.
        kept = 0
        for g in range(count):
            if sizes[g] > 0:
                labels[kept], sizes[kept], fails[kept] = labels[g], sizes[g], fails[g]
                head[kept], tail[kept], whole[kept] = head[g], tail[g], whole[g]
                kept += 1
        count = kept
        for g in range(kept):
            if fails[g] or whole[g] or sizes[g] < 2 * r.k:
                continue
            length = _gather(g, head, following, cells)
            own = cells[:length].copy()
            part, parts = top_down(own, a, r)
            whole[g] = True
            if parts == 1:
                continue
            for p in range(parts):
                at = g if p == 0 else count + p - 1
                head[at], sizes[at], fails[at], whole[at] = -1, 0, False, True
            for i in range(length):
                at = g if part[i] == 0 else count + part[i] - 1
                cell = own[i]
                _set_cell(scratch, cell, a)
                if head[at] < 0:
                    labels[at], head[at] = scratch, cell
                else:
                    _join(labels[at], scratch, a)
                    following[tail[at]] = cell
                tail[at], following[cell] = cell, -1
                sizes[at] += a.sizes[cell]
            count += parts - 1
    for g in range(count):
        length = _gather(g, head, following, cells)
        for i in range(length):
            number[cells[i]] = g
    return number
