"""The kernel of MDAV: groups of at least k rows around cells that are far from the average."""

from __future__ import annotations

import numpy as np
from numba import njit

_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}


@njit(**_OPTIONS)
def _farthest(point, points, left, length):
    """Return the place of the cell that is farthest from a point, the first of equals."""
    found, most = 0, -1.0
    for place in range(length):
        distance = 0.0
        for q in range(points.shape[1]):
            distance += (points[left[place], q] - point[q]) ** 2
        if distance > most:
            found, most = place, distance
    return found


@njit(**_OPTIONS)
def _average(points, sizes, left, length, average):
    rows = 0
    average[:] = 0.0
    for place in range(length):
        cell = left[place]
        rows += sizes[cell]
        for q in range(points.shape[1]):
            average[q] += sizes[cell] * points[cell, q]
    for q in range(points.shape[1]):
        average[q] /= rows


@njit(**_OPTIONS)
def _take(center, k, points, sizes, left, length, distances, near):
    """Take a cell and the nearest ones until there are k rows; return how many cells are left.

    What is left keeps its order; the cells that were taken follow it.
    """
    wanted = k - sizes[left[center]]
    count, rows = 0, 0
    for place in range(length):
        if place == center or wanted <= 0:
            continue
        distance = 0.0
        for q in range(points.shape[1]):
            distance += (points[left[place], q] - points[left[center], q]) ** 2
        if rows >= wanted and distance >= distances[count - 1]:
            continue
        at = count
        while at > 0 and distances[at - 1] > distance:
            distances[at], near[at] = distances[at - 1], near[at - 1]
            at -= 1
        distances[at], near[at] = distance, place
        count += 1
        rows += sizes[left[place]]
        while rows - sizes[left[near[count - 1]]] >= wanted:
            count -= 1
            rows -= sizes[left[near[count]]]
    taken = np.empty(count + 1, dtype=np.int64)
    taken[0] = center
    taken[1:] = near[:count]
    taken.sort()
    cells = left[taken]
    remaining, at = 0, 0
    for place in range(length):
        if at < taken.shape[0] and taken[at] == place:
            at += 1
        else:
            left[remaining] = left[place]
            remaining += 1
    left[remaining:length] = cells
    return remaining


@njit(**_OPTIONS)
def mdav(points, sizes, k):
    """Return the group of every cell."""
    n, columns = points.shape
    left = np.arange(n)
    group = np.empty(n, dtype=np.int64)
    average = np.empty(columns)
    distances, near = np.empty(k + 2), np.empty(k + 2, dtype=np.int64)
    length, rows, groups = n, sizes.sum(), 0
    while rows >= 2 * k:
        _average(points, sizes, left, length, average)
        one = left[_farthest(average, points, left, length)]
        other = left[_farthest(points[one], points, left, length)]
        for turn in range(2 if rows >= 3 * k else 1):
            center = -1
            for place in range(length):
                if left[place] == (one if turn == 0 else other):
                    center = place
            if center < 0:
                continue
            before = length
            length = _take(center, k, points, sizes, left, length, distances, near)
            for place in range(length, before):
                group[left[place]] = groups
                rows -= sizes[left[place]]
            groups += 1
    for place in range(length):
        group[left[place]] = groups
    return group
