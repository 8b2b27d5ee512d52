"""Tables that other tools anonymized, matched row by row with the source they came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.anonymization import Anonymization, ColumnLabels
from sfumato.classes.class_batch import SeenFrom
from sfumato.engines.column_names import check_columns
from sfumato.engines.messages.grouped_counts import (
    AnonymizedTable,
    GroupedColumn,
    GroupedCounts,
    matched_column,
    presence_column,
)
from sfumato.errors import SourceError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.hierarchies.label_lookup import covered_leaves, locate_labels
from sfumato.microdata.count_source import person_key
from sfumato.microdata.count_table import CountTable, Leaves
from sfumato.microdata.counting import build_count_table, counted_attributes
from sfumato.microdata.roles import Role, sensitive
from sfumato.recoding.label_reader import read_leaves
from sfumato.release.certificates.documents import certified_statistics
from sfumato.sources.source import CatalogTable, path_of, source_of
from sfumato.sources.source_stamp import table_sha256

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.sources.source import Source
    from sfumato.study.description import StudyDescription

_TEXT = "="
"""Stands before every text of a matched table, so that none is taken for a missing value."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedTables:
    """The rows of a source counted together with what others made of them.

    ``table`` tells rows apart that the others treat differently, so that recodings of it and the
    ``anonymizations``, one for each table, are about the same individuals.
    """

    table: CountTable
    anonymizations: tuple[Anonymization, ...]


def match_tables(
    study: StudyDescription, tables: Sequence[Source], *, key: str | None, labels: Sequence[str]
) -> MatchedTables:
    """Match anonymized tables with the source of a study, by a key column or by their order.

    It needs the source with its key, so that it is for the publisher alone.
    """
    source = source_of(study.source)
    counted_here = counted_attributes(study.attributes)
    identifiers = [a.name for a in counted_here if a.role is Role.QUASI_IDENTIFYING]
    kept = [a.name for a in study.attributes if a.role in (Role.SENSITIVE, Role.INSENSITIVE)]
    others = []
    for other in tables:
        columns = study.engine.columns(other)
        check_columns(identifiers, columns, where=str(other))
        unchanged = tuple(name for name in kept if name in columns)
        others.append(
            AnonymizedTable(source=other, columns=tuple(identifiers), unchanged=unchanged)
        )
    grouped = study.engine.count_matched(
        source,
        [a.name for a in counted_here],
        others,
        key=key,
        coarser=study.released_values,
        person=person_key(study.attributes, study.missing),
    )
    beside = [
        name
        for number in range(1, len(tables) + 1)
        for name in (*(matched_column(number, q) for q in identifiers), presence_column(number))
    ]
    whole = build_count_table(
        _marked(grouped, beside),
        # Labels of other tools may be finer than a minimum level, so that here all values are told
        # apart.
        [
            *(replace(attribute, minimum_level=0) for attribute in study.attributes),
            *(sensitive(name) for name in beside),
        ],
        missing=study.missing,
        where=str(source),
    )
    table = _without(whole, beside)
    return MatchedTables(
        table=table,
        anonymizations=tuple(
            _anonymization(whole, table, number, tables[number - 1], label)
            for number, label in enumerate(labels, start=1)
        ),
    )


def table_label(table: Source) -> str:
    """Return what sentences call a table: the name of its file."""
    path = path_of(table)
    if path is not None:
        return path.name
    return table.table if isinstance(table, CatalogTable) else "the table in memory"


def _marked(grouped: GroupedCounts, beside: Sequence[str]) -> GroupedCounts:
    columns = dict(grouped.columns)
    for name in beside:
        texts = tuple("" if v is None else f"{_TEXT}{v}" for v in columns[name].values)
        columns[name] = GroupedColumn(values=texts, codes=columns[name].codes)
    return replace(grouped, columns=columns)


def _without(whole: CountTable, beside: Sequence[str]) -> CountTable:
    """Return the count table of the source's own columns, its entries told apart as before."""
    own = [position for position, name in enumerate(whole.columns) if name not in set(beside)]
    return CountTable(
        quasi_identifiers=whole.quasi_identifiers,
        sensitive=tuple(c for c in whole.sensitive if c.name not in set(beside)),
        label=whole.label,
        cell_codes=whole.cell_codes,
        cell_sizes=whole.cell_sizes,
        entry_starts=whole.entry_starts,
        entry_codes=whole.entry_codes[own],
        entry_counts=whole.entry_counts,
        dropped_rows=whole.dropped_rows,
        people=whole.people,
    )


def _anonymization(
    whole: CountTable, table: CountTable, number: int, source: Source, label: str
) -> Anonymization:
    columns = [_column(whole, matched_column(number, name)) for name in table.names]
    presence, present = _column(whole, presence_column(number))
    suppressed: Flags = np.array([text is None for text in presence])[present]
    starred = np.logical_and.reduce(
        [np.array([text == TOP for text in texts])[codes] for texts, codes in columns]
    )
    # Where all that is left is *, nobody was singled out for suppression.
    if not (starred | suppressed).all():
        suppressed |= starred
    lacks: dict[SeenFrom, str] = {}
    if _microaggregated(source):
        reason = f"the cells of {source} are statistics of blocks, as its certificate says"
        labels = tuple(
            ColumnLabels(codes=codes, sizes=None, leaves=hierarchy.leaf_count)
            for (_, codes), hierarchy in zip(columns, table.hierarchies, strict=True)
        )
        lacks = dict.fromkeys((SeenFrom.BLOCKS, SeenFrom.PARTITIONS, SeenFrom.ORIGINALS), reason)
    else:
        labels, lacks = _labels(table, columns, ~suppressed, source)
    return Anonymization(
        table=table, labels=labels, suppressed=suppressed, label=label, lacks=lacks
    )


def _microaggregated(source: Source) -> bool:
    """Say whether the certificate beside a file says that its cells are statistics."""
    path = path_of(source)
    if path is None or not path.exists():
        return False
    return bool(certified_statistics(path, table_sha256(path)))


def _column(whole: CountTable, name: str) -> tuple[list[str | None], Codes]:
    """Return the texts of a matched column, None where there is none, and their codes."""
    position = list(whole.columns).index(name)
    values = whole.columns[name].values
    texts = [value.removeprefix(_TEXT) if value else None for value in values]
    return texts, whole.entry_codes[position]


def _labels(
    table: CountTable,
    columns: Sequence[tuple[Sequence[str | None], Codes]],
    kept: Flags,
    source: Source,
) -> tuple[tuple[ColumnLabels, ...], dict[SeenFrom, str]]:
    """Return what the labels of every column cover, and which no hierarchy knows.

    A label that a hierarchy knows must cover the value that it stands for.
    """
    labels = []
    unknown = []
    on_levels = True
    for q, (texts, codes) in enumerate(columns):
        name, hierarchy = table.names[q], table.hierarchies[q]
        occurring = {int(code): texts[code] or "" for code in np.unique(codes[kept])}
        covered = covered_leaves(hierarchy, list(occurring.values()))
        beyond = [text for text in occurring.values() if text not in covered]
        for text, leaves in read_leaves(hierarchy, beyond).items():
            covered[text] = np.isin(np.arange(hierarchy.leaf_count), leaves)
            beyond.remove(text)
        column = ColumnLabels(codes=codes, sizes=None, leaves=hierarchy.leaf_count)
        if beyond:
            unknown.append(f"{listed(beyond, most=3)} in column {name!r}")
        else:
            column = _covering(table, q, column, occurring, covered, kept, source)
            on_levels &= column.level is not None
        labels.append(column)
    if unknown:
        reason = f"{source} has labels that the hierarchies do not know: {'; '.join(unknown)}"
        return tuple(labels), dict.fromkeys(
            (SeenFrom.BLOCKS, SeenFrom.PARTITIONS, SeenFrom.ORIGINALS), reason
        )
    if not on_levels:
        reason = f"the rows of {source} are not all recoded to one level"
        return tuple(labels), {SeenFrom.PARTITIONS: reason}
    return tuple(labels), {}


def _covering(
    table: CountTable,
    q: int,
    column: ColumnLabels,
    occurring: Mapping[int, str],
    covered: Mapping[str, Flags],
    kept: Flags,
    source: Source,
) -> ColumnLabels:
    """Return a column with what its labels cover; refuse labels that do not cover their rows."""
    hierarchy = table.hierarchies[q]
    codes = column.codes
    leaves = np.repeat(table.cell_codes[q], np.diff(table.entry_starts))
    marginal = table.marginal(Leaves(table.names[q]))
    sizes: Counts = np.ones(int(codes.max()) + 1, dtype=np.int64)
    rows: Counts = np.full(int(codes.max()) + 1, table.rows, dtype=np.int64)
    wrong = 0
    for code, text in occurring.items():
        sizes[code] = int(covered[text].sum())
        rows[code] = int(marginal[covered[text]].sum())
        here = kept & (codes == code)
        wrong += int(table.entry_counts[here][~covered[text][leaves[here]]].sum())
    if wrong:
        raise SourceError(
            f"{source} has a label in column {table.names[q]!r} that does not cover the value "
            f"of its row in {counted(wrong, 'row')}: it is a release of another table, or its "
            "rows are in another order",
            code="rows-do-not-match",
            file=source,
            column=table.names[q],
            remedy="name a key column that both have (if its cells are statistics of blocks, keep "
            "the certificate of the release beside it)",
        )
    level = locate_labels(hierarchy, list(occurring.values())).level
    return replace(
        column,
        sizes=sizes,
        original_rows=rows,
        level=level if isinstance(hierarchy, Hierarchy) else None,
        partition=None if level is None else hierarchy.block_sizes(level),
    )
