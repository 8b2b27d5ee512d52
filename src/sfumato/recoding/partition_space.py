"""The space of partitions: a bit between every two neighbouring values of every QI."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import tree_of
from sfumato.hierarchies.taxonomy_tree import TaxonomyTree
from sfumato.microdata.count_table import Leaves
from sfumato.recoding.cuts import Cuts
from sfumato.recoding.nearest_valid import Repairs
from sfumato.recoding.partition_book import PartitionBook
from sfumato.recoding.recoding import ColumnRecoding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from sfumato.arrays import Counts, Flags
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable
    from sfumato.recoding.recoding import Recoding


@dataclass(frozen=True, kw_only=True, eq=False)
class PartitionColumn:
    """A quasi-identifier of the space: its bits lie from ``start`` to ``end`` of a string.

    A *constrained* one may only be cut along its tree, so that every block has a name in it; an
    unconstrained one anywhere (Crossover §2.3, MOEA §1.3.1). With a ``minimum_level`` it is only
    ever cut between the blocks of that level, and has no bits for other places.
    """

    name: str
    hierarchy: Hierarchy
    constrained: bool
    start: int
    minimum_level: int = 0

    @property
    def bits(self) -> int:
        """The number of bits: one less than the domain has values, or the minimum level blocks."""
        return self.hierarchy.block_count(self.minimum_level) - 1

    @property
    def end(self) -> int:
        """Where the bits of the next column begin."""
        return self.start + self.bits

    @cached_property
    def tree(self) -> TaxonomyTree:
        """The tree that a constrained column is cut along."""
        return TaxonomyTree.of(self.hierarchy, minimum_level=self.minimum_level)

    @cached_property
    def repairs(self) -> Repairs:
        """What replaces strings of a constrained column by the nearest valid ones."""
        return Repairs(self.tree)

    @property
    def size(self) -> int:
        """The number of partitions that the column may have."""
        return int(self.tree.valid_strings) if self.constrained else 1 << self.bits

    def strings(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the bits of all partitions that the column may have."""
        if self.constrained:
            return self.tree.strings()
        return itertools.product((0, 1), repeat=self.bits)


@dataclass(frozen=True, kw_only=True, eq=False)
class PartitionSpace:
    """All recodings of a table by partitions of its ordered domains (MOEA §1.4.2, Crossover §3.2).

    A recoding is a string of bits, those of all quasi-identifiers one after the other: 1 cuts two
    neighbouring values apart, 0 joins them. A population is an array of flags with a row for each
    string. Valid strings keep to the trees of the constrained columns.
    """

    table: CountTable
    columns: tuple[PartitionColumn, ...]

    @classmethod
    def of(cls, table: CountTable) -> PartitionSpace:
        """Return the space of a table, whose quasi-identifiers say which are constrained."""
        bits = [
            hierarchy.block_count(minimum_level) - 1
            for hierarchy, minimum_level in zip(
                table.hierarchies, table.minimum_levels, strict=True
            )
        ]
        starts = np.cumsum([0, *bits]).tolist()
        return cls(
            table=table,
            columns=tuple(
                PartitionColumn(
                    name=identifier.name,
                    hierarchy=tree_of(identifier.hierarchy, column=identifier.name),
                    constrained=identifier.constrained,
                    start=start,
                    minimum_level=identifier.minimum_level,
                )
                for identifier, start in zip(table.quasi_identifiers, starts[:-1], strict=True)
            ),
        )

    @property
    def bits(self) -> int:
        """The length of a string."""
        return self.columns[-1].end

    @cached_property
    def size(self) -> int:
        """The number of valid strings."""
        return math.prod(column.size for column in self.columns)

    @cached_property
    def borders(self) -> tuple[int, ...]:
        """The first bits of all columns but the first: there every string is cut."""
        return tuple(column.start for column in self.columns[1:])

    @cached_property
    def constrained_bits(self) -> Flags:
        """Which bits belong to constrained columns."""
        flags: Flags = np.repeat(
            [column.constrained for column in self.columns],
            [column.bits for column in self.columns],
        ).astype(np.bool_)
        flags.flags.writeable = False
        return flags

    def valid(self, strings: Flags) -> Flags:
        """Say of every string whether its constrained columns keep to their trees."""
        good: Flags = np.ones(strings.shape[0], dtype=np.bool_)
        for column in self._constrained:
            good &= column.tree.valid(strings[:, column.start : column.end])
        return good

    def nearest_valid(self, strings: Flags, *, rng: np.random.Generator) -> Flags:
        """Return the strings, each invalid column replaced by a valid one that is nearest."""
        repaired = strings.copy()
        for column in self._constrained:
            inside = slice(column.start, column.end)
            # A string that is valid is its own nearest, and a single one is repaired sooner than
            # it is checked.
            single = strings.shape[0] == 1
            rows = [0] if single else np.flatnonzero(~column.tree.valid(strings[:, inside]))
            for row in rows:
                repaired[row, inside] = column.repairs.nearest(strings[row, inside], rng=rng)
        return repaired

    @cached_property
    def _constrained(self) -> tuple[PartitionColumn, ...]:
        return tuple(column for column in self.columns if column.constrained)

    @property
    def ends(self) -> Flags:
        """The two ends of the space: everything joined, and everything cut apart."""
        return np.repeat([[False], [True]], self.bits, axis=1)

    def of_node(self, levels: Mapping[str, int]) -> Flags:
        """Return the string of a node of the lattice, which is always valid."""
        parts = [
            np.diff(column.hierarchy.between(column.minimum_level, levels[column.name])) > 0
            for column in self.columns
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)

    def of_recoding(self, recoding: Recoding) -> Flags:
        """Return the string of a global recoding of this table."""
        assert isinstance(recoding, ColumnRecoding), "a local recoding has no partitions"
        string: Flags = np.zeros(self.bits, dtype=np.bool_)
        for column in self.columns:
            blocks = recoding.block_of_leaf(column.name, column.hierarchy)
            of_minimum_level = blocks[column.hierarchy.block_starts(column.minimum_level)]
            string[column.start : column.end] = np.diff(of_minimum_level) > 0
        return string

    def recoding(self, string: Flags) -> Cuts:
        """Return the recoding of a string."""
        if string.shape != (self.bits,):
            raise SettingsError(
                f"the string has {string.shape[-1]} bits",
                code="wrong-length",
                found=str(string.shape[-1]),
                expected=f"{self.bits}",
            )
        return Cuts.of(
            {
                column.name: column.hierarchy.block_starts(column.minimum_level)[
                    np.flatnonzero(string[column.start : column.end]) + 1
                ].tolist()
                for column in self.columns
            }
        )

    def strings(self) -> Iterator[tuple[int, ...]]:
        """Iterate over all valid strings; only for small spaces."""
        for parts in itertools.product(*(list(column.strings()) for column in self.columns)):
            yield tuple(itertools.chain.from_iterable(parts))

    def books(self, strings: Flags) -> tuple[tuple[PartitionBook, ...], Counts]:
        """Return the different partitions that occur, and the pages that every string chooses."""
        books: list[PartitionBook] = []
        choices: Counts = np.zeros((strings.shape[0], len(self.columns)), dtype=np.int64)
        for q, column in enumerate(self.columns):
            part = strings[:, column.start : column.end]
            first, choices[:, q] = unique_rows(part)
            block_of = np.zeros((first.shape[0], column.bits + 1), dtype=np.int32)
            np.cumsum(part[first], axis=1, out=block_of[:, 1:])
            if column.minimum_level:
                block_of = block_of[:, column.hierarchy.levels[column.minimum_level]]
            books.append(PartitionBook(block_of=block_of, leaf_rows=self._leaf_rows[q]))
        return tuple(books), choices

    @cached_property
    def _leaf_rows(self) -> tuple[Counts, ...]:
        return tuple(self.table.marginal(Leaves(column.name)) for column in self.columns)


def check_trees(table: CountTable, *, asked: Collection[str]) -> None:
    """Refuse a quasi-identifier that is ``asked`` to keep to a tree that its hierarchy lacks.

    It could be searched, but the groups were most likely forgotten.
    """
    for identifier in table.quasi_identifiers:
        if identifier.name in asked and _lacks_tree(identifier.hierarchy):
            raise SettingsError(
                f"column {identifier.name!r} is constrained to the tree of its hierarchy, which "
                f"has no groups between its {identifier.hierarchy.leaf_count} values and all of "
                "them together",
                code="no-groups",
                column=identifier.name,
                key="constrained",
                remedy="give it a hierarchy with groups, or leave constrained out",
            )


def _lacks_tree(hierarchy: PartitionedDomain) -> bool:
    """Say whether there are no groups between the values and all of them; two values need none."""
    levels = (len(labels) for labels in hierarchy.labels)
    return hierarchy.leaf_count > 2 and all(n in (1, hierarchy.leaf_count) for n in levels)


def unique_rows(strings: Flags) -> tuple[Counts, Counts]:
    """Return where every different row first occurs, and which of them every row is.

    >>> first, which = unique_rows(np.array([[True, False], [False, False], [True, False]]))
    >>> first.tolist(), which.tolist()
    ([1, 0], [1, 0, 1])
    """
    if strings.shape[1] == 0:
        return np.zeros(1, dtype=np.int64), np.zeros(strings.shape[0], dtype=np.int64)
    packed = np.packbits(strings, axis=1)
    rows = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    return first, which
