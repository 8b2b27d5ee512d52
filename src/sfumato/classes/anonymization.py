"""An anonymized table and the individuals in it: who is in which class."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.classes.class_batch import ClassBatch, SeenFrom
from sfumato.classes.classes import Classes
from sfumato.classes.individuals import Individuals
from sfumato.classes.key_layout import KeyLayout
from sfumato.classes.unit_values import size_sums
from sfumato.microdata.count_table import Leaves, PeopleBy, exact_bincount
from sfumato.microdata.value_counts import ValueCounts
from sfumato.recoding.label_book import SeenLabels
from sfumato.recoding.local_labels import local_columns
from sfumato.recoding.partition_book import PartitionBook, covered_by
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags, Floats
    from sfumato.classes.protected_groups import ProtectedGroups
    from sfumato.classes.suppression import Suppression
    from sfumato.microdata.count_table import Carried, CountTable
    from sfumato.recoding.local import Local
    from sfumato.recoding.local_labels import LocalColumn

_ROOM = 2**62
_DENSE = 4
"""How many combinations there may be for each entry before only those that occur are looked at."""

CLASS_TO_CLASS = "the labels of a column differ from class to class"
"""Why nobody knows the partitions of a local recoding."""


class ValueGroups(NamedTuple):
    """Rows of equal class and sensitive value: the group of every entry, and what groups have.

    ``having`` are the people of the class who have the value, or its rows.
    """

    group_of: Codes
    counts: Counts
    having: Counts
    class_of: Counts
    value_of: Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnLabels:
    """The labels of one quasi-identifier: the label of every entry, and what labels cover.

    ``sizes`` has the number of domain values of every label, None where nobody knows them;
    ``partition`` the sizes of all blocks of the domain, ``level`` its level, where they are known.
    ``original_rows`` are the rows of the table whose original value a label covers,
    ``leaves_covered`` tells which leaves every label covers, and ``part_inside`` what part of every
    label lies in some leaves; None where nobody knows which it covers.
    """

    codes: Codes
    sizes: Counts | None
    leaves: int
    partition: Counts | None = None
    level: int | None = None
    original_rows: Counts | None = None
    leaves_covered: Callable[[], Flags] | None = None
    part_inside: Callable[[Flags], Floats] | None = None

    def covered_by(self, labels: Counts | Codes) -> Callable[[], Flags] | None:
        """Return how to find the leaves of some labels."""
        found = self.leaves_covered
        return None if found is None else lambda: found()[labels]


@dataclass(frozen=True, kw_only=True, eq=False)
class Anonymization:
    """What a recoding, or another tool, made of the records of a count table.

    Every entry of the table has a label in every quasi-identifier, or is ``suppressed``. Entries
    with equal labels are a class; the suppressed rows are one class of their own, overly
    generalized (Comparison §3). ``squares`` is Σ |class|² before suppression where some rows are
    suppressed and their classes are known. ``label`` is what texts call it. ``lacks`` says why
    something is not known; ``originals`` whether the cells of the table are the original values.
    """

    table: CountTable
    labels: tuple[ColumnLabels, ...]
    suppressed: Flags
    squares: int | None = None
    label: str = ""
    lacks: Mapping[SeenFrom, str] = field(default_factory=dict)
    originals: bool = True

    @classmethod
    def of_candidate(cls, classes: Classes, position: int = 0, *, label: str = "") -> Anonymization:
        """Return what a candidate makes of its table: its recoding after suppression."""
        batch, recoding = classes.batch, int(classes.recoding[position])
        pages = batch.choices[recoding]
        blocks = []
        levels: list[int | None] = []
        for book, page in zip(batch.books, pages.tolist(), strict=True):
            assert isinstance(book, PartitionBook), "a candidate of a search has partitions"
            blocks.append(book.block_of[page])
            levels.append(None if book.levels is None else int(book.levels[page]))
        start = batch.offsets[recoding]
        gone = np.flatnonzero(~classes.kept_of(position)) + start
        return cls.of_blocks(
            batch.table,
            blocks,
            levels=levels,
            gone=np.stack([batch.codes(q, gone) for q in range(len(blocks))], axis=1),
            squares=int(classes.squares[position]),
            label=label,
        )

    @classmethod
    def of_blocks(
        cls,
        table: CountTable,
        blocks: Sequence[Codes],
        *,
        levels: Sequence[int | None] | None = None,
        gone: Counts | None = None,
        squares: int | None = None,
        label: str = "",
    ) -> Anonymization:
        """Recode a table by a block for every leaf; ``gone`` are the blocks of suppressed classes.

        It has a row for each such class and a column for each quasi-identifier.
        """
        entries = np.diff(table.entry_starts)
        labels = []
        for q, of_leaf in enumerate(blocks):
            sizes = np.bincount(of_leaf)
            labels.append(
                ColumnLabels(
                    codes=np.repeat(of_leaf[table.cell_codes[q]], entries),
                    sizes=sizes,
                    leaves=int(of_leaf.shape[0]),
                    partition=sizes,
                    level=None if levels is None else levels[q],
                    original_rows=exact_bincount(
                        of_leaf, table.marginal(Leaves(table.names[q])), sizes.shape[0]
                    ),
                    leaves_covered=partial(covered_by, of_leaf),
                    part_inside=partial(_part_of_blocks, of_leaf, sizes),
                )
            )
        nobody: Flags = np.zeros(table.entry_counts.shape[0], dtype=np.bool_)
        found = cls(table=table, labels=tuple(labels), suppressed=nobody, label=label)
        if gone is None or not gone.size:
            return found
        lost = set(map(tuple, gone.tolist()))
        first = found._numbers[1]
        own = zip(*(column.codes[first].tolist() for column in labels), strict=True)
        flags = np.array([blocks_of in lost for blocks_of in own], dtype=np.bool_)
        return replace(found, suppressed=flags[found.class_of], squares=squares)

    @classmethod
    def of_local(cls, table: CountTable, recoding: Local, *, label: str = "") -> Anonymization:
        """Recode a table by classes of cells; classes with equal labels are one."""
        entries = np.diff(table.entry_starts)
        classes = np.repeat(recoding.classes, entries)
        suppressed: Flags = classes < 0
        labels = tuple(
            ColumnLabels(
                # A suppressed entry has any label: it is never looked at.
                codes=np.where(suppressed, 0, column.of_class[classes]).astype(np.int32),
                sizes=column.sizes,
                leaves=column.identifier.hierarchy.leaf_count,
                original_rows=column.rows,
                leaves_covered=partial(_leaves_of, column),
                part_inside=column.shares,
            )
            for column in local_columns(table, recoding)
        )
        lacks = {SeenFrom.PARTITIONS: CLASS_TO_CLASS}
        found = cls(table=table, labels=labels, suppressed=suppressed, label=label, lacks=lacks)
        # Suppressed rows have no other class than the one that they are together.
        if table.people is None:
            return replace(found, squares=int((found.sizes * found.sizes).sum()))
        return replace(found, squares=_squares(found.carrying(())))

    def by_class(self) -> Anonymization:
        """Return the same classes with a label of its own for every class, in every column.

        The code of a label is the number of its class. Nothing is known of partitions any more.
        """
        first = self.first_entry[self.kept]
        return replace(
            self,
            labels=tuple(
                ColumnLabels(
                    codes=sealed_codes(np.where(self.suppressed, 0, self.class_of)),
                    sizes=None if column.sizes is None else column.sizes[column.codes[first]],
                    leaves=column.leaves,
                    original_rows=None
                    if column.original_rows is None
                    else column.original_rows[column.codes[first]],
                    leaves_covered=column.covered_by(column.codes[first]),
                    part_inside=None
                    if column.part_inside is None
                    else partial(_part_of_classes, column.part_inside, column.codes[first]),
                )
                for column in self.labels
            ),
        )

    @cached_property
    def _numbers(self) -> tuple[Codes, Counts]:
        """The class of every entry, and the first entry of every class; suppressed rows last."""
        kept = np.flatnonzero(~self.suppressed)
        if not kept.size:
            return sealed_codes(np.zeros(self.suppressed.shape[0])), np.zeros(1, dtype=np.int64)
        numbers, first = class_numbers([column.codes[kept] for column in self.labels])
        class_of = np.full(self.suppressed.shape[0], first.shape[0], dtype=np.int32)
        class_of[kept] = numbers
        first = kept[first]
        if kept.size < self.suppressed.shape[0]:
            first = np.append(first, np.flatnonzero(self.suppressed)[0])
        return sealed_codes(class_of), first

    @cached_property
    def individuals(self) -> Individuals:
        """The individuals of the table."""
        return Individuals.of_table(self.table)

    @property
    def class_of(self) -> Codes:
        """The class of every entry of the count table."""
        return self._numbers[0]

    @property
    def first_entry(self) -> Counts:
        """The first entry of every class."""
        return self._numbers[1]

    @property
    def classes(self) -> int:
        """The number of classes, that of the suppressed rows among them."""
        return int(self._numbers[1].shape[0])

    @cached_property
    def kept(self) -> Flags:
        """Which classes are kept: all but that of the suppressed rows, the last one."""
        flags: Flags = ~self.suppressed[self._numbers[1]]
        return flags

    @cached_property
    def sizes(self) -> Counts:
        """The number of rows of every class."""
        return exact_bincount(self.class_of, self.table.entry_counts, self.classes)

    @cached_property
    def units(self) -> Counts:
        """How many every class protects: its people where there is a person key, or its rows."""
        return self.sizes if self.table.people is None else self.carrying(()).units

    @property
    def suppressed_rows(self) -> int:
        """The number of suppressed rows."""
        return int(self.sizes[~self.kept].sum())

    @property
    def k(self) -> int:
        """The size of the smallest class that is kept, in people or rows; 0 if none is."""
        return int(self.units[self.kept].min()) if self.kept.any() else 0

    @cached_property
    def extents(self) -> Counts | None:
        """|label| - 1 by class and quasi-identifier; the whole width for suppressed rows.

        None if nobody knows what some labels cover.
        """
        columns = []
        for column in self.labels:
            if column.sizes is None:
                return None
            extents = column.sizes[column.codes[self._numbers[1]]] - 1
            columns.append(np.where(self.kept, extents, max(1, column.leaves - 1)))
        return np.stack(columns, axis=1).astype(np.int64)

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
            counts = exact_bincount(numbers, self.table.entry_counts, first.shape[0])
            class_of = self.class_of[first].astype(np.int64)
            value_of = self.codes(column)[first].astype(np.int64)
            self._value_groups[column] = ValueGroups(
                group_of=sealed_codes(numbers),
                counts=counts,
                having=counts
                if self.table.people is None
                else self.protected(column).having(class_of, value_of),
                class_of=class_of,
                value_of=value_of,
            )
        return self._value_groups[column]

    def protected(self, column: str | StatementPatterns) -> ProtectedGroups:
        """Return those whom the classes protect with their values of a column."""
        return self.carrying((self.table.protected(column),)).batch.protected(column)

    @cached_property
    def model(self) -> Classes:
        """The classes as measures read them, carrying all that can be counted in them."""
        return self.carrying(None)

    def carrying(self, columns: Collection[Carried] | None) -> Classes:
        """Return the classes as measures read them, with the counts of some columns, or of all."""
        first = self._numbers[1]
        codes = []
        books = []
        for q, column in enumerate(self.labels):
            labels = int(column.codes.max()) + 1
            # The suppressed rows have a label of their own, which covers the whole domain.
            codes.append(np.where(self.kept, column.codes[first], labels))
            sizes = np.zeros(labels, dtype=np.int64) if column.sizes is None else column.sizes
            books.append(
                SeenLabels(
                    leaves=column.leaves,
                    sizes=np.append(sizes[:labels], max(2, column.leaves)),
                    rows=exact_bincount(codes[-1], self.sizes, labels + 1),
                    partition=column.partition,
                    level=column.level,
                    original_rows=None
                    if column.original_rows is None
                    else np.append(column.original_rows[:labels], self.table.rows),
                    lost_bits=None
                    if column.original_rows is None
                    else partial(self._lost_bits, q, column.codes, column.original_rows),
                    leaves_covered=column.covered_by(np.arange(labels)),
                    part_inside=None
                    if column.part_inside is None
                    else partial(_part_with_suppressed, column.part_inside, labels),
                )
            )
        layout = KeyLayout(
            leaf_counts=tuple(book.sizes.shape[0] for book in books), heights=(0,) * len(books)
        )
        batch = ClassBatch(
            table=self.table,
            layout=layout,
            books=tuple(books),
            choices=np.zeros((1, len(books)), dtype=np.int64),
            offsets=np.array([0, self.classes], dtype=np.int64),
            keys=layout.pack(np.stack(codes).astype(np.int32)),
            sizes=self.sizes,
            carried=self._carried(columns),
            lacks=dict(self.lacks),
        )
        found = Classes.of_kept(batch, self.kept, squares=self.squares)
        return replace(found, _squares=_squares(found)) if self.kept.all() else found

    def under(self, suppression: Suppression) -> Classes:
        """Return the classes as they stand under a policy, which they may or may not meet."""
        return replace(self.model, suppression=suppression)

    def _lost_bits(self, q: int, codes: Codes, original_rows: Counts) -> float:
        """Return Σ over all rows of log2(rows of the label / rows of the value) in one column."""
        table = self.table
        leaves = np.repeat(table.cell_codes[q], np.diff(table.entry_starts))
        own = table.marginal(Leaves(table.names[q]))[leaves]
        shared = np.where(self.suppressed, table.rows, original_rows[codes])
        return float((table.entry_counts * np.log2(shared / own)).sum())

    def _carried(self, columns: Collection[Carried] | None) -> ValueCounts:
        """Return the counts of what class tables can carry, in every class."""
        table = self.table
        cells = np.repeat(np.arange(table.cells), np.diff(table.entry_starts))
        counted: list[tuple[Carried, Codes]] = [(name, self.codes(name)) for name in table.columns]
        if table.statements is not None:
            counted.append((StatementPatterns(), table.entry_codes[-1]))
        if self.originals:
            counted += [
                (Leaves(name), table.cell_codes[q][cells]) for q, name in enumerate(table.names)
            ]
        if columns is not None:
            counted = [(column, codes) for column, codes in counted if column in columns]
        spans: dict[Hashable, tuple[int, int]] = {}
        class_of = self.class_of.astype(np.int64)
        parts = []
        offset = 0
        for column, codes in counted:
            parts.append((class_of, codes + np.int64(offset), table.entry_counts))
            spans[column] = (offset, offset + table.width_of(column))
            offset = spans[column][1]
        for people in self._people_by(columns):
            groups, numbers, counts = table.people_by(people, class_of)
            parts.append((groups, numbers + offset, counts))
            spans[people] = (offset, offset + table.width_of(people))
            offset = spans[people][1]
        return ValueCounts.gather(parts, spans=spans, groups=self.classes)

    def _people_by(self, columns: Collection[Carried] | None) -> list[PeopleBy]:
        """Return by what people are carried: by nothing where no column is asked for."""
        table = self.table
        if table.people is None:
            return []
        asked = [PeopleBy(column.name) for column in table.sensitive]
        if table.statements is not None:
            asked.append(PeopleBy(StatementPatterns()))
        return [each for each in asked if columns is None or each in columns] or [PeopleBy()]


def _part_of_blocks(of_leaf: Codes, sizes: Counts, leaves: Flags) -> Floats:
    """Return the part of every block that lies in some leaves."""
    inside = np.bincount(of_leaf, weights=leaves, minlength=sizes.shape[0])
    found: Floats = inside / np.maximum(sizes, 1)
    return found


def _part_of_classes(inside: Callable[[Flags], Floats], code: Codes, leaves: Flags) -> Floats:
    """Return the part of the label of every class that lies in some leaves."""
    return inside(leaves)[code]


def _part_with_suppressed(inside: Callable[[Flags], Floats], labels: int, leaves: Flags) -> Floats:
    """Return the part of every label, and that of the whole domain for suppressed rows."""
    return np.append(inside(leaves)[:labels], leaves.mean())


def _squares(classes: Classes) -> int:
    """Return the sum over everybody of how many are in their class, suppressed rows being one."""
    if classes.table.people is None:
        return int((classes.sizes * classes.sizes).sum())
    return int(size_sums(classes)[0])


def _leaves_of(column: LocalColumn) -> Flags:
    """Return which leaves every label of a local recoding covers."""
    flags = np.zeros((len(column.covers), column.identifier.hierarchy.leaf_count), dtype=np.bool_)
    for label, cover in enumerate(column.covers):
        flags[label, column.leaves(cover)] = True
    return flags


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
