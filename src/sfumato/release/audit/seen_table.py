"""The classes of a table as it stands, whoever anonymized it: its own equal rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.anonymization import CLASS_TO_CLASS, Anonymization, ColumnLabels
from sfumato.classes.class_batch import SeenFrom
from sfumato.engines.messages.grouped_counts import (
    GroupedColumn,
    GroupedCounts,
    GroupedPeople,
)
from sfumato.engines.messages.released_people import KEPT
from sfumato.errors import SourceError
from sfumato.errors.listing import listed
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.hierarchies.label_lookup import locate_labels
from sfumato.microdata.counting import GivenTruths, build_count_table
from sfumato.microdata.missing import MissingPolicy
from sfumato.microdata.roles import quasi_identifying
from sfumato.recoding.label_reader import read_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Counts, Flags
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.suppressed_records import SuppressedRecords
    from sfumato.statements.confidential import ConfidentialStatements

ORIGINALS = "it needs the values before they were recoded"
PEOPLE = "it counts people, and the file alone does not tell whom its rows are about"
_STATISTICS = "the cells are statistics of blocks; the private certificate tells which blocks"
_NO_HIERARCHY = "the file alone does not tell what its labels cover"
_SUPPRESSED = "suppressed"
"""The text of suppressed rows in every quasi-identifier; all others begin with "cell "."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenColumn:
    """A quasi-identifier of the table: its texts, and what they cover.

    ``sizes`` has the domain values that every text covers, None where nobody knows, which
    ``doubt`` explains. ``partition`` has the sizes of all blocks of its ``level``, or of the known
    recoding.
    """

    texts: tuple[str | None, ...]
    sizes: Counts | None
    leaves: int
    level: int | None = None
    partition: Counts | None = None
    doubt: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenTable:
    """Counted rows of a table with what its labels cover; ``kept`` leaves out starred rows.

    ``local`` says that it is known to be a local recoding. ``gone`` are the suppressed rows of the
    source, where it tells whom rows are about; ``unknown_people`` says that nobody knows, though
    people are to be counted. ``sizes`` has the domain values that the
    texts of every known class cover, where a text can mean several things.
    """

    kept: GroupedCounts
    starred: int
    columns: Mapping[str, SeenColumn]
    identifiers: Sequence[Attribute]
    others: Sequence[Attribute]
    missing: MissingValues
    statements: ConfidentialStatements | None
    where: str
    local: bool = False
    gone: GroupedCounts | None = None
    unknown_people: bool = False
    sizes: Mapping[tuple[str, ...], tuple[int, ...]] | None = None

    @property
    def doubts(self) -> str:
        """Why nobody knows what the labels cover; empty if it is known."""
        doubts = dict.fromkeys(column.doubt for column in self.columns.values() if column.doubt)
        return "; ".join(doubts)

    def anonymization(self, suppressed: SuppressedRecords | None = None) -> Anonymization:
        """Return the classes of the rows, with the suppressed ones as a class if they are known."""
        grouped, truths = self._with(suppressed)
        table = build_count_table(
            grouped,
            [*self._flat(grouped), *self.others],
            missing=replace(self.missing, policy=MissingPolicy.CATEGORY),
            where=self.where,
            statements=self.statements,
            truths=truths,
        )
        labels = self._labels(table) if self.sizes is None else self._by_class(table, self.sizes)
        first = len(next(iter(self.columns.values())).texts)
        gone = np.repeat(table.cell_codes[0], np.diff(table.entry_starts)) == first
        found = Anonymization(
            table=table,
            labels=labels,
            suppressed=gone,
            lacks=self._lacks(),
            originals=False,
        )
        if suppressed is None or table.people is not None:
            return found
        kept = found.sizes[found.kept]
        return replace(found, squares=int((kept * kept).sum()) + suppressed.squares)

    def _labels(self, table: CountTable) -> tuple[ColumnLabels, ...]:
        entries = np.diff(table.entry_starts)
        return tuple(
            ColumnLabels(
                codes=np.repeat(table.cell_codes[q], entries),
                sizes=column.sizes if column.sizes is None else np.append(column.sizes, 1),
                leaves=column.leaves,
                partition=column.partition,
                level=column.level,
            )
            for q, column in enumerate(self.columns.values())
        )

    def _by_class(
        self, table: CountTable, sizes: Mapping[tuple[str, ...], tuple[int, ...]]
    ) -> tuple[ColumnLabels, ...]:
        """Return labels that differ from class to class; a class is a cell of this table."""
        texts = [
            [self.missing.label if text is None else text for text in column.texts]
            for column in self.columns.values()
        ]
        gone, ones = len(texts[0]), (1,) * len(texts)
        covered = np.array(
            [
                ones
                if codes[0] == gone
                else sizes[tuple(of[code] for of, code in zip(texts, codes, strict=True))]
                for codes in table.cell_codes.T.tolist()
            ],
            dtype=np.int64,
        )
        cells = np.repeat(np.arange(table.cells, dtype=np.int32), np.diff(table.entry_starts))
        return tuple(
            ColumnLabels(codes=cells, sizes=covered[:, q], leaves=column.leaves)
            for q, column in enumerate(self.columns.values())
        )

    def _lacks(self) -> dict[SeenFrom, str]:
        lacks = {SeenFrom.ORIGINALS: ORIGINALS}
        if self.unknown_people:
            lacks[SeenFrom.PEOPLE] = PEOPLE
        if self.doubts:
            lacks |= dict.fromkeys((SeenFrom.BLOCKS, SeenFrom.PARTITIONS), self.doubts)
        elif any(column.partition is None for column in self.columns.values()):
            lacks[SeenFrom.PARTITIONS] = (
                CLASS_TO_CLASS if self.local else "the rows are not all recoded to the same level"
            )
        return lacks

    def _flat(self, grouped: GroupedCounts) -> list[Attribute]:
        return [
            quasi_identifying(
                a.name,
                Flat(values=tuple(map(str, grouped.columns[a.name].values))),
                weight=a.weight,
            )
            for a in self.identifiers
        ]

    def _with(
        self, suppressed: SuppressedRecords | None
    ) -> tuple[GroupedCounts, GivenTruths | None]:
        """Return the counts with texts that nothing but equal cells makes equal.

        A mark before each text keeps markers of missing values, which are about the source, from
        merging cells that a reader can tell apart; an empty cell has the mark alone. The records of
        suppressed rows come last, with a text of their own.
        """
        if suppressed is not None and self.gone is not None:
            return self._with_gone(self.gone), None
        records = () if suppressed is None else suppressed.records
        columns: dict[str, GroupedColumn] = {}
        for name, column in self.kept.columns.items():
            values, codes = column.values, column.codes
            if name in self.columns:
                marks = ("" if t is None else f"={t}" for t in self.columns[name].texts)
                values = (*(f"cell {mark}" for mark in marks), _SUPPRESSED)
                added = [len(values) - 1] * len(records)
            elif suppressed is not None and name in suppressed.columns:
                place = suppressed.columns.index(name)
                given = [record.values[place] for record in records]
                texts = [None if text == self.missing.label else text for text in given]
                values = tuple(dict.fromkeys((*values, *texts)))
                added = [values.index(text) for text in texts]
            else:
                added = [0] * len(records)
            columns[name] = GroupedColumn(
                values=values, codes=np.append(codes, added).astype(np.int32)
            )
        counts = np.append(self.kept.counts, [record.rows for record in records]).astype(np.int64)
        grouped = GroupedCounts(columns=columns, counts=counts, people=self.kept.people)
        if suppressed is None or self.statements is None or not records:
            return grouped, None
        rules = len(self.statements.rules)
        return grouped, GivenTruths(
            groups=np.arange(counts.shape[0]) >= self.kept.counts.shape[0],
            satisfied=np.array([record.satisfies for record in records], dtype=np.bool_),
            applies=np.array(
                [
                    record.applies if len(record.applies) == rules else [True] * rules
                    for record in records
                ],
                dtype=np.bool_,
            ),
        )

    def _with_gone(self, gone: GroupedCounts) -> GroupedCounts:
        """Return the counts with those of the suppressed rows, whose people may be kept as well."""
        columns: dict[str, GroupedColumn] = {}
        for name, column in self.kept.columns.items():
            values, codes = column.values, column.codes
            if name in self.columns:
                marks = ("" if t is None else f"={t}" for t in self.columns[name].texts)
                values = (*(f"cell {mark}" for mark in marks), _SUPPRESSED)
                added = np.full(gone.counts.shape, len(values) - 1)
            else:
                others = gone.columns[name]
                values = tuple(dict.fromkeys((*values, *others.values)))
                places = {value: place for place, value in enumerate(values)}
                added = np.array([places[value] for value in others.values])[others.codes]
            columns[name] = GroupedColumn(
                values=values, codes=np.append(codes, added).astype(np.int32)
            )
        kept = self.kept.people
        assert kept is not None
        assert gone.people is not None
        return GroupedCounts(
            columns=columns,
            counts=np.append(self.kept.counts, gone.counts),
            people=GroupedPeople(
                persons=np.append(kept.persons, gone.people.persons),
                counts=np.append(kept.counts, gone.people.counts),
            ),
        )

    def check(self, suppressed: SuppressedRecords) -> None:
        """Refuse suppressed records of another study."""
        sensitive = [a.name for a in self.others]
        unknown = [name for name in sensitive if name not in suppressed.columns]
        if unknown:
            raise SourceError(
                "the private certificate is of another study: it does not have the sensitive "
                f"column {listed(unknown)}",
                code="other-study",
                found=listed(unknown),
            )
        predicates = () if self.statements is None else self.statements.predicates
        strangers = [str(each) for each in predicates if str(each) not in suppressed.predicates]
        if strangers or (predicates and len(suppressed.predicates) != len(predicates)):
            missing = listed(strangers or [str(each) for each in predicates])
            raise SourceError(
                "the private certificate is of another study: it does not have the confidential "
                f"statement {missing}",
                code="other-study",
                found=missing,
            )


def seen_column(
    name: str,
    column: GroupedColumn,
    hierarchy: PartitionedDomain | None,
    *,
    missing: MissingValues,
    known: WrittenColumn | None,
    statistics: bool,
) -> tuple[SeenColumn, GroupedColumn]:
    """Return what the texts of a column cover, and the column with the texts that occur.

    Texts that are ``statistics`` of blocks look like values: only ``known`` blocks tell what they
    cover. Without a hierarchy nothing does.
    """
    occurring, codes = np.unique(column.codes, return_inverse=True)
    texts = tuple(column.values[code] for code in occurring)
    recoded = GroupedColumn(values=texts, codes=codes.ravel().astype(np.int32))
    labels = [missing.label if text is None else text for text in texts]
    level: int | None
    partition: Counts | None
    if hierarchy is None:
        return SeenColumn(texts=texts, sizes=None, leaves=len(texts), doubt=_NO_HIERARCHY), recoded
    if known is None and statistics:
        return _unknown(texts, hierarchy, _STATISTICS), recoded
    if known is not None:
        sizes = zip(known.labels, known.sizes.tolist(), strict=True)
        leaves = {label: size for label, size in sizes if label is not None}
        level, partition = known.level, known.partition
    else:
        found = locate_labels(hierarchy, labels)
        if found.ambiguous:
            doubt = (
                f"labels of column {name!r} mean different blocks at different levels: "
                f"{listed(found.ambiguous, most=3)}"
            )
            return _unknown(texts, hierarchy, doubt), recoded
        leaves, level = dict(found.leaves), found.level
        read = read_leaves(hierarchy, found.unknown)
        leaves |= {text: int(covered.shape[0]) for text, covered in read.items()}
        if missing.label in found.unknown and missing.label not in leaves:
            # The study saw no missing value here; this table has some, a block of their own.
            leaves[missing.label] = 1
        partition = None if level is None else hierarchy.block_sizes(level)
    beyond = [label for label in labels if label not in leaves]
    if beyond:
        doubt = (
            f"the hierarchy of column {name!r} does not know its labels {listed(beyond, most=3)}"
        )
        return replace(_unknown(texts, hierarchy, doubt), level=level), recoded
    return (
        SeenColumn(
            texts=texts,
            sizes=np.array([leaves[label] for label in labels], dtype=np.int64),
            leaves=hierarchy.leaf_count,
            level=level if isinstance(hierarchy, Hierarchy) else None,
            partition=partition,
        ),
        recoded,
    )


def class_sizes(
    columns: Sequence[WrittenColumn],
) -> dict[tuple[str, ...], tuple[int, ...]] | None:
    """Return what the texts of every class cover; None where each text covers the same anywhere."""
    if not any(column.by_class for column in columns):
        return None
    texts = zip(*(map(str, column.labels) for column in columns), strict=True)
    sizes = zip(*(column.sizes.tolist() for column in columns), strict=True)
    return dict(zip(texts, sizes, strict=True))


def _unknown(texts: tuple[str | None, ...], hierarchy: PartitionedDomain, doubt: str) -> SeenColumn:
    return SeenColumn(texts=texts, sizes=None, leaves=hierarchy.leaf_count, doubt=doubt)


def kept_and_gone(every: GroupedCounts) -> tuple[GroupedCounts, GroupedCounts]:
    """Tell kept rows from suppressed ones by the column that says so, and leave it out."""
    told = every.columns[KEPT]
    kept = np.array([value == "yes" for value in told.values], dtype=np.bool_)[told.codes]
    return _where(every, kept), _where(every, ~kept)


def _where(grouped: GroupedCounts, groups: Flags) -> GroupedCounts:
    """Return some groups."""
    return GroupedCounts(
        columns={
            name: replace(column, codes=column.codes[groups])
            for name, column in grouped.columns.items()
            if name != KEPT
        },
        counts=grouped.counts[groups],
        people=None if grouped.people is None else grouped.people.where(groups),
    )


def without_starred(grouped: GroupedCounts, names: Sequence[str]) -> tuple[GroupedCounts, int]:
    """Take out the rows that have ``*`` everywhere, unless all rows have."""
    starred = np.ones(grouped.counts.shape, dtype=np.bool_)
    for name in names:
        column = grouped.columns[name]
        is_star = np.array([value == TOP for value in column.values], dtype=np.bool_)
        starred &= is_star[column.codes]
    if starred.all() or not starred.any():
        return grouped, 0
    return _where(grouped, ~starred), int(grouped.counts[starred].sum())
