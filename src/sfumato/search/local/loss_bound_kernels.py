"""The kernel of the lower bound of local recoding: the nearest records of every record."""

from __future__ import annotations

import numpy as np
from numba import njit

from sfumato.search.local.cell_arrays import INTERVAL, NODE

_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
_ROUNDING = 1e-6
"""Rows that are spread over elements and summed again may be fewer, by less than this."""
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
def _end(q, a):
    """Return the end of the leaves of a column."""
    return a.columns[q + 1].leaf if q + 1 < a.columns.shape[0] else a.leaves.shape[0]


@njit(**_OPTIONS)
def _fill_table(i, changed, table, tabled, a):
    """Write what the leaf of a cell and every other one lose together, for changed columns."""
    for q in range(changed, a.columns.shape[0]):
        if tabled[q]:
            low = a.columns[q].leaf
            for leaf in range(_end(q, a) - low):
                if a.leaves[low + leaf].width > 0:
                    table[low + leaf] = _pair_loss(a.codes[i, q], leaf, q, a)


@njit(**_OPTIONS)
def _reach(i, j, depth, limit, partial, table, tabled, a):
    """Sum the loss of two cells from a column on; return the column at which it is too much."""
    for q in range(depth, a.columns.shape[0]):
        code = a.codes[j, q]
        if tabled[q]:
            partial[q + 1] = partial[q] + table[a.columns[q].leaf + code]
        else:
            partial[q + 1] = partial[q] + _pair_loss(a.codes[i, q], code, q, a)
        if partial[q + 1] >= limit:
            return q
    return a.columns.shape[0]


@njit(**_OPTIONS)
def _nearest(i, own, wanted, before, many, near, stamps, partial, table, tabled, runs, a):
    """Find the nearest records of a cell; return how many cells they are.

    ``before`` are the nearest of the cell before it, ``many`` cells. They are near, too, so that
    the limit is low from the beginning.
    """
    n, columns = a.codes.shape
    ends, changed = runs
    losses = near[0]
    length = total = 0
    stamps[i] = i
    if a.sizes[i] > 1:
        length, total = _insert(own, a.sizes[i] - 1, i, wanted, near, 0, 0)
    for number in range(many):
        j = before[number]
        if stamps[j] == i:
            continue
        stamps[j] = i
        _reach(i, j, 0, np.inf, partial, table, tabled, a)
        if total < wanted or partial[columns] < losses[length - 1]:
            length, total = _insert(partial[columns], a.sizes[j], j, wanted, near, length, total)
    limit = losses[length - 1] if total >= wanted else np.inf
    j = depth = 0
    while j < n and own < limit:
        q = _reach(i, j, depth, limit, partial, table, tabled, a)
        if q < columns:
            j = ends[j, q]
        else:
            if stamps[j] != i:
                length, total = _insert(
                    partial[columns], a.sizes[j], j, wanted, near, length, total
                )
                limit = losses[length - 1] if total >= wanted else np.inf
            j += 1
        depth = changed[j]
    return length


@njit(**_OPTIONS)
def _spread_rows(i, j, radius, density, free, partial, tabled, a):
    """Spread the rows of a cell over what a label must take in to cover it."""
    columns = a.columns.shape[0]
    needed = 0.0
    for q in range(columns):
        if tabled[q] and a.codes[i, q] != a.codes[j, q]:
            needed += partial[q + 1] - partial[q] - _pair_loss(a.codes[i, q], a.codes[i, q], q, a)
    if needed <= 0.0:
        free[radius] += a.sizes[j]
        return
    for q in range(columns):
        if tabled[q] and a.codes[i, q] != a.codes[j, q]:
            density[radius, a.columns[q].leaf + a.codes[j, q]] += a.sizes[j] / needed


@njit(**_OPTIONS)
def _elements(i, density, costs, densities, tabled, a):
    """List what a label can take in: what it costs, and how many rows that may bring for it.

    Values of a set are taken in one by one. Nodes and intervals grow step by step, so that what
    is farther out counts for all steps before it.
    """
    count = 0
    for q in range(a.columns.shape[0]):
        if not tabled[q]:
            continue
        low, own = a.columns[q].leaf, a.codes[i, q]
        base = _pair_loss(own, own, q, a)
        kind, missing = a.columns[q].kind, a.columns[q].missing
        size = _end(q, a) - low
        if kind == NODE:
            # Steps by rising loss: the losses of a node are equal.
            at = count
            for leaf in range(size):
                if density[low + leaf] == 0.0:
                    continue
                loss = _pair_loss(own, leaf, q, a) - base
                place = at
                while place < count and costs[place] != loss:
                    place += 1
                if place == count:
                    costs[count], densities[count] = loss, 0.0
                    count += 1
                densities[place] += density[low + leaf]
            for one in range(at + 1, count):
                other = one
                while other > at and costs[other - 1] > costs[other]:
                    costs[other - 1], costs[other] = costs[other], costs[other - 1]
                    densities[other - 1], densities[other] = densities[other], densities[other - 1]
                    other -= 1
            for place in range(count - 2, at - 1, -1):
                densities[place] += densities[place + 1]
            for place in range(count - 1, at, -1):
                costs[place] -= costs[place - 1]
        elif kind == INTERVAL and own != missing:
            for way in (-1, 1):
                at, leaf, before = count, own + way, 0.0
                while 0 <= leaf < size:
                    if leaf != missing and density[low + leaf] > 0.0:
                        loss = _pair_loss(own, leaf, q, a) - base
                        costs[count], densities[count] = loss - before, density[low + leaf]
                        before = loss
                        count += 1
                    leaf += way
                for place in range(count - 2, at - 1, -1):
                    densities[place] += densities[place + 1]
            if missing >= 0 and density[low + missing] > 0.0:
                costs[count], densities[count] = a.columns[q].cost, density[low + missing]
                count += 1
        elif kind == INTERVAL:
            costs[count], densities[count] = a.columns[q].cost, 0.0
            for leaf in range(size):
                densities[count] += density[low + leaf]
            count += densities[count] > 0.0
        else:
            for leaf in range(size):
                if density[low + leaf] > 0.0:
                    costs[count] = a.leaves[low + leaf].width * a.columns[q].cost
                    densities[count] = density[low + leaf]
                    count += 1
    return count


@njit(**_OPTIONS)
def _raise_losses(own, size, limit, free, count, costs, densities, bounds):
    """Raise the bounds of a row's loss, place by place, if labels cover only cells below a limit.

    Either the loss is at least the limit, or its label takes in enough of the elements: at least
    those that bring most rows for what they cost.
    """
    order = np.argsort(-densities[:count])
    at, rows, loss = 0, float(size - 1 + free), own
    for number in range(bounds.shape[0]):
        needed = number + 1 - _ROUNDING
        while at < count and rows + costs[order[at]] * densities[order[at]] < needed:
            rows += costs[order[at]] * densities[order[at]]
            loss += costs[order[at]]
            at += 1
        if rows >= needed:
            reached = loss
        elif at == count:
            reached = limit
        else:
            reached = loss + (needed - rows) / densities[order[at]]
        bounds[number] = max(bounds[number], min(limit, reached))


@njit(**_OPTIONS)
def nearest_losses(first, last, wanted, radii, reach, ends, changed, weights, a):
    """Return the sum over the records of some cells of what their label loses at least.

    ``a`` has the cells sorted by their leaves, with the people of each where people are counted;
    ``weights`` are their rows. Place ``i`` of the sums is for labels that cover
    ``i + 1`` other records, up to ``wanted``. Whole runs of cells are skipped once the columns
    that they share lose too much. ``radii`` says how many limits are tried, up to ``reach`` times
    the loss to the last of the nearest records.
    """
    n, columns = a.codes.shape
    sums, bounds = np.zeros(wanted), np.empty(wanted)
    table = np.empty(a.leaves.shape[0])
    tabled = np.empty(columns, dtype=np.bool_)
    width = 0
    for q in range(columns):
        tabled[q] = _end(q, a) - a.columns[q].leaf <= _MOST_TABLED
        if tabled[q]:
            width = _end(q, a)
    room = wanted + 2
    near = (np.empty(room), np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64))
    losses, counts, cells = near
    before = np.empty(room, dtype=np.int64)
    stamps = np.full(n, -1, dtype=np.int64)
    partial = np.zeros(columns + 1)
    runs = (ends, changed)
    limits = np.empty(max(1, radii))
    # Rows are spread over leaves of tabled columns only: those with many leaves mostly come last.
    density = np.zeros((max(1, radii), width))
    free = np.zeros(max(1, radii), dtype=np.int64)
    costs, densities = np.empty(a.leaves.shape[0] + 1), np.empty(a.leaves.shape[0] + 1)
    many = 0
    for i in range(first, last):
        _fill_table(i, 0 if i == first else changed[i], table, tabled, a)
        own = 0.0
        for q in range(columns):
            own += _pair_loss(a.codes[i, q], a.codes[i, q], q, a)
        many = _nearest(i, own, wanted, before, many, near, stamps, partial, table, tabled, runs, a)
        before[:many] = cells[:many]
        reached = place = 0
        least = np.inf
        for number in range(many):
            reached = min(wanted, reached + counts[number])
            bounds[place:reached] = losses[number]
            place = max(place, reached)
            if losses[number] > own:
                least = min(least, losses[number])
        if radii > 0 and least < np.inf:
            farthest = losses[many - 1]
            least = own + (least - own) * 1.000001
            ratio = ((own + (farthest - own) * reach - own) / (least - own)) ** (1.0 / radii)
            for radius in range(radii):
                limits[radius] = own + (least - own) * ratio ** (radius + 1)
            j = depth = 0
            while j < n:
                q = _reach(i, j, depth, limits[-1], partial, table, tabled, a)
                if q < columns:
                    j = ends[j, q]
                else:
                    if j != i:
                        radius = 0
                        while partial[columns] >= limits[radius]:
                            radius += 1
                        _spread_rows(i, j, radius, density, free, partial, tabled, a)
                    j += 1
                depth = changed[j]
            for radius in range(radii):
                if radius > 0:
                    density[radius] += density[radius - 1]
                    free[radius] += free[radius - 1]
                count = _elements(i, density[radius], costs, densities, tabled, a)
                _raise_losses(
                    own, a.sizes[i], limits[radius], free[radius], count, costs, densities, bounds
                )
            density[:] = 0.0
            free[:] = 0
        for place in range(wanted):
            sums[place] += bounds[place] * weights[i]
    return sums
