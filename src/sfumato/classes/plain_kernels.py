"""The kernels of a few recodings in plain NumPy, for work that is done before Numba is loaded.

A function has the name, the arguments and the results of the compiled one. What there is no plain
version of is compiled: asking for it loads the kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.compilation import load_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sfumato.arrays import Codes, Counts, Floats

    Keys = NDArray[np.uint64]


def __getattr__(name: str) -> Callable[..., object]:
    found: Callable[..., object] = getattr(load_kernels(), name)
    return found


def group_tables(
    keys: Keys,
    sizes: Counts,
    starts: Counts,
    values: Codes,
    counts: Counts,
    carried_values: int,
    column_order: Counts,  # noqa: ARG001 (that of the fields in the key, which is sorted by)
    word_of: Counts,
    shift_of: Counts,
    bits_of: Counts,
    map_starts: Counts,
    maps: Codes,
) -> tuple[Counts, Keys, Counts, Counts, Codes, Counts]:
    """Group one table under each of several recodings, directly."""
    codes = [_field(keys, word_of[q], shift_of[q], bits_of[q]) for q in range(word_of.shape[0])]
    lengths = np.diff(starts)
    tables = []
    for begins in map_starts:
        recoded = np.zeros_like(keys)
        for q, begin in enumerate(begins):
            field = maps[begin + codes[q]].astype(np.uint64) << np.uint64(shift_of[q])
            recoded[:, word_of[q]] |= field
        classes, first = _ranks(recoded)
        width = max(carried_values, 1)
        entries, which = np.unique(
            np.repeat(classes, lengths) * width + values, return_inverse=True
        )
        tables.append(
            (
                recoded[first],
                _sums(classes, sizes, first.shape[0]),
                np.bincount(entries // width, minlength=first.shape[0]),
                entries % width,
                _sums(which, counts, entries.shape[0]),
            )
        )
    found_keys, found_sizes, having, found_values, found_counts = map(
        np.concatenate, zip(*tables, strict=True)
    )
    return (
        _ends([table[1].shape[0] for table in tables]),
        np.ascontiguousarray(found_keys),
        found_sizes,
        _ends(having),
        found_values.astype(np.int32),
        found_counts,
    )


def largest_thresholds(
    sizes: Counts, weights: Counts, offsets: Counts, budget: int, out: Counts, suppressed: Counts
) -> None:
    """For every table, the smallest class size that is kept when at most ``budget`` rows go."""
    for n, table in _tables(offsets):
        groups, which = np.unique(sizes[table], return_inverse=True)
        rows = _sums(which, weights[table], groups.shape[0])
        gone = np.cumsum(rows[:-1])
        chosen = int(np.searchsorted(gone, budget, side="right"))
        out[n] = groups[chosen]
        suppressed[n] = gone[chosen - 1] if chosen else 0


def every_threshold(
    sizes: Counts, weights: Counts, offsets: Counts, budget: int, least: int
) -> tuple[Counts, Counts, Counts]:
    """For every table, all class sizes that can be the smallest kept one within ``budget`` rows."""
    thresholds, suppressed = [], []
    for _, table in _tables(offsets):
        groups, which = np.unique(sizes[table], return_inverse=True)
        rows = _sums(which, weights[table], groups.shape[0])
        below = np.cumsum(rows) - rows
        within = int(np.searchsorted(below, budget, side="right"))
        begin = min(int(np.searchsorted(groups, least)), within - 1)
        thresholds.append(groups[begin:within])
        suppressed.append(below[begin:within])
    return (
        _ends([each.shape[0] for each in thresholds]),
        np.concatenate(thresholds),
        np.concatenate(suppressed),
    )


def leaving(marks: Counts, offsets: Counts, starts: Counts, limits: Counts, out: Counts) -> None:
    """For every class, the first candidate of its table that suppresses it, or the last's next."""
    for n, table in _tables(offsets):
        first, end = int(starts[n]), int(starts[n + 1])
        out[table] = first + np.searchsorted(limits[first:end], marks[table], side="right")


def sums_by_candidate(
    values: Counts | Floats,
    marks: Counts,
    offsets: Counts,
    starts: Counts,
    limits: Counts,
    kept: bool,
    out: Counts | Floats,
) -> None:
    """For every candidate, the sum of a value over the classes that it keeps, or suppresses."""
    out[:] = 0
    places = _places(marks, offsets, starts, limits)
    for n, table in _tables(offsets):
        first, end = int(starts[n]), int(starts[n + 1])
        own, place = out[first:end], places[table] - first
        if kept:
            counted = place > 0
            np.add.at(own, place[counted] - 1, values[table][counted])
            own[:] = np.cumsum(own[::-1])[::-1]
        else:
            counted = place < end - first
            np.add.at(own, place[counted], values[table][counted])
            own[:] = np.cumsum(own)


def extremes_kept(
    values: Counts | Floats,
    marks: Counts,
    offsets: Counts,
    starts: Counts,
    limits: Counts,
    greatest: bool,
    empty: float,
    out: Floats,
) -> None:
    """For every candidate, the least or greatest value of the classes that it keeps."""
    for n, table in _tables(offsets):
        for candidate in range(int(starts[n]), int(starts[n + 1])):
            kept = values[table][marks[table] >= limits[candidate]]
            out[candidate] = (kept.max() if greatest else kept.min()) if kept.size else empty


def extents_below(
    keys: Keys,
    marks: Counts,
    weights: Counts,
    offsets: Counts,
    starts: Counts,
    limits: Counts,
    word_of: Counts,
    shift_of: Counts,
    bits_of: Counts,
    block_starts: Counts,
    block_sizes: Counts,
    out: Counts,
) -> None:
    """For every candidate and column, the sum of |block| - 1 over the rows that it suppresses."""
    out[:] = 0
    places = _places(marks, offsets, starts, limits)
    for n, table in _tables(offsets):
        first, end = int(starts[n]), int(starts[n + 1])
        gone = places[table] < end
        lost, rows = keys[table][gone], weights[table][gone]
        for q in range(word_of.shape[0]):
            codes = _field(lost, word_of[q], shift_of[q], bits_of[q])
            extents = rows * (block_sizes[block_starts[n, q] + codes] - 1)
            np.add.at(out[:, q], places[table][gone], extents)
        out[first:end] = np.cumsum(out[first:end], axis=0)


def _places(marks: Counts, offsets: Counts, starts: Counts, limits: Counts) -> Counts:
    places: Counts = np.empty(marks.shape[0], dtype=np.int64)
    leaving(marks, offsets, starts, limits, places)
    return places


def _tables(offsets: Counts) -> Iterator[tuple[int, slice]]:
    for n in range(offsets.shape[0] - 1):
        yield n, slice(int(offsets[n]), int(offsets[n + 1]))


def _field(keys: Keys, word: int, shift: int, bits: int) -> Counts:
    """Return the codes in a bit field of keys."""
    mask = np.uint64((1 << int(bits)) - 1)
    return ((keys[:, word] >> np.uint64(shift)) & mask).astype(np.int64)


def _ranks(keys: Keys) -> tuple[Counts, Counts]:
    """Return the rank of every key among the different ones, and where each of them is first."""
    order = np.lexsort(keys.T[::-1])
    ordered = keys[order]
    new = np.ones(order.shape[0], dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    ranks: Counts = np.empty(order.shape[0], dtype=np.int64)
    ranks[order] = np.cumsum(new) - 1
    return ranks, order[new]


def _sums(which: Counts, counts: Counts, length: int) -> Counts:
    """Add up counts by group: exactly, which the weights of `numpy.bincount` are not."""
    totals: Counts = np.zeros(length, dtype=np.int64)
    np.add.at(totals, which, counts)
    return totals


def _ends(lengths: list[int] | Counts) -> Counts:
    ends: Counts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return ends
