"""The methods of local recoding in plain Python, straight from their definitions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from tests.search.local.local_problems import Groups, label_size, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.microdata.count_table import CountTable


def column_order(table: CountTable) -> list[int]:
    """Columns by what one more value in a label costs, falling."""
    return sorted(range(len(table.names)), key=lambda q: -cost(table, q))


def cost(table: CountTable, q: int) -> float:
    identifier = table.quasi_identifiers[q]
    return identifier.weight / max(1, identifier.hierarchy.leaf_count - 1)


def float_loss(table: CountTable, cells: Sequence[int]) -> float:
    """The loss of a row, summed as the kernels do, so that ties are the same."""
    total = 0.0
    for q in column_order(table):
        size = label_size(table, q, table.cell_codes[q][list(cells)])
        total += (size - 1) * cost(table, q)
    return total


def peeled(table: CountTable, nodes: Sequence[Sequence[int]], k: int) -> Groups:
    """Take every class of at least k rows, node by node; the levels are in `column_order`."""
    left = list(range(table.cells))
    found: Groups = []
    for node in nodes:
        groups: dict[tuple[int, ...], list[int]] = {}
        for cell in left:
            key = tuple(
                int(table.hierarchies[q].levels[level][table.cell_codes[q][cell]])
                for q, level in zip(column_order(table), node, strict=True)
            )
            groups.setdefault(key, []).append(cell)
        taken = [cells for cells in groups.values() if rows_of(table, cells) >= k]
        found += taken
        left = [cell for cell in left if not any(cell in cells for cells in taken)]
    return found


def splits(table: CountTable, cells: Sequence[int], q: int) -> list[tuple[int, int]]:
    """The ranges of leaves that are put against all others: thresholds, then nodes."""
    codes = table.cell_codes[q]
    values = sorted({int(codes[cell]) for cell in cells})
    found = [(values[0], value) for value in values[:-1]]
    identifier = table.quasi_identifiers[q]
    if len(values) <= 2:
        return found
    for level in range(identifier.minimum_level, identifier.hierarchy.height + 1):
        blocks: dict[int, list[int]] = {}
        for value in values:
            blocks.setdefault(int(identifier.hierarchy.levels[level][value]), []).append(value)
        found += [
            (own[0], own[-1])
            for own in blocks.values()
            if own[0] > values[0] and own[-1] < values[-1]
        ]
        if len(blocks) <= 2:
            break
    return found


def top_down(table: CountTable, cells: Sequence[int], k: int) -> Groups:
    """Make the split after which the rows lose least, as long as there is one."""
    best, sides = math.inf, None
    for q in column_order(table):
        for low, high in splits(table, cells, q):
            inside = [cell for cell in cells if low <= table.cell_codes[q][cell] <= high]
            outside = [cell for cell in cells if cell not in inside]
            if min(rows_of(table, inside), rows_of(table, outside)) < k:
                continue
            value = rows_of(table, inside) * float_loss(table, inside)
            value += rows_of(table, outside) * float_loss(table, outside)
            if value < best:
                best, sides = value, (inside, outside)
    if sides is None:
        return [list(cells)]
    return [group for side in sides for group in top_down(table, side, k)]


def mondrian(table: CountTable, cells: Sequence[int], k: int, *, relaxed: bool) -> Groups:
    """Cut the widest column that has an allowable cut at its median; whole cells move."""
    codes = table.cell_codes

    def width(q: int) -> float:
        own = codes[q][list(cells)]
        return float(own.max() - own.min()) / max(1, int(codes[q].max() - codes[q].min()))

    for q in sorted(column_order(table), key=lambda q: -width(q)):
        if width(q) == 0:
            break
        rows = sorted(int(codes[q][cell]) for cell in cells for _ in range(table.cell_sizes[cell]))
        median = rows[(len(rows) - 1) // 2]
        for below in (True, False):
            if relaxed:
                left = [cell for cell in cells if codes[q][cell] < median]
                right = [cell for cell in cells if codes[q][cell] > median]
                middle = [cell for cell in cells if codes[q][cell] == median]
                for cell in sorted(middle, key=lambda cell: -table.cell_sizes[cell]):
                    fewer = rows_of(table, left) <= rows_of(table, right)
                    (left if fewer else right).append(cell)
            else:
                left = [
                    cell
                    for cell in cells
                    if codes[q][cell] < median or (below and codes[q][cell] == median)
                ]
                right = [cell for cell in cells if cell not in left]
            left.sort(key=list(cells).index)
            right.sort(key=list(cells).index)
            if min(rows_of(table, left), rows_of(table, right)) >= k:
                return [
                    group
                    for side in (left, right)
                    for group in mondrian(table, side, k, relaxed=relaxed)
                ]
    return [list(cells)]


def published_mondrian(records: np.ndarray, k: int) -> list[list[int]]:
    """LeFevre et al.: records without equal values in any column; returns lists of records."""
    whole = np.ptp(records, axis=0)

    def anonymize(own: list[int]) -> list[list[int]]:
        if len(own) < 2 * k:
            return [own]
        dimension = int(np.argmax(np.ptp(records[own], axis=0) / whole))
        split = np.sort(records[own, dimension])[(len(own) - 1) // 2]
        left = [i for i in own if records[i, dimension] <= split]
        right = [i for i in own if records[i, dimension] > split]
        return anonymize(left) + anonymize(right)

    return anonymize(list(range(len(records))))


def bottom_up(table: CountTable, k: int) -> Groups:
    """Xu et al.: merge groups below k with the group for which the union loses least."""
    groups: list[list[int]] = [[cell] for cell in range(table.cells)]
    while any(rows_of(table, own) < k for own in groups) and len(groups) > 1:
        merged: list[list[int] | None] = list(groups)
        fresh = set()
        for place in range(len(merged)):
            own = merged[place]
            if own is None or rows_of(table, own) >= k:
                continue
            best, nearest = math.inf, -1
            others = [p for p in range(len(merged)) if p != place and merged[p] is not None]
            for other in sorted(others, key=lambda p: (abs(p - place), p)):
                union = own + (merged[other] or [])
                value = rows_of(table, union) * float_loss(table, union)
                if value < best:
                    best, nearest = value, other
            if nearest < 0:
                break
            merged[place] = own + (merged[nearest] or [])
            merged[nearest] = None
            fresh.add(place)
        groups, more = [], []
        for place, own in enumerate(merged):
            if own is None:
                continue
            if place in fresh and rows_of(table, own) >= 2 * k:
                parts = top_down(table, own, k)
                groups.append(parts[0])
                more.append(parts[1:])
            else:
                groups.append(own)
        groups += [part for parts in more for part in parts]
    return groups


def published_mdav(points: np.ndarray, k: int) -> list[set[int]]:
    """The textbook: no equal records, no equal distances."""
    left = set(range(len(points)))
    groups = []

    def distance(one: np.ndarray, record: int) -> float:
        return float(((one - points[record]) ** 2).sum())

    def take(center: int) -> None:
        near = sorted(left, key=lambda record: distance(points[center], record))
        groups.append(set(near[:k]))
        left.difference_update(near[:k])

    while len(left) >= 2 * k:
        average = points[sorted(left)].mean(axis=0)
        one = max(left, key=lambda record: distance(average, record))
        other = max(left, key=lambda record: distance(points[one], record))
        twice = len(left) >= 3 * k
        take(one)
        if twice:
            take(other)
    if left:
        groups.append(set(left))
    return groups


def mdav_of_cells(points: np.ndarray, sizes: np.ndarray, k: int) -> list[set[int]]:
    """MDAV with equal records: a cell is taken whole, so that a group can have more than k rows.

    It is said by records: each has the point of its cell, and the average is that of the records.
    """
    records = [cell for cell, rows in enumerate(sizes.tolist()) for _ in range(rows)]
    groups: list[set[int]] = []

    def distance(one: np.ndarray, cell: int) -> float:
        return float(((one - points[cell]) ** 2).sum())

    def take(center: int) -> None:
        group = {center}
        near = sorted(set(records) - group, key=lambda cell: distance(points[center], cell))
        for cell in near:
            if sum(record in group for record in records) >= k:
                break
            group.add(cell)
        groups.append(group)
        records[:] = [record for record in records if record not in group]

    while len(records) >= 2 * k:
        average = points[records].mean(axis=0)
        one = max(records, key=lambda cell: distance(average, cell))
        other = max(records, key=lambda cell: distance(points[one], cell))
        twice = len(records) >= 3 * k
        take(one)
        if twice and other in records:
            take(other)
    if records:
        groups.append(set(records))
    return groups
