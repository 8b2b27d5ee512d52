"""How far the values of every class are from those of the whole table (Li et al., 2007, §5).

All three distances are computed from the values that occur in a class, never from a matrix of
classes and values. With p = count / size and q = rows / N, everything is multiplied by size · N
and so stays in integers; only for tables too large for that (more than 2^62 rows² · domain) it is
done in floating point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.arrays import Counts, Floats
from sfumato.hierarchies.ground_distance import HierarchicalDistance, OrderedDistance

if TYPE_CHECKING:
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.protected_groups import ProtectedGroups
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.microdata.count_table import CountedColumn
    from sfumato.microdata.value_counts import ValueCounts

Amounts: TypeAlias = Counts | Floats

_ROOM = 2**62


def earth_movers_distance(batch: ClassBatch, column: CountedColumn) -> Floats:
    """Return the distance of every class to the table, by the column's own ground distance."""
    return distances_to_table(batch.protected(column.name), column)


def distances_to_table(groups: ProtectedGroups, column: CountedColumn) -> Floats:
    """Return the distance to the table of any groups of its rows, however they were formed."""
    table, counts = groups.table, groups.by_value.shares
    distance = column.ground_distance
    hierarchy = distance.hierarchy if isinstance(distance, HierarchicalDistance) else None
    steps = len(column.values) + (0 if hierarchy is None else hierarchy.height)
    sizes: Amounts = groups.by_value.totals
    marginal: Amounts = table.protected_marginal(column.name)
    if (table.units * groups.scale) ** 2 * steps >= _ROOM:
        sizes, marginal = sizes.astype(np.float64), marginal.astype(np.float64)
    if hierarchy is not None:
        return hierarchical_distance(counts, sizes, marginal, hierarchy)
    if isinstance(distance, OrderedDistance):
        return ordered_distance(counts, sizes, marginal)
    return equal_distance(counts, sizes, marginal)


def equal_distance(counts: ValueCounts, sizes: Amounts, marginal: Amounts) -> Floats:
    """Return Σ max(p_v - q_v, 0): the share of rows that must change their value."""
    rows = marginal.sum()
    size_of = np.repeat(sizes, np.diff(counts.starts))
    extra = counts.counts * rows - marginal[counts.values] * size_of
    moved = np.add.reduceat(np.maximum(extra, 0), counts.starts[:-1])
    return np.asarray(moved / (sizes * rows), dtype=np.float64)


def ordered_distance(counts: ValueCounts, sizes: Amounts, marginal: Amounts) -> Floats:
    """Return Σ_i |P_i - Q_i| / (m - 1), P and Q being cumulative shares.

    P is constant between two values that occur, and Q only grows: up to where Q passes P the
    differences have one sign, beyond it the other, and both sums come from prefix sums of Q.
    """
    rows = marginal.sum()
    length = marginal.shape[0]
    if length == 1:
        return np.zeros(sizes.shape, dtype=np.float64)
    cumulative = np.cumsum(marginal)
    prefix = np.concatenate((np.zeros(1, dtype=marginal.dtype), np.cumsum(cumulative)))
    first = counts.starts[:-1]
    lengths = np.diff(counts.starts)
    size_of = np.repeat(sizes, lengths)
    totals = np.concatenate(([0], np.cumsum(counts.counts)))
    reached = (totals[1:] - np.repeat(totals[first], lengths)) * rows
    begin = counts.values
    end = np.concatenate((begin[1:], begin[:1]))
    end[counts.starts[1:] - 1] = length
    # The first value whose cumulative share exceeds that of the class.
    passed = np.searchsorted(cumulative, reached // size_of, side="right")
    passed = np.clip(passed, begin, end)
    over = reached * (2 * passed - begin - end)
    under = size_of * (prefix[begin] + prefix[end] - 2 * prefix[passed])
    moved = np.add.reduceat(over + under, first) + sizes * prefix[begin[first]]
    return np.asarray(moved / (sizes * rows * (length - 1)), dtype=np.float64)


def hierarchical_distance(
    counts: ValueCounts, sizes: Amounts, marginal: Amounts, hierarchy: Hierarchy
) -> Floats:
    """Return Σ over inner nodes of height / H · min(surplus, lack) of their children.

    Only children that occur in a class can have a surplus, and a node's lack is its surplus less
    what it has in excess itself, so that nodes which do not occur cost nothing.
    """
    rows = marginal.sum()
    groups = sizes.shape[0]
    moved = np.zeros(groups, dtype=marginal.dtype)
    if hierarchy.height == 0:
        return moved.astype(np.float64)
    # The nodes of one level that occur in each class, ascending by class and node.
    node_class = np.repeat(np.arange(groups), np.diff(counts.starts))
    nodes, held = counts.values, counts.counts
    extra = held * rows - marginal[nodes] * sizes[node_class]
    for level in range(1, hierarchy.height + 1):
        nodes = hierarchy.between(level - 1, level)[nodes]
        differs = (nodes[1:] != nodes[:-1]) | (node_class[1:] != node_class[:-1])
        first = np.flatnonzero(np.concatenate(([True], differs)))
        surplus = np.add.reduceat(np.maximum(extra, 0), first)
        nodes, node_class = nodes[first], node_class[first]
        held = np.add.reduceat(held, first)
        wanted = np.add.reduceat(marginal, hierarchy.block_starts(level))
        extra = held * rows - wanted[nodes] * sizes[node_class]
        np.add.at(moved, node_class, level * np.minimum(surplus, surplus - extra))
    return np.asarray(moved / (sizes * rows * hierarchy.height), dtype=np.float64)
