"""An anonymization as properties see it: the class of every individual, and what classes lose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.compare.vectors.individuals import Individuals
from sfumato.errors import SettingsError
from sfumato.measures.loss.loss import widths
from sfumato.microdata.count_table import exact_bincount
from sfumato.microdata.value_counts import ValueCounts

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.classes.candidates import Candidates
    from sfumato.microdata.count_table import CountTable

_ROOM = 2**62
_DENSE = 4
"""How many combinations there may be for each entry before only those that occur are looked at."""


class ValueGroups(NamedTuple):
    """Rows of equal class and sensitive value: the group of every entry, and what groups have."""

    group_of: Codes
    counts: Counts
    class_of: Counts
    value_of: Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class Anonymization:
    """The classes of a table's individuals under one recoding (Comparison §3).

    ``class_of`` has the class of every entry of the count table. The suppressed rows are one
    class of their own, overly generalized; ``suppressed`` is its number, None if there are none.
    ``extents[c, q]`` is |block| - 1 of quasi-identifier ``q`` in class ``c``, and the whole width
    of the domain for suppressed rows; None where nobody knows the blocks, which is the case of
    labels from elsewhere that the hierarchies lack (``unknown`` says which).
    """

    table: CountTable
    class_of: Codes
    extents: Counts | None
    suppressed: int | None = None
    label: str = ""
    unknown: str = ""

    def __post_init__(self) -> None:
        self.class_of.flags.writeable = False

    @classmethod
    def of_candidate(
        cls, candidates: Candidates, position: int = 0, *, label: str = ""
    ) -> Anonymization:
        """Return what a candidate makes of its table: its recoding after suppression."""
        batch, recoding = candidates.batch, int(candidates.recoding[position])
        blocks = [
            book.block_of[int(page)]
            for book, page in zip(batch.books, batch.choices[recoding], strict=True)
        ]
        gone = np.flatnonzero(~candidates.kept_of(position)) + batch.offsets[recoding]
        return cls.of_blocks(
            batch.table,
            blocks,
            gone=np.stack([batch.codes(q, gone) for q in range(len(blocks))], axis=1),
            label=label,
        )

    @classmethod
    def of_blocks(
        cls,
        table: CountTable,
        blocks: Sequence[Codes],
        *,
        gone: Counts | None = None,
        label: str = "",
    ) -> Anonymization:
        """Recode a table by a block for every leaf; ``gone`` are the blocks of suppressed classes.

        It has a row for each such class and a column for each quasi-identifier.
        """
        codes = [of[leaves] for of, leaves in zip(blocks, table.cell_codes, strict=True)]
        cell_class, first_cell = class_numbers(codes)
        extents = np.stack(
            [
                np.bincount(of)[column[first_cell]] - 1
                for of, column in zip(blocks, codes, strict=True)
            ],
            axis=1,
        ).astype(np.int64)
        class_of = np.repeat(cell_class, np.diff(table.entry_starts)).astype(np.int32)
        found = cls(table=table, class_of=class_of, extents=extents, label=label)
        if gone is None or not gone.size:
            return found
        lost = set(map(tuple, gone.tolist()))
        own = zip(*(column[first_cell].tolist() for column in codes), strict=True)
        return found.suppressing(np.array([blocks in lost for blocks in own], dtype=np.bool_))

    def suppressing(self, gone: np.typing.NDArray[np.bool_]) -> Anonymization:
        """Return the same with some classes merged into the one of all suppressed rows."""
        if self.suppressed is not None:
            raise SettingsError("the suppressed rows are one class already; suppress once")
        if not gone.any():
            return self
        number = np.cumsum(~gone) - 1
        last = int((~gone).sum())
        number[gone] = last
        extents = None
        if self.extents is not None:
            extents = np.vstack((self.extents[~gone], np.array([widths(self.table)])))
        return replace(
            self,
            class_of=number[self.class_of].astype(np.int32),
            extents=extents,
            suppressed=last,
        )

    @cached_property
    def individuals(self) -> Individuals:
        """The individuals of the table."""
        return Individuals.of_table(self.table)

    @property
    def classes(self) -> int:
        """The number of classes, that of the suppressed rows among them."""
        return int(self.class_of.max()) + 1

    @cached_property
    def sizes(self) -> Counts:
        """The number of rows of every class."""
        return exact_bincount(self.class_of, self.table.entry_counts, self.classes)

    @property
    def suppressed_rows(self) -> int:
        """The number of suppressed rows."""
        return 0 if self.suppressed is None else int(self.sizes[self.suppressed])

    @property
    def k(self) -> int:
        """The size of the smallest class that is kept; 0 if none is."""
        kept = np.delete(self.sizes, [] if self.suppressed is None else self.suppressed)
        return int(kept.min()) if kept.size else 0

    def codes(self, column: str) -> Codes:
        """Return the code of every entry in a sensitive column or the class label."""
        codes: Codes = self.table.entry_codes[list(self.table.columns).index(column)]
        return codes

    @cached_property
    def _value_groups(self) -> dict[str, ValueGroups]:
        return {}

    def value_groups(self, column: str) -> ValueGroups:
        """Return the groups of rows that have equal class and sensitive value, found once."""
        if column not in self._value_groups:
            numbers, first = class_numbers([self.class_of, self.codes(column)])
            self._value_groups[column] = ValueGroups(
                group_of=sealed_codes(numbers),
                counts=exact_bincount(numbers, self.table.entry_counts, first.shape[0]),
                class_of=self.class_of[first].astype(np.int64),
                value_of=self.codes(column)[first].astype(np.int64),
            )
        return self._value_groups[column]

    def value_counts(self, column: str) -> ValueCounts:
        """Return the counts of a sensitive column's values in every class."""
        groups = self.value_groups(column)
        triples = groups.class_of, groups.value_of, groups.counts
        spans: dict[Hashable, tuple[int, int]] = {column: (0, self.table.width_of(column))}
        return ValueCounts.gather([triples], spans=spans, groups=self.classes)


def class_numbers(columns: Sequence[Codes]) -> tuple[Counts, Counts]:
    """Return a number for every distinct combination of codes, and where each first occurs.

    Codes are packed while they fit 64 bits and ranked again where they would not, so that any
    number of columns can be grouped.
    """
    packed: Counts = columns[0].astype(np.int64)
    reach = int(packed.max()) + 1
    for column in columns[1:]:
        width = int(column.max()) + 1
        if reach * width >= _ROOM:
            distinct, packed = np.unique(packed, return_inverse=True)
            reach = distinct.shape[0]
        packed = packed * width + column
        reach *= width
    if reach <= _DENSE * packed.shape[0]:
        return _dense_numbers(packed, reach)
    _, first, numbers = np.unique(packed, return_index=True, return_inverse=True)
    return numbers, first


def _dense_numbers(packed: Counts, reach: int) -> tuple[Counts, Counts]:
    """Return what `numpy.unique` would, without sorting: every combination has a place."""
    first_of = np.full(reach, -1, dtype=np.int64)
    # Of several assignments to a place the last one stays: the first entry, from behind.
    first_of[packed[::-1]] = np.arange(packed.shape[0] - 1, -1, -1)
    occurs = first_of >= 0
    numbers: Counts = (np.cumsum(occurs) - 1)[packed]
    return numbers, first_of[occurs]
