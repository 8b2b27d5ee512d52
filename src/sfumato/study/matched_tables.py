"""Tables that other tools anonymized, matched row by row with the source they came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.compare.anonymization import Anonymization, class_numbers
from sfumato.engines.column_names import check_columns
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.engines.messages.matched_rows import AnonymizedTable, matched_column, presence_column
from sfumato.errors import SourceError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.hierarchy import TOP
from sfumato.hierarchies.label_lookup import covered_leaves
from sfumato.microdata.count_table import CountTable
from sfumato.microdata.counting import build_count_table, counted_attributes
from sfumato.microdata.roles import Role, sensitive
from sfumato.release.certificates.documents import certified_statistics
from sfumato.sources.file_digest import table_sha256
from sfumato.sources.source import CatalogTable, path_of, source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    grouped = study.engine.count_matched(source, [a.name for a in counted_here], others, key=key)
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
    )


def _anonymization(
    whole: CountTable, table: CountTable, number: int, source: Source, label: str
) -> Anonymization:
    columns = [_column(whole, matched_column(number, name)) for name in table.names]
    texts, codes = [c[0] for c in columns], [c[1] for c in columns]
    class_of, first = class_numbers(codes)
    presence, present = _column(whole, presence_column(number))
    suppressed: Flags = np.array([text is None for text in presence])[present]
    starred = np.logical_and.reduce(
        [np.array([t == TOP for t in text])[code] for text, code in zip(texts, codes, strict=True)]
    )
    # Where all that is left is *, nobody was singled out for suppression.
    if not (starred | suppressed).all():
        suppressed |= starred
    extents: Counts | None = None
    if _microaggregated(source):
        unknown = f"the cells of {source} are statistics of blocks, as its certificate says"
    else:
        extents, unknown = _extents(table, texts, codes, first, ~suppressed, source)
    found = Anonymization(
        table=table,
        class_of=class_of.astype(np.int32),
        extents=extents,
        label=label,
        unknown=unknown,
    )
    return found.suppressing(suppressed[first])


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


def _extents(
    table: CountTable,
    texts: Sequence[Sequence[str | None]],
    codes: Sequence[Codes],
    first: Counts,
    kept: Flags,
    source: Source,
) -> tuple[Counts | None, str]:
    """Return |block| - 1 of every class and column, or which labels no hierarchy knows.

    A label that a hierarchy knows must cover the value that it stands for.
    """
    cell_of = np.repeat(np.arange(table.cells), np.diff(table.entry_starts))
    extents = []
    unknown = []
    for q, identifier in enumerate(table.quasi_identifiers):
        occurring = np.unique(codes[q][kept])
        labels = {int(code): texts[q][code] or "" for code in occurring}
        covered = covered_leaves(identifier.hierarchy, list(labels.values()))
        beyond = [text for text in labels.values() if text not in covered]
        if beyond:
            unknown.append(f"{listed(beyond, most=3)} in column {identifier.name!r}")
            continue
        sizes: Counts = np.zeros(len(texts[q]), dtype=np.int64)
        leaves = table.cell_codes[q][cell_of]
        wrong = 0
        for code, text in labels.items():
            sizes[code] = int(covered[text].sum()) - 1
            here = kept & (codes[q] == code)
            wrong += int(table.entry_counts[here][~covered[text][leaves[here]]].sum())
        if wrong:
            raise SourceError(
                f"{source} has a label in column {identifier.name!r} that does not cover the value "
                f"of its row in {counted(wrong, 'row')}; it is a release of another table, or its "
                "rows are in another order: name a key column that both have. (If its cells are "
                "statistics of blocks, keep the certificate of the release beside it)"
            )
        extents.append(sizes[codes[q][first]])
    if unknown:
        return None, f"{source} has labels that the hierarchies do not know: {'; '.join(unknown)}"
    return np.stack(extents, axis=1), ""
