"""Crowding distance: how far a point's neighbours on its front are (Deb et al. 2002)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.front.dominance import value_ranks

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats


def crowding_distances(values: Floats, ranks: Counts) -> Floats:
    """Return the crowding distance of every point within its rank; greater is lonelier.

    For every objective the points of a rank are sorted, those at its ends get infinity, the
    others the distance between both neighbours over the range of the objective; the sum over the
    objectives counts. Equal metrics are sorted by the other objectives in turn: where metrics
    are whole numbers, a plain sort would leave it to chance which of many equals is at the end.
    An objective with infinite metrics counts by their order instead.
    """
    distances: Floats = np.zeros(values.shape[0], dtype=np.float64)
    objectives = values.shape[1]
    columns = [column if np.isfinite(column).all() else value_ranks(column) for column in values.T]
    for first in range(objectives):
        turns = [columns[(first + turn) % objectives] for turn in range(objectives)]
        order = np.lexsort((*turns[::-1], ranks))
        metrics, groups = turns[0][order], ranks[order]
        starts = np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1])))
        ends = np.concatenate((starts[1:], [groups.shape[0]])) - 1
        ranges = np.repeat(metrics[ends] - metrics[starts], ends - starts + 1)
        apart: Floats = np.zeros_like(metrics)
        apart[1:-1] = metrics[2:] - metrics[:-2]
        gaps = np.divide(apart, ranges, out=np.zeros_like(apart), where=ranges > 0)
        gaps[starts] = gaps[ends] = np.inf
        distances[order] += gaps
    return distances
