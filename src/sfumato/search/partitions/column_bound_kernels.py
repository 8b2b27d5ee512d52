"""The kernels of column bounds: what a box of cuts costs at least, one column at a time.

The proof is in docs/method.md, "Column bounds". All of it is in this file because Numba's cache
watches one file.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from sfumato.search.partitions.cut_arrays import CM, DM, LOSS

_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
_HASH = np.uint64(0x9E3779B97F4A7C15)


@njit(**_OPTIONS)
def _number(keys, live, count, table, stamps, stamp, found):
    """Give the different keys of the first ``count`` live cells numbers; return how many."""
    mask = stamps.shape[0] - 1
    groups = 0
    for x in range(count):
        cell = live[x]
        key = keys[cell]
        slot = np.int64((np.uint64(key) * _HASH) >> np.uint64(33)) & mask
        while stamps[slot] == stamp and table[slot, 0] != key:
            slot = (slot + 1) & mask
        if stamps[slot] != stamp:
            stamps[slot] = stamp
            table[slot, 0] = key
            table[slot, 1] = groups
            groups += 1
        found[cell] = table[slot, 1]
    return groups


@njit(**_OPTIONS)
def _blocks_of_values(a, cuts, block_of, counts, lost, inside):
    """Fill the block of every value, what it costs a row, and how many cuts lie before a place."""
    for q in range(a.lengths.shape[0]):
        block, start, bits = 0, 0, a.bit_starts[q]
        inside[q, 0] = 0
        for value in range(a.lengths[q]):
            block_of[q, value] = block
            last = value == a.lengths[q] - 1
            cut = not last and cuts[bits + value]
            inside[q, value + 1] = inside[q, value] + cut
            if last or cut:
                loss = a.ends[q, value + 1] - a.ends[q, start] - a.ones[q]
                lost[q, start : value + 1] = loss
                start = value + 1
                block += 1
        counts[q] = block


@njit(**_OPTIONS)
def _keys(a, block_of, counts, keys, factors):
    """Fill the key of every cell's class, and the factor of every column in it."""
    factor = 1
    for q in range(a.lengths.shape[0]):
        factors[q] = factor
        factor *= counts[q]
    for cell in range(a.sizes.shape[0]):
        key = 0
        for q in range(a.lengths.shape[0]):
            key += block_of[q, a.leaves[q, cell]] * factors[q]
        keys[cell] = key


@njit(**_OPTIONS)
def _prefixes(a, q, live, count, units, unit_count, group, groups, what):
    """Return sums of ``what`` of the rows over groups and the units before a place."""
    sums = np.zeros((groups, unit_count + 1), dtype=np.float64)
    for x in range(count):
        cell = live[x]
        sums[group[cell], units[q, a.leaves[q, cell]] + 1] += a.sizes[cell] * what[cell]
    for g in range(groups):
        for u in range(unit_count):
            sums[g, u + 1] += sums[g, u]
    return sums


@njit(**_OPTIONS)
def _block_costs(a, q, measure, k, left, box, live, count, group, groups, part, parts, costs):
    """Fill what every allowed block of a column costs beyond the finest corner: part, and slack.

    ``group`` numbers the classes of the other columns at the coarsest corner, ``part`` those at the
    finest. ``left`` rows may still be suppressed.
    """
    finest, units, unit_counts, inside, base, most, slack = box
    kept_cost, slack_cost, allowed = costs
    unit_count = unit_counts[q]
    ones = np.ones(a.sizes.shape[0])
    rows = _prefixes(a, q, live, count, units, unit_count, group, groups, ones)
    bases = _prefixes(a, q, live, count, units, unit_count, group, groups, base[q])
    mosts = _prefixes(a, q, live, count, units, unit_count, group, groups, most[q])
    slacks = _prefixes(a, q, live, count, units, unit_count, group, groups, slack)
    if measure == LOSS:
        below, of_part = np.zeros((1, 1)), np.zeros(1, dtype=np.int64)
        labelled = np.zeros((1, 1, 1))
    else:
        below = _prefixes(a, q, live, count, units, unit_count, part, parts, ones)
        of_part = np.zeros(parts, dtype=np.int64)
        for x in range(count):
            of_part[part[live[x]]] = group[live[x]]
        labels = a.labels.shape[1] if measure == CM else 1
        labelled = np.zeros((parts, unit_count + 1, labels))
        if measure == CM:
            for x in range(count):
                cell = live[x]
                unit = units[q, a.leaves[q, cell]] + 1
                labelled[part[cell], unit] += a.labels[cell]
            for h in range(parts):
                for u in range(unit_count):
                    labelled[h, u + 1] += labelled[h, u]
    bits, length = a.bit_starts[q], a.lengths[q]
    for block in range(a.block_starts[q], a.block_starts[q + 1]):
        first, end = a.block_firsts[block], a.block_ends[block]
        allowed[block] = False
        if (first > 0 and not finest[bits + first - 1]) or (
            end < length and not finest[bits + end - 1]
        ):
            continue
        if inside[q, end - 1] > inside[q, first]:
            continue
        low, high = units[q, first], units[q, end - 1] + 1
        kept, lost, away = 0.0, 0.0, 0.0
        loss = a.ends[q, end] - a.ends[q, first] - a.ones[q]
        for g in range(groups):
            n = rows[g, high] - rows[g, low]
            if n == 0:
                continue
            if n < k:
                lost += slacks[g, high] - slacks[g, low]
                kept += mosts[g, high] - mosts[g, low]
                away += n
            elif measure == LOSS:
                kept += n * loss - (bases[g, high] - bases[g, low])
        if away > left:
            continue
        if measure != LOSS:
            for h in range(parts):
                g = of_part[h]
                n = below[h, high] - below[h, low]
                if n == 0 or rows[g, high] - rows[g, low] < k:
                    continue
                if measure == DM:
                    kept += n * n
                    for u in range(low, high):
                        alone = below[h, u + 1] - below[h, u]
                        kept -= alone * alone
                else:
                    kept += n - (labelled[h, high] - labelled[h, low]).max()
        allowed[block] = True
        kept_cost[block] = kept
        slack_cost[block] = lost


@njit(**_OPTIONS)
def _least(a, q, cost, allowed, least, via):
    """Return the least cost of a partition of a column into allowed blocks (by last block)."""
    length = a.lengths[q]
    least[: length + 1] = np.inf
    least[0] = 0.0
    for block in range(a.block_starts[q], a.block_starts[q + 1]):
        if allowed[block]:
            end = a.block_ends[block]
            total = least[a.block_firsts[block]] + cost[block]
            if total < least[end]:
                least[end] = total
                via[end] = block
    return least[length]


@njit(**_OPTIONS)
def _weigh(a, is_open, kept_cost, slack_cost, allowed, weights, rounds):
    """Raise the bound by moving the slack of suppressed rows between columns; return the weights.

    The bound is concave in them, and a supergradient is the slack that the best partition of a
    column suppresses.
    """
    columns, longest = a.lengths.shape[0], a.ends.shape[1]
    least, via = np.empty(longest), np.zeros(longest, dtype=np.int64)
    open_count = is_open.sum()
    tried = np.where(is_open, weights, 0.0)
    tried = tried / tried.sum() if tried.sum() > 0 else is_open / open_count
    best, chosen, step = -1.0, tried.copy(), 0.5
    gains = np.zeros(columns)
    cost = np.empty(kept_cost.shape[0])
    for _ in range(rounds):
        value = 0.0
        for q in range(columns):
            if not is_open[q]:
                continue
            first, last = a.block_starts[q], a.block_starts[q + 1]
            cost[first:last] = kept_cost[first:last] + tried[q] * slack_cost[first:last]
            value += _least(a, q, cost, allowed, least, via)
            gains[q] = 0.0
            end = a.lengths[q]
            while end > 0 and np.isfinite(value):
                gains[q] += slack_cost[via[end]]
                end = a.block_firsts[via[end]]
        if value > best:
            best = value
            chosen[:] = tried
        if not np.isfinite(value):
            break
        apart = np.where(is_open, gains - gains.sum() / open_count, 0.0)
        size = np.abs(apart).sum()
        if size <= 1e-12 * (1.0 + np.abs(gains).sum()):
            break
        tried = np.maximum(0.0, tried + step * apart / size)
        tried /= tried.sum()
        step *= 0.85
    return chosen


@njit(**_OPTIONS)
def _marginals(a, q, cost, allowed, least, back, with_cut, without):
    """Fill the least cost of the partitions of a column with and without every cut."""
    bits, length = a.bit_starts[q], a.lengths[q]
    back[: length + 1] = np.inf
    back[length] = 0.0
    for place in range(a.block_starts[q], a.block_starts[q + 1]):
        block = a.by_first[place]
        if allowed[block]:
            total = cost[block] + back[a.block_ends[block]]
            back[a.block_firsts[block]] = min(back[a.block_firsts[block]], total)
    without[bits : bits + length - 1] = np.inf
    for place in range(1, length):
        with_cut[bits + place - 1] = least[place] + back[place]
    for block in range(a.block_starts[q], a.block_starts[q + 1]):
        if allowed[block]:
            first, end = a.block_firsts[block], a.block_ends[block]
            total = least[first] + cost[block] + back[end]
            for place in range(first + 1, end):
                without[bits + place - 1] = min(without[bits + place - 1], total)


@njit(**_OPTIONS)
def _finest_costs(a, measure, lost, coarse_lost, live, count, base, most, slack, fine_keys, work):
    """Fill what every row costs at the finest corner, and at most more by each column.

    Return the cost of the live rows at the finest corner.
    """
    columns = a.lengths.shape[0]
    fine_of, fine_factors, coarse_of, table, stamps, stamp, group = work
    total = 0.0
    if measure == CM:
        # A suppressed row costs 1; what is kept is counted by the parts of its class.
        most[:, :] = 1.0
        return total
    if measure == LOSS:
        for x in range(count):
            cell = live[x]
            slack[cell] = a.top
            for q in range(columns):
                value = a.leaves[q, cell]
                base[q, cell] = lost[q, value]
                most[q, cell] = coarse_lost[q, value] - lost[q, value]
                slack[cell] -= coarse_lost[q, value]
                total += a.sizes[cell] * lost[q, value]
        return total
    sums = np.zeros(count, dtype=np.int64)
    keys = fine_keys.copy()
    for q in range(-1, columns):
        if q >= 0:
            for x in range(count):
                cell = live[x]
                value = a.leaves[q, cell]
                keys[cell] = fine_keys[cell] + fine_factors[q] * (
                    coarse_of[q, value] - fine_of[q, value]
                )
        stamp[0] += 1
        groups = _number(keys, live, count, table, stamps, stamp[0], group)
        sums[:groups] = 0
        for x in range(count):
            sums[group[live[x]]] += a.sizes[live[x]]
        for x in range(count):
            cell = live[x]
            size = sums[group[cell]]
            if q < 0:
                base[:, cell] = size
                slack[cell] = a.top - size
                total += a.sizes[cell] * size
            else:
                most[q, cell] = size - base[q, cell]
                slack[cell] -= most[q, cell]
    return total


@njit(**_OPTIONS)
def bound_box(a, measure, k, budget, coarsest, finest, weights, rounds, table, stamps, stamp, out):
    """Bound the cost of all partitions between the coarsest and the finest of a box.

    ``out`` has arrays for the bound with and without every cut, the partitions that the columns
    choose, and the weights. Return the bound and how many rows any partition suppresses.
    """
    columns, cells, longest = a.lengths.shape[0], a.sizes.shape[0], a.ends.shape[1]
    units, coarse_of = (
        np.empty((columns, longest), np.int64),
        np.empty((columns, longest), np.int64),
    )
    unit_counts, coarse_counts = np.empty(columns, np.int64), np.empty(columns, np.int64)
    lost, coarse_lost = np.zeros((columns, longest)), np.zeros((columns, longest))
    inside = np.zeros((columns, longest + 1), np.int64)
    _blocks_of_values(a, finest, units, unit_counts, lost, inside)
    _blocks_of_values(a, coarsest, coarse_of, coarse_counts, coarse_lost, inside)
    keys, fine_keys = np.empty(cells, np.int64), np.empty(cells, np.int64)
    factors, fine_factors = np.empty(columns, np.int64), np.empty(columns, np.int64)
    _keys(a, coarse_of, coarse_counts, keys, factors)
    _keys(a, units, unit_counts, fine_keys, fine_factors)
    live, group, part = np.arange(cells), np.empty(cells, np.int64), np.empty(cells, np.int64)
    stamp[0] += 1
    groups = _number(keys, live, cells, table, stamps, stamp[0], group)
    sums = np.zeros(groups, np.int64)
    for cell in range(cells):
        sums[group[cell]] += a.sizes[cell]
    suppressed, count = 0, 0
    for cell in range(cells):
        if sums[group[cell]] < k:
            suppressed += a.sizes[cell]
        else:
            live[count] = cell
            count += 1
    base, most, slack = np.zeros((columns, cells)), np.zeros((columns, cells)), np.zeros(cells)
    work = (units, fine_factors, coarse_of, table, stamps, stamp, group)
    total = suppressed * a.top + _finest_costs(
        a, measure, lost, coarse_lost, live, count, base, most, slack, fine_keys, work
    )
    if suppressed > budget:
        return np.inf, suppressed
    # A class that is kept has k rows or more.
    floor = suppressed * a.top
    for x in range(count if measure == DM else 0):
        floor += a.sizes[live[x]] * max(base[0, live[x]], k)
    blocks = a.block_firsts.shape[0]
    costs = (np.zeros(blocks), np.zeros(blocks), np.zeros(blocks, np.bool_))
    box = (finest, units, unit_counts, inside, base, most, slack)
    is_open = unit_counts > coarse_counts
    some_key = np.empty(cells, np.int64)
    for q in range(columns):
        if not is_open[q] and (measure != CM or is_open.any() or q > 0):
            continue
        for x in range(count):
            cell = live[x]
            some_key[cell] = keys[cell] - factors[q] * coarse_of[q, a.leaves[q, cell]]
        stamp[0] += 1
        groups = _number(some_key, live, count, table, stamps, stamp[0], group)
        parts = 0
        if measure != LOSS:
            for x in range(count):
                cell = live[x]
                some_key[cell] = fine_keys[cell] - fine_factors[q] * units[q, a.leaves[q, cell]]
            stamp[0] += 1
            parts = _number(some_key, live, count, table, stamps, stamp[0], part)
        left = budget - suppressed
        _block_costs(a, q, measure, k, left, box, live, count, group, groups, part, parts, costs)
        if measure == CM:
            is_open[q] = True
    return _summed(
        a, measure, total, floor, is_open, finest, costs, weights, rounds, out
    ), suppressed


@njit(**_OPTIONS)
def bound_corners(a, measure, k, coarsest, finest, table, stamps, stamp):
    """Return the bound of k-Optimize, and how many classes there are at the coarsest corner.

    A row in a class of fewer than k rows at the coarsest corner is suppressed everywhere in the
    box; any other one costs at least what it costs at the finest, in DM at least k.
    """
    columns, cells, longest = a.lengths.shape[0], a.sizes.shape[0], a.ends.shape[1]
    block_of, counts = np.empty((columns, longest), np.int64), np.empty(columns, np.int64)
    lost, inside = np.zeros((columns, longest)), np.zeros((columns, longest + 1), np.int64)
    keys, factors = np.empty(cells, np.int64), np.empty(columns, np.int64)
    live, group = np.arange(cells), np.empty(cells, np.int64)
    _blocks_of_values(a, coarsest, block_of, counts, lost, inside)
    _keys(a, block_of, counts, keys, factors)
    stamp[0] += 1
    classes = _number(keys, live, cells, table, stamps, stamp[0], group)
    sums = np.zeros(classes, np.int64)
    for cell in range(cells):
        sums[group[cell]] += a.sizes[cell]
    total, count = 0.0, 0
    for cell in range(cells):
        if sums[group[cell]] < k:
            total += a.sizes[cell] * a.top
        else:
            live[count] = cell
            count += 1
    _blocks_of_values(a, finest, block_of, counts, lost, inside)
    if measure == LOSS:
        for x in range(count):
            for q in range(columns):
                total += a.sizes[live[x]] * lost[q, a.leaves[q, live[x]]]
        return total, classes
    _keys(a, block_of, counts, keys, factors)
    stamp[0] += 1
    parts = _number(keys, live, count, table, stamps, stamp[0], group)
    labels = np.zeros((parts, a.labels.shape[1] if measure == CM else 1))
    for x in range(count):
        if measure == CM:
            labels[group[live[x]]] += a.labels[live[x]]
        else:
            labels[group[live[x]]] += a.sizes[live[x]]
    for part in range(parts):
        size = labels[part].sum()
        total += size - labels[part].max() if measure == CM else size * max(size, k)
    return total, classes


@njit(**_OPTIONS)
def _summed(a, measure, total, floor, is_open, finest, costs, weights, rounds, out):
    """Return the bound of all columns together, and fill ``out``."""
    with_cut, without, string, weights_out = out
    kept_cost, slack_cost, allowed = costs
    columns, longest = a.lengths.shape[0], a.ends.shape[1]
    string[:] = finest
    with_cut[:] = -np.inf
    without[:] = -np.inf
    weights_out[:] = weights
    if not is_open.any():
        return max(total, floor)
    if measure != CM:
        weights_out[:] = _weigh(a, is_open, kept_cost, slack_cost, allowed, weights, rounds)
    least, back = np.empty(longest), np.empty(longest)
    via = np.zeros(longest, np.int64)
    cost = np.empty(kept_cost.shape[0])
    each = np.zeros(columns)
    for q in range(columns):
        if not is_open[q]:
            continue
        first, last = a.block_starts[q], a.block_starts[q + 1]
        cost[first:last] = kept_cost[first:last] + weights_out[q] * slack_cost[first:last]
        if measure == CM:
            cost[first:last] = kept_cost[first:last]
        each[q] = _least(a, q, cost, allowed, least, via)
        if not np.isfinite(each[q]):
            return np.inf
        bits = a.bit_starts[q]
        string[bits : bits + a.lengths[q] - 1] = False
        end = a.block_firsts[via[a.lengths[q]]]
        while end > 0:
            string[bits + end - 1] = True
            end = a.block_firsts[via[end]]
        _marginals(a, q, cost, allowed, least, back, with_cut, without)
    together = each.max() if measure == CM else each.sum()
    bound = max(total + together, floor)
    for q in range(columns):
        bits = a.bit_starts[q]
        for bit in range(bits, bits + a.lengths[q] - 1):
            if is_open[q]:
                others = total if measure == CM else total + together - each[q]
                with_cut[bit] = max(bound, others + with_cut[bit])
                without[bit] = max(bound, others + without[bit])
    return bound
