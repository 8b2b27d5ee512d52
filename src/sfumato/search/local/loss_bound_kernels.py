"""The kernel of the lower bound of local recoding: the nearest records of every record."""

from __future__ import annotations

import numpy as np
from numba import njit

from sfumato.search.local.cell_arrays import INTERVAL, NODE

_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
_MOST_TABLED = 4096
"""Columns of at most so many leaves have the losses of one value with all others in a table."""


@njit(**_OPTIONS)
def _pair_loss(one, other, q, a):
    """Return what the smallest label that covers two leaves of a column costs a row."""
    leaves = a.columns[q].leaf
    if a.columns[q].kind == NODE:
        low, high = a.leaves[leaves + one].node, a.leaves[leaves + other].node
        while low != high:
            low, high = a.nodes[low].parent, a.nodes[high].parent
        extent = a.nodes[low].extent
    elif a.columns[q].kind == INTERVAL:
        missing = a.columns[q].missing
        if one == missing and other == missing:
            extent = 0
        elif one == missing:
            extent = a.leaves[leaves + other].width
        elif other == missing:
            extent = a.leaves[leaves + one].width
        else:
            last = max(one, other)
            extent = last + a.leaves[leaves + last].width - 1 - min(one, other)
    else:
        extent = a.leaves[leaves + one].width - 1
        if one != other:
            extent += a.leaves[leaves + other].width
    return extent * a.columns[q].cost


@njit(**_OPTIONS)
def skips(codes):
    """Return, of sorted cells, where each prefix ends, and the first column that changes.

    ``ends[j, q]`` is the first cell after ``j`` that differs from it in a column up to ``q``.
    """
    n, columns = codes.shape
    ends = np.full((n, columns), n, dtype=np.int32)
    changed = np.zeros(n + 1, dtype=np.int32)
    for j in range(n - 2, -1, -1):
        first = 0
        while codes[j, first] == codes[j + 1, first]:
            first += 1
        changed[j + 1] = first
        for q in range(columns):
            ends[j, q] = ends[j + 1, q] if q < first else j + 1
    return ends, changed


@njit(**_OPTIONS)
def _insert(loss, rows, cell, wanted, near, length, total):
    """Put a cell among the nearest, and forget those beyond the ``wanted`` records."""
    losses, counts, cells = near
    place = length
    while place > 0 and losses[place - 1] > loss:
        losses[place], counts[place] = losses[place - 1], counts[place - 1]
        cells[place] = cells[place - 1]
        place -= 1
    losses[place], counts[place], cells[place] = loss, rows, cell
    length, total = length + 1, total + rows
    while total - counts[length - 1] >= wanted:
        length -= 1
        total -= counts[length]
    return length, total


@njit(**_OPTIONS)
def nearest_losses(first, last, wanted, ends, changed, a):
    """Return the sum over the records of some cells of the loss to their nearest other records.

    ``a`` has the cells sorted by their leaves. Place ``i`` of the sums is for the nearest but
    ``i``, of ``wanted`` ones. Whole runs of cells are skipped once the columns that they share
    lose too much.
    """
    n, columns = a.codes.shape
    sums = np.zeros(wanted)
    table = np.empty(a.leaves.shape[0])
    tabled = np.empty(columns, dtype=np.bool_)
    for q in range(columns):
        end = a.columns[q + 1].leaf if q + 1 < columns else a.leaves.shape[0]
        tabled[q] = end - a.columns[q].leaf <= _MOST_TABLED
    room = wanted + 2
    near = (np.empty(room), np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64))
    losses, counts, cells = near
    before = np.empty(room, dtype=np.int64)
    stamps = np.full(n, -1, dtype=np.int64)
    partial = np.zeros(columns + 1)
    many = 0
    for i in range(first, last):
        for q in range(columns):
            if tabled[q] and (i == first or a.codes[i, q] != a.codes[i - 1, q]):
                low = a.columns[q].leaf
                end = a.columns[q + 1].leaf if q + 1 < columns else a.leaves.shape[0]
                for leaf in range(end - low):
                    if a.leaves[low + leaf].width > 0:
                        table[low + leaf] = _pair_loss(a.codes[i, q], leaf, q, a)
        own = 0.0
        for q in range(columns):
            own += _pair_loss(a.codes[i, q], a.codes[i, q], q, a)
        stamps[i] = i
        length = total = 0
        if a.sizes[i] > 1:
            length, total = _insert(own, a.sizes[i] - 1, i, wanted, near, 0, 0)
        # The nearest of the cell before are near, too: so the limit is low from the beginning.
        for number in range(many):
            j = before[number]
            if stamps[j] == i:
                continue
            stamps[j] = i
            loss = 0.0
            for q in range(columns):
                loss += _pair_loss(a.codes[i, q], a.codes[j, q], q, a)
            if total < wanted or loss < losses[length - 1]:
                length, total = _insert(loss, a.sizes[j], j, wanted, near, length, total)
        limit = losses[length - 1] if total >= wanted else np.inf
        j = depth = 0
        while j < n and own < limit:
            q = depth
            while q < columns:
                code = a.codes[j, q]
                if tabled[q]:
                    partial[q + 1] = partial[q] + table[a.columns[q].leaf + code]
                else:
                    partial[q + 1] = partial[q] + _pair_loss(a.codes[i, q], code, q, a)
                if partial[q + 1] >= limit:
                    break
                q += 1
            if q < columns:
                j = ends[j, q]
                depth = changed[j]
                continue
            if stamps[j] != i:
                length, total = _insert(
                    partial[columns], a.sizes[j], j, wanted, near, length, total
                )
                limit = losses[length - 1] if total >= wanted else np.inf
            j += 1
            depth = changed[j]
        reached = place = 0
        for number in range(length):
            reached = min(wanted, reached + counts[number])
            while place < reached:
                sums[place] += losses[number] * a.sizes[i]
                place += 1
        many = length
        before[:many] = cells[:many]
    return sums
