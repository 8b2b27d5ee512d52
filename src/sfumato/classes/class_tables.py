"""From a count table to class tables: direct grouping and roll-up along the lattice."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import Codes, Counts, sealed_counts
from sfumato.classes.buffer_pool import BufferPool
from sfumato.classes.chosen_kernels import kernels
from sfumato.classes.class_batch import ClassBatch
from sfumato.classes.compilation import load_kernels
from sfumato.classes.key_layout import KeyLayout
from sfumato.errors import SettingsError
from sfumato.microdata.count_table import Leaves, PeopleBy
from sfumato.microdata.value_counts import ValueCounts
from sfumato.recoding.admissible_space import AdmissibleSpace
from sfumato.recoding.lattice import Lattice
from sfumato.recoding.partition_book import PartitionBook

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sfumato.microdata.count_table import Carried, CountTable
    from sfumato.recoding.label_book import LabelBook

_NODES_A_BATCH = 150
_CLASSES_A_BATCH = 4_000_000
_INNER_BITS = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassTables:
    """Makes the class tables of recodings of one count table.

    ``carries`` names the columns whose value counts travel along: sensitive columns, the label,
    or quasi-identifiers (then the counts of their leaves). Only what measures ask for is carried,
    and people where there is a person key: a class is as large as it has people.
    """

    table: CountTable
    carries: tuple[Carried, ...] = ()

    @cached_property
    def lattice(self) -> Lattice:
        """The lattice of full-domain recodings."""
        return Lattice(
            names=self.table.names,
            heights=tuple(hierarchy.height for hierarchy in self.table.hierarchies),
            minimum_levels=self.table.minimum_levels,
        )

    @cached_property
    def layout(self) -> KeyLayout:
        """How codes are packed into keys."""
        return KeyLayout(
            leaf_counts=tuple(hierarchy.leaf_count for hierarchy in self.table.hierarchies),
            heights=self.lattice.heights,
        )

    @cached_property
    def level_books(self) -> tuple[PartitionBook, ...]:
        """The levels of every quasi-identifier as partitions."""
        return tuple(
            PartitionBook.of_levels(hierarchy, self.table.marginal(Leaves(name)))
            for name, hierarchy in zip(self.table.names, self.table.hierarchies, strict=True)
        )

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """|domain| - 1 of every quasi-identifier, 1 where it has a single value."""
        return tuple(max(1, book.leaves - 1) for book in self.level_books)

    @cached_property
    def level_extents(self) -> tuple[tuple[int, ...], ...]:
        """Σ (|block| - 1) over all rows, for every level of every quasi-identifier."""
        return tuple(tuple(book.extents.tolist()) for book in self.level_books)

    @cached_property
    def level_losses(self) -> tuple[tuple[float, ...], ...]:
        """About what every level of every column loses when nothing is suppressed, to rank by."""
        return tuple(
            tuple(identifier.weight * extent / width for extent in extents)
            for identifier, extents, width in zip(
                self.table.quasi_identifiers, self.level_extents, self.widths, strict=True
            )
        )

    @cached_property
    def _cells(self) -> ClassBatch:
        """The cells of the count table as the class table of the fully specialized node."""
        keys = self.layout.pack(self.table.cell_codes)
        order = np.lexsort(keys.T[::-1])
        carries = self.carries
        if self.table.people is not None and not any(isinstance(c, PeopleBy) for c in carries):
            carries = (*carries, PeopleBy())
        carried = self.table.carried(carries)
        lengths = np.diff(carried.starts)[order]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        entries = np.repeat(carried.starts[:-1][order] - starts[:-1], lengths)
        entries += np.arange(entries.shape[0])
        return self._batch(
            books=self.level_books,
            choices=np.zeros((1, len(self.table.names)), dtype=np.int64),
            arrays=(
                np.array([0, self.table.cells], dtype=np.int64),
                np.ascontiguousarray(keys[order]),
                self.table.cell_sizes[order],
                starts,
                carried.values[entries],
                carried.counts[entries],
            ),
            spans=carried.spans,
        )

    def _batch(
        self,
        *,
        books: tuple[LabelBook, ...],
        choices: Counts,
        arrays: tuple[Counts, NDArray[np.uint64], Counts, Counts, Codes, Counts],
        spans: Mapping[Hashable, tuple[int, int]] | None = None,
    ) -> ClassBatch:
        offsets, keys, sizes, starts, values, counts = arrays
        if spans is None:
            spans = self._cells.carried.spans
        for array in (*arrays, choices):
            array.flags.writeable = False
        return ClassBatch(
            table=self.table,
            layout=self.layout,
            books=books,
            choices=choices,
            offsets=offsets,
            keys=keys,
            sizes=sizes,
            carried=ValueCounts(starts=starts, values=values, counts=counts, spans=spans),
        )

    def group(
        self,
        choices: Counts,
        *,
        books: tuple[PartitionBook, ...] | None = None,
    ) -> ClassBatch:
        """Group the cells directly under recodings: a row of book pages for each.

        Without ``books`` the pages are levels, and a row is a node of the lattice.
        """
        books = self.level_books if books is None else books
        bases = np.cumsum([0, *(book.block_of.size for book in books)])[:-1]
        leaves = np.array([book.leaves for book in books], dtype=np.int64)
        chosen = np.array(choices, dtype=np.int64)
        self._check_choices(chosen, books)
        arrays = self._grouped(
            self._cells,
            bases + chosen * leaves,
            np.concatenate([book.block_of.ravel() for book in books]),
        )
        return self._batch(books=books, choices=chosen, arrays=arrays)

    def _check_choices(self, chosen: Counts, books: tuple[PartitionBook, ...]) -> None:
        """Refuse what the kernels, which do not look, would read as some other memory."""
        leaves = tuple(book.leaves for book in books)
        if leaves != self.layout.leaf_counts:
            raise SettingsError(
                f"the partition books have {leaves} leaves and the quasi-identifiers "
                f"{self.layout.leaf_counts}",
                code="other-columns",
                key="books",
                found=str(leaves),
                remedy="give one book for each quasi-identifier, in their order",
            )
        pages = np.array([book.pages for book in books], dtype=np.int64)
        if chosen.ndim != 2 or chosen.shape[0] == 0 or chosen.shape[1] != pages.shape[0]:
            raise SettingsError(
                f"the recodings have the shape {chosen.shape}",
                code="wrong-length",
                found=str(chosen.shape),
                expected=f"rows of {pages.shape[0]} page numbers",
            )
        if ((chosen < 0) | (chosen >= pages)).any():
            wrong = tuple(chosen[((chosen < 0) | (chosen >= pages)).any(axis=1)][0].tolist())
            raise SettingsError(
                f"recoding {wrong} does not exist",
                code="out-of-range",
                found=str(wrong),
                expected=f"pages from 0 to {tuple((pages - 1).tolist())}",
            )

    def roll_up(self, finer: ClassBatch, node: tuple[int, ...]) -> ClassBatch:
        """Return the class table of a node from that of a finer one, in a single step."""
        return self.roll_ups(finer, np.array([node], dtype=np.int64))

    def roll_ups(self, finer: ClassBatch, nodes: Counts) -> ClassBatch:
        """Return the class tables of several nodes from that of one that is finer than all."""
        starts, maps = self._jumps
        columns = np.arange(nodes.shape[1])
        arrays = self._grouped(finer, starts[columns, finer.choices[0], nodes], maps)
        return self._batch(books=finer.books, choices=nodes.astype(np.int64), arrays=arrays)

    @cached_property
    def _jumps(self) -> tuple[Counts, Codes]:
        """The maps from every level to every coarser one, and where each begins: [q, from, to]."""
        tallest = max(self.lattice.heights, default=0) + 1
        starts: Counts = np.zeros((len(self.table.names), tallest, tallest), dtype=np.int64)
        maps: list[Codes] = []
        position = 0
        for q, hierarchy in enumerate(self.table.hierarchies):
            orders = AdmissibleSpace.of(self.table).orders[q].refines
            for finer, coarser in np.argwhere(orders).tolist():
                maps.append(hierarchy.between(finer, coarser))
                starts[q, finer, coarser] = position
                position += maps[-1].shape[0]
        return starts, np.concatenate(maps)

    def _grouped(
        self, finer: ClassBatch, map_starts: Counts, maps: Codes
    ) -> tuple[Counts, NDArray[np.uint64], Counts, Counts, Codes, Counts]:
        maps.flags.writeable = False
        grouped: tuple[Counts, NDArray[np.uint64], Counts, Counts, Codes, Counts]
        entries = map_starts.shape[0] * finer.carried.values.size
        codes = finer.keys.shape[0] * map_starts.size + entries
        grouped = kernels(codes).group_tables(
            finer.keys,
            finer.sizes,
            finer.carried.starts,
            finer.carried.values,
            finer.carried.counts,
            finer.carried.width,
            self._column_order,
            self.layout.word_of,
            self.layout.shift_of,
            self.layout.bits_of,
            map_starts,
            maps,
        )
        return grouped

    @cached_property
    def _steps(self) -> tuple[Counts, Codes]:
        """The maps from every level to the next one, padded to the width of the key field."""
        starts, parts, position = [], [], 0
        for q, hierarchy in enumerate(self.table.hierarchies):
            starts.append(position)
            width = 1 << int(self.layout.bits_of[q])
            for level in range(hierarchy.height):
                step = np.zeros(width, dtype=np.int32)
                between = hierarchy.between(level, level + 1)
                step[: between.shape[0]] = between
                parts.append(step)
                position += width
        steps = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
        steps.flags.writeable = False
        return np.array(starts, dtype=np.int64), steps

    @cached_property
    def _column_order(self) -> Counts:
        return sealed_counts(self.layout.order)

    def _sweep_inner(self, start: ClassBatch) -> ClassBatch:
        """Visit all levels of the inner columns above a single class table, by roll-up.

        Keys of several words are squeezed into one for the walk: the outer columns do not change
        in it, so their rank stands for them.
        """
        columns = self.inner_columns
        # Counted from the minimum levels on, which is where the walk starts.
        heights = sealed_counts([self.lattice.widths[q] - 1 for q in columns])
        bits = sealed_counts(self.layout.bits_of[list(columns)])
        if self.layout.words == 1:
            shifts = sealed_counts(self.layout.shift_of[list(columns)])
            words = np.ascontiguousarray(start.keys[:, 0])
            outer_keys = None
        else:
            ends = np.cumsum(bits[::-1])[::-1]
            shifts = sealed_counts(ends - bits)
            outer_keys, words = self._squeeze(start, shifts, int(ends[0]))
        words.flags.writeable = False
        starts, steps = self._steps
        minimum_levels = np.array(self.lattice.minimum_levels, dtype=np.int64)
        starts = starts + minimum_levels * (1 << self.layout.bits_of)
        combinations = math.prod(int(height) + 1 for height in heights)
        offsets = np.empty(combinations + 1, dtype=np.int64)
        outputs = self._room(combinations * start.classes, combinations * start.carried.values.size)
        load_kernels().sweep_sublattice(
            words,
            start.sizes,
            start.carried.starts,
            start.carried.values,
            start.carried.counts,
            start.carried.width,
            shifts,
            bits,
            heights,
            sealed_counts(starts[list(columns)]),
            steps,
            offsets,
            *outputs,
        )
        classes = int(offsets[-1])
        entries = int(outputs[2][classes])
        words = outputs[0][:classes]
        if outer_keys is None:
            keys = words.reshape(-1, 1)
        else:
            keys = outer_keys[(words >> np.uint64(shifts[0] + bits[0])).astype(np.int64)]
            for position, q in enumerate(columns):
                mask = np.uint64((1 << int(bits[position])) - 1)
                codes = (words >> np.uint64(shifts[position])) & mask
                keys[:, self.layout.word_of[q]] |= codes << np.uint64(self.layout.shift_of[q])
        choices = np.repeat(start.choices, combinations, axis=0)
        remaining = np.arange(combinations)
        for q, height in zip(reversed(columns), heights[::-1], strict=True):
            choices[:, q] = minimum_levels[q] + remaining % (height + 1)
            remaining //= height + 1
        return self._batch(
            books=start.books,
            choices=choices,
            arrays=(
                offsets,
                keys,
                outputs[1][:classes],
                outputs[2][: classes + 1],
                outputs[3][:entries],
                outputs[4][:entries],
            ),
        )

    @cached_property
    def _buffers(self) -> BufferPool:
        return BufferPool()

    def _room(
        self, classes: int, entries: int
    ) -> tuple[NDArray[np.uint64], Counts, Counts, Codes, Counts]:
        """Return room for the keys, sizes, entry starts, values and counts of class tables."""
        lengths = (classes, classes, classes + 1, entries + 1, entries + 1)
        kinds = (np.uint64, np.int64, np.int64, np.int32, np.int64)
        taken = [
            self._buffers.take(length, kind) for length, kind in zip(lengths, kinds, strict=True)
        ]
        return taken[0], taken[1], taken[2], taken[3], taken[4]  # type: ignore[return-value]

    def _squeeze(
        self, start: ClassBatch, shifts: Counts, inner_bits: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the keys of the outer columns by rank, and one-word keys: rank, inner codes."""
        outer = start.keys.copy()
        words = np.zeros(start.classes, dtype=np.uint64)
        for position, q in enumerate(self.inner_columns):
            mask = np.uint64(
                ((1 << int(self.layout.bits_of[q])) - 1) << int(self.layout.shift_of[q])
            )
            outer[:, self.layout.word_of[q]] &= ~mask
            words |= start.codes(q).astype(np.uint64) << np.uint64(shifts[position])
        # Classes ascend by the outer columns first, so equal ones are neighbours.
        changes = (outer[1:] != outer[:-1]).any(axis=1)
        rank = np.concatenate(([0], np.cumsum(changes)))
        first = np.flatnonzero(np.concatenate(([True], changes)))
        return outer[first], words | (rank.astype(np.uint64) << np.uint64(inner_bits))

    @cached_property
    def inner_columns(self) -> tuple[int, ...]:
        """The columns that one batch of a sweep turns through, outermost first."""
        inner: list[int] = []
        nodes, bits = 1, 0
        for q in reversed(self.layout.order):
            grown = nodes * self.lattice.widths[q]
            bits += int(self.layout.bits_of[q])
            if inner and (
                grown > _NODES_A_BATCH
                or grown * self.table.cells > _CLASSES_A_BATCH
                or bits > _INNER_BITS
            ):
                break
            inner.insert(0, q)
            nodes = grown
        return tuple(inner)

    @cached_property
    def outer_columns(self) -> tuple[int, ...]:
        """The columns that stay fixed inside one batch of a sweep, outermost first."""
        return self.layout.order[: len(self.layout.order) - len(self.inner_columns)]

    def outer_nodes(self, columns: int | None = None) -> Iterator[tuple[int, ...]]:
        """Iterate over the levels of the outer columns, or of the first few of them."""
        chosen = self.outer_columns[:columns]
        lattice = self.lattice
        return itertools.product(
            *(range(lattice.minimum_levels[q], lattice.heights[q] + 1) for q in chosen)
        )

    def sweep_batches(self, outer: tuple[int, ...]) -> Iterator[ClassBatch]:
        """Iterate over class tables of all nodes whose first outer columns have levels ``outer``.

        The table that a batch starts from is rolled up from the one before it, level by level,
        so that only the first one of the iteration is grouped from the cells.
        """
        node = list(self.lattice.minimum_levels)
        for q, level in zip(self.outer_columns, outer, strict=False):
            node[q] = level
        start = self.group(np.array([node], dtype=np.int64))
        yield from self._walk(start, node, len(outer))

    def _walk(self, start: ClassBatch, node: list[int], position: int) -> Iterator[ClassBatch]:
        if position == len(self.outer_columns):
            yield self._sweep_inner(start)
            return
        yield from self._walk(start, node, position + 1)
        q = self.outer_columns[position]
        for level in range(self.lattice.minimum_levels[q] + 1, self.lattice.heights[q] + 1):
            node = [*node[:q], level, *node[q + 1 :]]
            start = self.roll_up(start, tuple(node))
            yield from self._walk(start, node, position + 1)

    def admissible_batches(self, partition: int) -> Iterator[ClassBatch]:
        """Iterate over class tables of all admissible recodings with one choice for one column.

        That column is the first of the layout's order. No order of the partitions is needed:
        every table is rolled up from one whose later columns are at their finest, which refines
        all; only the first one of the iteration is grouped from the cells.
        """
        partitions = AdmissibleSpace.of(self.table).partitions
        *outer, last = self.layout.order
        node = [each[0] for each in partitions]
        node[self.layout.order[0]] = partition
        start = self.group(np.array([node], dtype=np.int64))

        def walk(finer: ClassBatch, columns: Sequence[int]) -> Iterator[ClassBatch]:
            if not columns:
                if last == self.layout.order[0]:
                    yield finer
                    return
                nodes = np.repeat(finer.choices, len(partitions[last]), axis=0)
                nodes[:, last] = partitions[last]
                yield self.roll_ups(finer, nodes)
                return
            for choice in partitions[columns[0]]:
                nodes = finer.choices.copy()
                nodes[:, columns[0]] = choice
                yield from walk(self.roll_ups(finer, nodes), columns[1:])

        yield from walk(start, outer[1:])

    def sweep_batch(self, outer: tuple[int, ...]) -> ClassBatch:
        """Return the class tables of all nodes whose outer columns have the levels ``outer``."""
        return next(self.sweep_batches(outer))
