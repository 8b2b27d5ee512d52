"""The classes that a release shows, stored so that they can be found again among other rows.

A global recoding is kept as the block of every value of the domain, by keyed hashes, and as the
blocks of the classes that are shown, which the release lists too. A local recoding is kept as the
class of every released key combination, by keyed hashes. Of suppressed rows nothing is kept:
whatever is not among the classes was not shown.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field

from sfumato.classes.anonymization import class_numbers
from sfumato.documents.record import Record
from sfumato.recoding.packed_codes import packed_codes, unpacked_codes
from sfumato.release.ledger.current_columns import CurrentColumn, current_columns
from sfumato.release.ledger.found_columns import StoredColumn, found_columns
from sfumato.release.ledger.keyed_hashes import mixed, packed_hashes, sums_by, unpacked_hashes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.classes.anonymization import Anonymization
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.ledger.keyed_hashes import Hashes, KeyedHashes


class Reapplied(NamedTuple):
    """A release among the current rows: the class of every entry, -1 where it is not shown.

    ``content`` is the hash of every entry's values in the columns of that release.
    """

    classes: Codes
    content: Hashes


class _Classes(Record):
    """What is stored of the classes, whatever the recoding.

    ``people`` are how many each protects, ``content`` the keyed sums of their rows: whether a class
    still has the same people.
    """

    people: str = Field(description="How many people, or rows, each class has.")
    content: str = Field(description="A keyed sum over the rows of each class.")

    @property
    def sizes(self) -> Counts:
        """How many people, or rows, each class has."""
        return unpacked_codes(self.people).astype(np.int64)

    @property
    def contents(self) -> Hashes:
        """The keyed sum over the rows of each class."""
        return unpacked_hashes(self.content)

    @abstractmethod
    def reapplied(self, columns: Mapping[str, CurrentColumn]) -> Reapplied | str:
        """Return the classes of the current rows, or why nobody can tell."""


class BlockColumn(StoredColumn):
    """The block of every value of a column."""

    blocks: str = Field(description="The block of each value.")
    classes: str = Field(description="The block of each class that is shown.")

    def block_of(self, column: CurrentColumn) -> Codes:
        """Return the block of every value of a column, -1 for values that it did not have."""
        places = self.places_of(column)
        return np.where(places < 0, -1, unpacked_codes(self.blocks)[places]).astype(np.int32)


class GlobalClasses(_Classes):
    """The classes of a recoding by columns."""

    kind: Literal["global"] = Field(description="The kind of recoding.")
    columns: tuple[BlockColumn, ...] = Field(description="The quasi-identifiers.")

    def reapplied(self, columns: Mapping[str, CurrentColumn]) -> Reapplied | str:
        """Return the classes of the current rows, or why nobody can tell."""
        found = found_columns(self.columns, columns)
        if isinstance(found, str):
            return found
        blocks = [each.block_of(column) for each, column in zip(self.columns, found, strict=True)]
        for column, codes in zip(found, blocks, strict=True):
            if not column.told_apart(codes):
                return f"column {column.name!r} is counted by blocks that are not those of then"
        shown = [unpacked_codes(column.classes) for column in self.columns]
        numbers, _ = class_numbers(
            [
                np.concatenate([classes, codes[column.codes]]) + 1
                for classes, column, codes in zip(shown, found, blocks, strict=True)
            ]
        )
        stored = shown[0].shape[0]
        class_of = np.full(int(numbers.max()) + 1, -1, dtype=np.int32)
        class_of[numbers[:stored]] = np.arange(stored)
        return Reapplied(class_of[numbers[stored:]], _content(found))


class LocalClasses(_Classes):
    """The classes of a local recoding: of released key combinations, and of no others."""

    kind: Literal["local"] = Field(description="The kind of recoding.")
    columns: tuple[StoredColumn, ...] = Field(description="The quasi-identifiers.")
    cells: str = Field(description="Keyed hashes of the key combinations, ascending.")
    classes: str = Field(description="The class of each key combination.")
    coarsened: bool = Field(
        default=False, description="Whether key combinations were counted by minimum levels."
    )

    def reapplied(self, columns: Mapping[str, CurrentColumn]) -> Reapplied | str:
        """Return the classes of the current rows, or why nobody can tell."""
        own = found_columns(self.columns, columns)
        if isinstance(own, str):
            return own
        content = _content(own)
        known, classes = unpacked_hashes(self.cells), unpacked_codes(self.classes)
        places = np.minimum(np.searchsorted(known, content), known.shape[0] - 1)
        found = known[places] == content
        exact = not self.coarsened and all(column.counted_as is None for column in own)
        if not exact and np.unique(places[found]).shape[0] < known.shape[0]:
            return "key combinations are counted by blocks that are not those of then"
        return Reapplied(np.where(found, classes[places], -1).astype(np.int32), content)


ShownClasses = Annotated[GlobalClasses | LocalClasses, Field(discriminator="kind")]


def shown_classes(
    anonymization: Anonymization, written: Sequence[WrittenColumn], hashes: KeyedHashes
) -> GlobalClasses | LocalClasses:
    """Return what is stored of the classes of a release."""
    table = anonymization.table
    columns = current_columns(table, hashes)
    own = [columns[name] for name in table.names]
    classes = int(anonymization.kept.sum())
    shown = ~anonymization.suppressed
    content = _content(own)
    of_class = anonymization.class_of[shown].astype(np.int64)
    sums = sums_by(of_class, content[shown] * table.entry_counts[shown].astype(np.uint64), classes)
    # In an order that tells nothing: that of the hashes.
    order = np.argsort(sums, kind="stable")
    rank = np.empty(classes, dtype=np.int32)
    rank[order] = np.arange(classes, dtype=np.int32)
    people = packed_codes(anonymization.units[:classes][order].astype(np.int32))
    if all(column.partition is not None for column in written):
        first = anonymization.first_entry[:classes][order]
        return GlobalClasses(
            kind="global",
            people=people,
            content=packed_hashes(sums[order]),
            columns=tuple(
                _block_column(column, each.code_of_leaf, first)
                for column, each in zip(own, written, strict=True)
            ),
        )
    cells, where = np.unique(content[shown], return_index=True)
    return LocalClasses(
        kind="local",
        people=people,
        content=packed_hashes(sums[order]),
        columns=tuple(map(StoredColumn.of, own)),
        cells=packed_hashes(cells),
        classes=packed_codes(rank[of_class[where]]),
        coarsened=any(table.minimum_levels),
    )


def _block_column(column: CurrentColumn, blocks: Codes, first: Counts) -> BlockColumn:
    return BlockColumn(
        **StoredColumn.of(column).model_dump(),
        blocks=packed_codes(blocks[np.argsort(column.values)]),
        classes=packed_codes(blocks[column.codes[first]]),
    )


def _content(columns: Sequence[CurrentColumn]) -> Hashes:
    """Return the hash of every entry's values, column by column, whatever their names."""
    found: Hashes = np.zeros(columns[0].codes.shape[0], dtype=np.uint64)
    for column in columns:
        # Mixed after each, since the columns may share a domain and are not to be swapped.
        found = mixed(found + column.parts[column.codes])
    return found
