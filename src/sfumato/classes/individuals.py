"""The individuals that property vectors are about, in groups that nothing tells apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

import numpy as np

from sfumato.arrays import sealed_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Codes, Counts
    from sfumato.microdata.count_table import CountTable


class Refined(NamedTuple):
    """The common refinement of two groupings: the group in either, and the rows, of each part."""

    first: Counts
    second: Counts
    counts: Counts


class Refinements:
    """Refinements by the two arrays that group the individuals; arrays are told apart by identity.

    Nothing is kept of an array that is gone, so that comparing many anonymizations one after
    another does not pile up.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], tuple[ref[Codes], ref[Codes], Refined]] = {}

    def find(self, first: Codes, second: Codes, make: Callable[[], Refined]) -> Refined:
        """Return the refinement of two groupings, made now if it was not before."""
        key = id(first), id(second)
        known = self._found.get(key)
        if known is not None and known[0]() is first and known[1]() is second:
            return known[2]

        def forget(_: object) -> None:
            self._found.pop(key, None)

        found = make()
        self._found[key] = ref(first, forget), ref(second, forget), found
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Individuals:
    """Groups of rows that share every property under every recoding, with their numbers of rows.

    For recodings of a table these are its cells times the sensitive values in them: the entries
    of the count table, the common refinement of all its recodings. For plain sequences every row
    is a group, and two sequences of one length are about the same individuals, in order.
    """

    counts: Counts
    table: CountTable | None = None

    @classmethod
    def of_table(cls, table: CountTable) -> Individuals:
        """Return the individuals of a count table: its entries."""
        return cls(counts=table.entry_counts, table=table)

    @classmethod
    def in_order(cls, rows: int) -> Individuals:
        """Return that many individuals who are told apart by their place alone."""
        return cls(counts=sealed_counts(np.ones(rows, dtype=np.int64)))

    @cached_property
    def refinements(self) -> Refinements:
        """The common refinements of groupings of these individuals that were asked for."""
        return Refinements()

    @property
    def rows(self) -> int:
        """The number of individuals."""
        return int(self.counts.sum())

    def same_as(self, other: Individuals) -> bool:
        """Say whether two vectors over these and those can be compared entry by entry."""
        if self.table is None and other.table is None:
            return self.counts.shape == other.counts.shape
        return self.table is other.table
