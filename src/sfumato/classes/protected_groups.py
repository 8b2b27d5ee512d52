"""Those whom a release protects, in groups: rows, or people where there is a person key.

A measure asks how many there are in a class, how many of them have a value, and how the values are
distributed among them. It need not know whether they are rows or people.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.classes.compilation import load_kernels
from sfumato.microdata.count_table import PeopleBy

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sfumato.arrays import Counts, Flags
    from sfumato.microdata.count_table import Carried, CountTable
    from sfumato.microdata.counted_people import CodedPeople
    from sfumato.microdata.value_counts import ValueCounts


class ByValue(NamedTuple):
    """Of every group: how many units, how many have each value, and what they weigh together.

    A unit weighs the same as any other, split equally over its different values in the group:
    ``shares`` sum to ``totals``.
    """

    units: Counts
    having: ValueCounts
    shares: ValueCounts
    totals: Counts


class OfCodes(NamedTuple):
    """Sets and pairs as the codes that they are of: the entry and the code, one after another."""

    entries: Counts
    codes: Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class ProtectedGroups:
    """Groups of rows of a table, as those in them are protected.

    ``counts`` are rows by value, or people as `PeopleBy` carries them; ``sizes`` the rows of every
    group. ``carried`` says what is counted.
    """

    table: CountTable
    carried: Carried | None
    counts: ValueCounts
    sizes: Counts

    @property
    def _coded(self) -> CodedPeople | None:
        if not isinstance(self.carried, PeopleBy):
            return None
        return self.table.coded_people(self.carried)

    @property
    def scale(self) -> int:
        """What a unit weighs."""
        return 1 if self._coded is None else self._coded.scale

    @cached_property
    def by_value(self) -> ByValue:
        """How the values are distributed in every group."""
        coded, counts = self._coded, self.counts
        if coded is None:
            return ByValue(self.sizes, counts, counts, self.sizes)
        people, starts, codes, having, shares = load_kernels().people_by_code(
            counts.starts,
            counts.values,
            counts.counts,
            coded.set_starts,
            coded.set_codes,
            coded.set_shares,
            coded.pair_persons,
            coded.pair_codes,
            coded.width,
            coded.scale,
        )
        spans: dict[Hashable, tuple[int, int]] = {self.carried: (0, coded.width)}
        found = replace(counts, starts=starts, values=codes, counts=having, spans=spans)
        return ByValue(people, found, replace(found, counts=shares), people * coded.scale)

    @cached_property
    def units(self) -> Counts:
        """How many there are in every group."""
        coded = self._coded
        if coded is None:
            return self.sizes
        return self.with_code(np.ones(coded.width, dtype=np.bool_))

    def with_code(self, flagged: Flags) -> Counts:
        """Return how many of every group have at least one of the codes that are flagged."""
        coded, counts = self._coded, self.counts
        groups = counts.starts.shape[0] - 1
        if coded is None:
            return sum_by_group(counts.counts * flagged[counts.values], counts.starts)
        found = np.empty(groups, dtype=np.int64)
        load_kernels().people_with(
            counts.starts,
            counts.values,
            counts.counts,
            np.logical_or.reduceat(flagged[coded.set_codes], coded.set_starts[:-1]).astype(
                np.int64
            ),
            flagged[coded.pair_codes].astype(np.int64),
            coded.pair_persons,
            found,
        )
        return found

    def persons(self, entries: Counts) -> Counts:
        """Return the person of carried entries; -1 where an entry counts several units."""
        coded = self._coded
        if coded is None:
            return np.full(entries.shape, -1, dtype=np.int64)
        values = self.counts.values[entries].astype(np.int64)
        found = np.full(values.shape, -1, dtype=np.int64)
        pairs = values >= coded.sets
        found[pairs] = coded.pair_persons[values[pairs] - coded.sets]
        return found

    def of_codes(self, entries: Counts) -> OfCodes:
        """Return all codes of carried entries; the first number is a place in ``entries``."""
        coded = self._coded
        values = self.counts.values[entries].astype(np.int64)
        places = np.arange(values.shape[0])
        if coded is None:
            return OfCodes(places, values)
        pairs = values >= coded.sets
        sets = np.where(pairs, 0, values)
        lengths = np.where(pairs, 1, coded.set_starts[sets + 1] - coded.set_starts[sets])
        place = np.repeat(places, lengths)
        within = np.arange(place.shape[0]) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        codes = np.empty(place.shape, dtype=np.int64)
        single = pairs[place]
        codes[single] = coded.pair_codes[values[place[single]] - coded.sets]
        codes[~single] = coded.set_codes[coded.set_starts[sets[place[~single]]] + within[~single]]
        return OfCodes(place, codes)

    def having(self, groups: Counts, codes: Counts) -> Counts:
        """Return how many of a group have a code, pair by pair; they must occur."""
        found = self.by_value.having
        width = np.int64(max(1, int(found.values.max(initial=0)) + 1))
        of_group = np.repeat(np.arange(found.starts.shape[0] - 1), np.diff(found.starts))
        keys = of_group * width + found.values
        return found.counts[np.searchsorted(keys, groups * width + codes)]


def sum_by_group(per_entry: Counts, starts: Counts) -> Counts:
    """Add up the entries of every group; 0 for a group without entries."""
    totals = np.concatenate(([0], np.cumsum(per_entry)))
    sums: Counts = totals[starts[1:]] - totals[starts[:-1]]
    return sums
