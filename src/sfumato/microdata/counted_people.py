"""People in a count table: who the rows of its entries are about.

Distinct people do not add up when classes merge, unless all rows of a person stay together. So
people whose rows are all in one group are counted, and only the others are carried one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.engines.messages.grouped_counts import GroupedPeople
    from sfumato.statements.counted_statements import StatementPatterns

MOST_PARTS = 20
"""Up to so many different values a person's weight is split without rounding."""


class PeopleBy(NamedTuple):
    """People by their values of a counted column, or by nothing, as class tables can carry them."""

    counted: str | StatementPatterns | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedPeople:
    """Who the entries of a count table are about.

    ``alone`` has, for every entry, the people all of whose rows are in it. All others come as
    pairs of ``persons`` and ``entries``, by person; ``cells`` are the cells of these entries.
    """

    alone: Counts
    persons: Counts
    entries: Counts
    cells: Counts

    @classmethod
    def of(cls, people: GroupedPeople, entry_of: Counts, cell_of_entry: Counts) -> Self:
        """Return the people of groups of rows, given the entry that each group became part of."""
        single = people.persons < 0
        entries = cell_of_entry.shape[0]
        alone = np.bincount(
            entry_of[single], weights=people.counts[single], minlength=entries
        ).astype(np.int64)
        pairs = np.unique(people.persons[~single] * np.int64(max(1, entries)) + entry_of[~single])
        persons, entry = pairs // max(1, entries), pairs % max(1, entries)
        _, which, many = np.unique(persons, return_inverse=True, return_counts=True)
        # Groups that became one entry when their texts were read as values.
        together = many[which.ravel()] == 1 if persons.size else np.zeros(0, dtype=np.bool_)
        np.add.at(alone, entry[together], 1)
        persons = np.unique(persons[~together], return_inverse=True)[1].ravel()
        entry = entry[~together]
        return cls(
            alone=alone,
            persons=persons.astype(np.int64),
            entries=entry.astype(np.int64),
            cells=cell_of_entry[entry].astype(np.int64),
        )

    def __post_init__(self) -> None:
        for array in (self.alone, self.persons, self.entries, self.cells):
            array.flags.writeable = False

    @cached_property
    def starts(self) -> Counts:
        """Where the pairs of every person begin, and the end."""
        people = int(self.persons[-1]) + 1 if self.persons.size else 0
        return np.searchsorted(self.persons, np.arange(people + 1)).astype(np.int64)

    @cached_property
    def count(self) -> int:
        """The number of people."""
        return int(self.alone.sum()) + int(self.starts.shape[0]) - 1

    @cached_property
    def in_several_cells(self) -> int:
        """How many people have rows in more than one cell."""
        return int((~self.together(self.cells)).sum())

    def together(self, groups: Counts) -> Flags:
        """Say of every person with several entries whether all are in one group.

        ``groups`` has the group of every pair.
        """
        if not self.persons.size:
            return np.zeros(0, dtype=np.bool_)
        first = groups[self.starts[:-1]][self.persons]
        flags: Flags = np.logical_and.reduceat(groups == first, self.starts[:-1])
        return flags

    def coded(self, codes: Codes | None, width: int) -> CodedPeople:
        """Return how people are carried with their codes of a column; None is by nothing."""
        own = np.zeros(self.entries.shape, dtype=np.int64) if codes is None else codes[self.entries]
        return CodedPeople.of(self, own.astype(np.int64), width)


@dataclass(frozen=True, kw_only=True, eq=False)
class CodedPeople:
    """How people are carried by class tables, with the different codes that each has.

    Somebody all of whose rows are in one class is counted by the *set* of their codes: set ``s``
    has the codes from ``set_starts[s]`` to ``set_starts[s + 1]`` of ``set_codes``; the first
    ``width`` sets are the codes themselves. Anybody else is carried: *pair* ``j`` is the code
    ``pair_codes[j]`` of person ``pair_persons[j]``. What is carried is numbered: sets, then pairs,
    of which those of people in several cells come first, up to ``cell_reach``. ``scale`` is what a
    person weighs, a multiple of their numbers of codes, so that it can be split.
    """

    people: CountedPeople
    width: int
    set_starts: Counts
    set_codes: Counts
    set_of_person: Counts
    pair_of: Counts
    pair_persons: Counts
    pair_codes: Counts
    cell_reach: int
    scale: int

    @classmethod
    def of(cls, people: CountedPeople, codes: Counts, width: int) -> Self:
        """Find the sets and pairs; ``codes`` has the code of every pair of person and entry."""
        several = ~people.together(people.cells)
        moving = several[people.persons] if people.persons.size else np.zeros(0, dtype=np.bool_)
        # Those in several cells first, then by person and code.
        key = (people.persons + np.where(moving, 0, several.shape[0])) * np.int64(width) + codes
        distinct, pair_of = np.unique(key, return_inverse=True)
        ranked = distinct // width
        persons = np.where(ranked >= several.shape[0], ranked - several.shape[0], ranked)
        pair_codes = distinct % width
        reach = int(np.count_nonzero(ranked < several.shape[0]))
        sets: dict[bytes, int] = {}
        parts: list[Counts] = []
        set_of_person = np.zeros(several.shape[0], dtype=np.int64)
        bounds = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1], [True])))
        if not ranked.size:
            bounds = np.zeros(1, dtype=np.int64)
        lengths = np.diff(bounds)
        owners = persons[bounds[:-1]] if ranked.size else persons
        set_of_person[owners] = pair_codes[bounds[:-1]] if ranked.size else 0
        for at in np.flatnonzero(lengths > 1):
            own = pair_codes[bounds[at] : bounds[at + 1]]
            known = sets.setdefault(own.tobytes(), width + len(parts))
            if known == width + len(parts):
                parts.append(own)
            set_of_person[owners[at]] = known
        starts = np.concatenate((np.arange(width), width + np.cumsum([0, *map(len, parts)])))
        most = int(lengths.max(initial=1))
        return cls(
            people=people,
            width=width,
            set_starts=starts.astype(np.int64),
            set_codes=np.concatenate((np.arange(width), *parts)).astype(np.int64),
            set_of_person=set_of_person,
            pair_of=pair_of.ravel().astype(np.int64),
            pair_persons=persons.astype(np.int64),
            pair_codes=pair_codes.astype(np.int64),
            cell_reach=len(starts) - 1 + reach,
            scale=math.lcm(*range(1, min(most, MOST_PARTS) + 1)),
        )

    @property
    def sets(self) -> int:
        """The number of sets."""
        return int(self.set_starts.shape[0]) - 1

    @property
    def reach(self) -> int:
        """The number of sets and pairs."""
        return self.sets + int(self.pair_codes.shape[0])

    @cached_property
    def set_shares(self) -> Counts:
        """What somebody with a set of codes weighs by each of them."""
        lengths = np.diff(self.set_starts)
        many = np.repeat(lengths, lengths)
        part = np.arange(many.shape[0]) - np.repeat(self.set_starts[:-1], lengths)
        shares: Counts = (self.scale * (part + 1)) // many - (self.scale * part) // many
        return shares

    def marginal(self, code_of_entry: Codes) -> Counts:
        """Return what all people weigh by code, each split over the different codes they have."""
        weights: Counts = np.zeros(self.width, dtype=np.int64)
        np.add.at(weights, code_of_entry, self.people.alone * self.scale)
        own = np.bincount(self.set_of_person, minlength=self.sets)
        shares = np.repeat(own, np.diff(self.set_starts)) * self.set_shares
        np.add.at(weights, self.set_codes, shares)
        return weights

    def having(self, code_of_entry: Codes) -> Counts:
        """Return how many people have each code."""
        found: Counts = np.zeros(self.width, dtype=np.int64)
        np.add.at(found, code_of_entry, self.people.alone)
        own = np.bincount(self.set_of_person, minlength=self.sets)
        np.add.at(found, self.set_codes, np.repeat(own, np.diff(self.set_starts)))
        return found

    def having_any(self, code_of_entry: Codes, flagged: Flags) -> int:
        """Return how many people have at least one of the codes that are flagged."""
        alone = int(self.people.alone[flagged[code_of_entry]].sum())
        sets = np.logical_or.reduceat(flagged[self.set_codes], self.set_starts[:-1])
        return alone + int(np.count_nonzero(sets[self.set_of_person]))

    def triples(
        self, group_of_entry: Counts, code_of_entry: Codes | None
    ) -> tuple[Counts, Counts, Counts]:
        """Return the group, set or pair, and count of all people, however entries are grouped."""
        people = self.people
        some = np.flatnonzero(people.alone)
        own = np.zeros(some.shape, dtype=np.int64) if code_of_entry is None else code_of_entry[some]
        groups = group_of_entry[people.entries]
        settled = people.together(groups)
        first = people.entries[people.starts[:-1]][settled]
        moving = ~settled[people.persons] if people.persons.size else np.zeros(0, dtype=np.bool_)
        group = np.concatenate((group_of_entry[some], group_of_entry[first], groups[moving]))
        value = np.concatenate((own, self.set_of_person[settled], self.sets + self.pair_of[moving]))
        counts = np.ones(group.shape, dtype=np.int64)
        counts[: some.shape[0]] = people.alone[some]
        return group.astype(np.int64), value.astype(np.int64), counts
