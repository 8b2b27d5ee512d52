"""A value of everybody who is protected, in the class where they are worst off.

A row is in one class. A person may be in several, and counts once, with the least or greatest of
the values there. The suppressed rows of a candidate are one class of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from sfumato.classes.protected_groups import ProtectedGroups
from sfumato.microdata.value_counts import ValueCounts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import Carried, CountTable

_ENTRIES_AT_ONCE = 2_000_000


class Candidates(Protocol):
    """What is asked of `sfumato.classes.classes.Classes`, which asks this file for sums."""

    @property
    def batch(self) -> ClassBatch:
        """The batch."""
        ...

    @property
    def recoding(self) -> Counts:
        """The recoding of every candidate."""
        ...

    @property
    def table(self) -> CountTable:
        """The table."""
        ...

    @property
    def count(self) -> int:
        """The number of candidates."""
        ...

    @property
    def suppressed_rows(self) -> Counts:
        """The rows that every candidate suppresses."""
        ...

    def suppressed_counts(self, column: Carried) -> Counts:
        """Return the suppressed rows of every candidate by value."""
        ...

    def sum_kept(self, per_class: Counts) -> Counts:
        """Add up whole numbers over the kept classes of every candidate."""
        ...

    def add_kept(self, per_class: Floats) -> Floats:
        """Add up real numbers over the kept classes of every candidate."""
        ...

    def keeps(self, candidates: Counts, classes: Counts) -> Flags:
        """Say whether candidates keep classes, pair by pair."""
        ...


class OfCode(Protocol):
    """The value of somebody with a code in a group, pair by pair."""

    def __call__(self, view: ProtectedGroups, groups: Counts, codes: Counts, /) -> Counts | Floats:
        """Return a value for every pair of group and code."""
        ...


class UnitValues(NamedTuple):
    """How many units of a candidate have a value."""

    candidates: Counts
    values: Counts | Floats
    units: Counts


def size_of(view: ProtectedGroups, groups: Counts, codes: Counts) -> Counts:  # noqa: ARG001
    """Return how many there are in a group, whatever the code."""
    return view.units[groups]


def size_sums(classes: Candidates) -> Counts:
    """Return Σ over everybody of how many are in their class, the smallest if there are several."""
    return np.asarray(sum_over_units(classes, None, size_of, greatest=False), dtype=np.int64)


def sum_over_units(
    classes: Candidates, column: Carried | None, of: OfCode, *, greatest: bool
) -> Counts | Floats:
    """Add up the values of everybody, for every candidate."""
    if classes.table.people is None:
        return _sum_over_rows(classes, column, of)
    whole: Counts = np.zeros(classes.count, dtype=np.int64)
    real: Floats = np.zeros(classes.count, dtype=np.float64)
    for found in unit_values(classes, column, of, greatest=greatest):
        # Whole numbers are added up as such.
        totals = whole if np.issubdtype(found.values.dtype, np.integer) else real
        np.add.at(totals, found.candidates, found.values * found.units)
    return real if real.any() else whole


def _sum_over_rows(classes: Candidates, column: Carried | None, of: OfCode) -> Counts | Floats:
    """Add up the values of all rows: by class, since a row is in one."""
    view = classes.batch.protected(column)
    counts = view.counts
    of_class = np.repeat(np.arange(classes.batch.classes), np.diff(counts.starts))
    by_entry = counts.counts * of(view, of_class, counts.values.astype(np.int64))
    by_class = np.add.reduceat(by_entry, counts.starts[:-1])
    whole = np.issubdtype(by_class.dtype, np.integer)
    totals = classes.sum_kept(by_class) if whole else classes.add_kept(by_class)
    if not classes.suppressed_rows.any():
        return totals
    if column is None:
        gone = classes.suppressed_rows[:, np.newaxis]
    else:
        gone = classes.suppressed_counts(column)
    candidates, codes = np.nonzero(gone)
    counted = gone[candidates, codes]
    starts = np.searchsorted(candidates, np.arange(classes.count + 1))
    left = ProtectedGroups(
        table=classes.table,
        carried=view.carried,
        counts=ValueCounts(
            starts=starts.astype(np.int64),
            values=codes.astype(np.int32),
            counts=counted,
            spans=counts.spans,
        ),
        sizes=classes.suppressed_rows,
    )
    np.add.at(totals, candidates, counted * of(left, candidates, codes))
    return totals


def unit_values(
    classes: Candidates, column: Carried | None, of: OfCode, *, greatest: bool
) -> Iterator[UnitValues]:
    """Yield the values of everybody, some candidates at a time so that memory stays bounded."""
    batch = classes.batch
    view = batch.protected(column)
    starts = view.counts.starts
    class_of = np.repeat(np.arange(batch.classes), np.diff(starts))
    first = starts[batch.offsets[classes.recoding]]
    lengths = starts[batch.offsets[classes.recoding + 1]] - first
    chunk = np.cumsum(lengths) // _ENTRIES_AT_ONCE
    lows = np.flatnonzero(np.concatenate(([True], chunk[1:] != chunk[:-1])))
    for low, high in zip(lows, [*lows[1:], classes.count], strict=True):
        which = np.repeat(np.arange(high - low), lengths[low:high])
        entries = np.arange(which.shape[0])
        entries += (first[low:high] - np.cumsum(lengths[low:high]) + lengths[low:high])[which]
        kept = classes.keeps(which + low, class_of[entries])
        parts = [_valued(view, which[kept], entries[kept], class_of[entries[kept]], of, greatest)]
        if not kept.all():
            left = entries[~kept]
            counts = ValueCounts.gather(
                [
                    (
                        which[~kept],
                        view.counts.values[left].astype(np.int64),
                        view.counts.counts[left],
                    )
                ],
                spans={view.carried: (0, int(view.counts.values.max()) + 1)},
                groups=high - low,
            )
            gone = ProtectedGroups(
                table=classes.table,
                carried=view.carried,
                counts=counts,
                sizes=classes.suppressed_rows[low:high],
            )
            of_candidate = np.repeat(np.arange(high - low), np.diff(counts.starts))
            every = np.arange(of_candidate.shape[0])
            parts.append(_valued(gone, of_candidate, every, of_candidate, of, greatest))
        candidates, values, units, persons = map(np.concatenate, zip(*parts, strict=True))
        yield _once(candidates + low, values, units, persons, greatest=greatest)


def _valued(
    view: ProtectedGroups,
    candidates: Counts,
    entries: Counts,
    groups: Counts,
    of: OfCode,
    greatest: bool,
) -> tuple[Counts, Counts | Floats, Counts, Counts]:
    """Return the candidate, worst value, number and person of carried entries."""
    persons = view.persons(entries)
    coded = view.of_codes(entries)
    values = of(view, groups[coded.entries], coded.codes)
    if coded.entries.shape[0] > entries.shape[0]:
        begins = np.flatnonzero(np.diff(coded.entries, prepend=-1))
        values = (np.maximum if greatest else np.minimum).reduceat(values, begins)
    units = np.where(persons < 0, view.counts.counts[entries], 1)
    return candidates, values, units, persons


def _once(
    candidates: Counts,
    values: Counts | Floats,
    units: Counts,
    persons: Counts,
    *,
    greatest: bool,
) -> UnitValues:
    """Count everybody who comes several times once, with the worst of their values."""
    carried = persons >= 0
    if not carried.any():
        return UnitValues(candidates, values, units)
    own = np.flatnonzero(carried)
    key = candidates[own] * np.int64(int(persons.max()) + 1) + persons[own]
    order = np.argsort(key, kind="stable")
    key, own = key[order], own[order]
    begins = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    worst = (np.maximum if greatest else np.minimum).reduceat(values[own], begins)
    return UnitValues(
        np.concatenate((candidates[~carried], candidates[own[begins]])),
        np.concatenate((values[~carried], worst)),
        np.concatenate((units[~carried], np.ones(begins.shape[0], dtype=np.int64))),
    )
