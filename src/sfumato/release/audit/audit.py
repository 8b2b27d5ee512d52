"""Measuring any table by its own content, whoever anonymized it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.classes.candidates import Candidates
from sfumato.classes.class_tables import ClassTables
from sfumato.engines.column_names import check_columns
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import SourceError
from sfumato.errors.listing import listed
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.hierarchies.label_lookup import locate_labels
from sfumato.measures.catalogue import every_measure
from sfumato.measures.confidentiality.sf_ql import SfQl
from sfumato.measures.equity.row_spread import RowLossSpread
from sfumato.measures.equity.row_values import RowValues
from sfumato.measures.loss.ql import Ql
from sfumato.measures.measure import SeenFrom
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.missing import MissingPolicy
from sfumato.microdata.roles import Attribute, Role, quasi_identifying
from sfumato.release.audit.seen_quality import seen_quality
from sfumato.release.audit.seen_statements import SeenStatements
from sfumato.release.audit.whole_table import whole_table_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.engines.engine import Engine
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.measures.measure import Measure
    from sfumato.microdata.missing import MissingValues
    from sfumato.recoding.column_blocks import ColumnBlocks
    from sfumato.release.suppressed_totals import SuppressedTotals
    from sfumato.sources.source import Source
    from sfumato.statements.confidential import ConfidentialStatements


@dataclass(frozen=True, kw_only=True)
class Audit:
    """The metrics of a table as it stands.

    ``metrics`` are those of its rows, without the ``starred`` ones, which have ``*`` in every
    quasi-identifier: a table alone does not tell how many rows were left out, so that weighted-k,
    s-k, dm, t and the losses are those of the kept rows. ``whole_table`` counts the suppressed
    rows too; it needs their totals. ``levels`` has the level of every quasi-identifier, None
    where there is no single one. ``not_measured`` says why a value is missing, and ``findings``
    what a publisher should look at: ``identifying`` columns that are in the table, columns that
    are ``unknown`` to the study, and those that are not there. ``statistics`` has the statistic
    that the cells of every quasi-identifier show, if a certificate says that they do.
    """

    rows: int
    starred: int
    classes: int
    metrics: Mapping[str, float]
    whole_table: Mapping[str, float] | None
    levels: Mapping[str, int | None]
    not_measured: Mapping[str, str]
    identifying: tuple[str, ...]
    unknown: tuple[str, ...]
    findings: tuple[str, ...]
    statistics: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownRecoding:
    """What a publisher knows of a release beyond the file: how it was recoded.

    ``starred`` says whether rows with ``*`` everywhere are suppressed ones; ``levels`` is None for
    a recoding without levels, ``blocks`` where only the levels are known.
    """

    starred: bool
    levels: Mapping[str, int] | None
    blocks: Sequence[ColumnBlocks] | None = None


def audit_table(
    table: Source,
    *,
    engine: Engine,
    attributes: Sequence[Attribute],
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
    measures: Sequence[Measure] = (),
    totals: SuppressedTotals | None = None,
    unlisted_insensitive: bool = False,
    known: KnownRecoding | None = None,
    statistics: Mapping[str, str] | None = None,
    statements: ConfidentialStatements | None = None,
) -> Audit:
    """Measure a table whose quasi-identifiers hold values or labels of the hierarchies.

    Classes are rows with equal texts, so privacy is measured whatever the labels are; losses
    need labels that the hierarchies know. ``measures`` adds measures that take parameters.
    ``totals`` of the suppressed rows and what is ``known`` come from a private certificate; without
    them rows with ``*`` everywhere are taken for suppressed ones, unless all rows are.
    ``statistics`` says that the cells are statistics of blocks. They look like values, so that
    nothing but ``known`` blocks tells the losses. Where the table does not tell who protects which
    of the ``statements``, it is only asked whether it would be secure if everybody protected all of
    them.
    """
    columns = engine.columns(table)
    seen = SeenStatements.of(statements, attributes, columns, missing)
    identifiers = [a for a in attributes if a.role is Role.QUASI_IDENTIFYING]
    check_columns([a.name for a in identifiers], columns, where=str(table))
    others = [
        a
        for a in attributes
        if a.role is not Role.QUASI_IDENTIFYING
        and (a.role is Role.SENSITIVE or a.label)
        and a.name in columns
    ]
    asked = [a.name for a in (*identifiers, *others)]
    grouped = engine.count(table, [*asked, *seen.beside], told_apart=seen.beside)
    if not grouped.counts.size:
        raise SourceError(f"{table} has not a single row")
    names = [a.name for a in identifiers]
    kept, starred = grouped, 0
    if known is None or known.starred:
        kept, starred = _without_starred(grouped, names)
    plain, texts = _as_plain_texts(kept, names)
    cells = {name: tuple(map(str, plain.columns[name].values)) for name in names}
    counted = [
        *(
            quasi_identifying(a.name, Flat(values=cells[a.name]), weight=a.weight)
            for a in identifiers
        ),
        *others,
    ]
    as_category = replace(missing, policy=MissingPolicy.CATEGORY)
    flat = build_count_table(
        plain, counted, missing=as_category, where=str(table), statements=seen.statements
    )
    supported = every_measure(flat)
    wanted = (*supported, *(m for m in measures if m not in supported))
    fitting = [m for m in wanted if flat.statements is not None or not m.needs_statements]
    chosen, lacking = _measurable(fitting, columns=columns, attributes=attributes)
    carried = dict.fromkeys(name for m in chosen for name in m.carries(flat))
    tables = ClassTables(table=flat, carries=(*dict.fromkeys([*carried, *flat.columns]),))
    batch = tables.group(np.zeros((1, len(identifiers)), dtype=np.int64))
    candidates = Candidates.of(batch)
    metrics = {str(m): float(m.evaluate(candidates)[0]) for m in chosen}
    lacking |= seen.take_back(metrics, wanted)
    if statistics and (known is None or known.blocks is None):
        levels, losses = dict.fromkeys(names), None
        doubts = ["the cells are statistics of blocks; the private certificate tells which blocks"]
    else:
        levels, losses, doubts = _located(batch, identifiers, hierarchies, missing, texts, known)
    reason = "; ".join(doubts)
    rows = flat.rows
    spreads = [m for m in wanted if isinstance(m, RowLossSpread)]
    if losses is None:
        lacking |= dict.fromkeys(("gl", "sl", "loss", "normalized-loss", "height"), reason)
        lacking |= {str(m): reason for m in spreads}
    else:
        lost = losses.total
        by_row = RowValues.of_classes(losses.by_class, batch.sizes)
        metrics |= {str(m): float(m.metric(by_row)[0]) for m in spreads}
        weight = sum(a.weight for a in identifiers)
        metrics |= {"gl": lost, "sl": 0.0, "loss": lost}
        metrics["normalized-loss"] = lost / (weight * rows) if weight else 0.0
        if not all(isinstance(each, Hierarchy) for each in hierarchies.values()):
            lacking["height"] = "admissible partitions have no height"
        elif all(level is not None for level in levels.values()):
            metrics["height"] = float(sum(level or 0 for level in levels.values()))
        else:
            lacking["height"] = "the rows are not all recoded to the same level"
    qualities: dict[str, float] = {}
    if losses is not None:
        qualities = seen_quality(
            wanted,
            flat,
            hierarchies=hierarchies,
            levels=levels,
            blocks=None if known is None else known.blocks,
        )
    for one in wanted:
        if isinstance(one, Ql) and str(one) in qualities:
            metrics[str(one)] = qualities[str(one)]
        if isinstance(one, SfQl) and str(one) in qualities and "sf" in metrics:
            metrics[str(one)] = metrics["sf"] * qualities[str(one)]
    lacking |= {
        str(m): reason or "the rows are not all recoded to the same level"
        for m in wanted
        if isinstance(m, Ql | SfQl) and str(m) not in metrics and str(m) not in lacking
    }
    described = {a.name for a in attributes}
    unknown_columns = tuple(
        name for name in columns if name not in described and not unlisted_insensitive
    )
    whole = None
    if totals is not None:
        whole = whole_table_metrics(
            metrics,
            batch=batch,
            totals=totals,
            identifiers=identifiers,
            row_losses=None if losses is None else losses.by_class,
            qualities=qualities,
        )
    return Audit(
        rows=rows,
        starred=starred,
        classes=batch.classes,
        metrics=dict(sorted(metrics.items())),
        whole_table=None if whole is None else dict(sorted(whole.items())),
        levels=levels,
        not_measured=dict(sorted(lacking.items())),
        identifying=tuple(
            a.name for a in attributes if a.role is Role.IDENTIFYING and a.name in columns
        ),
        unknown=unknown_columns,
        findings=tuple(_findings(columns, attributes, unknown_columns)),
        statistics=dict(statistics or {}),
    )


class _Losses(NamedTuple):
    """GL of all rows, and what every class loses by row."""

    total: float
    by_class: Floats


def _without_starred(grouped: GroupedCounts, names: Sequence[str]) -> tuple[GroupedCounts, int]:
    """Take out the rows that have ``*`` everywhere, unless all rows have."""
    starred = np.ones(grouped.counts.shape, dtype=np.bool_)
    for name in names:
        column = grouped.columns[name]
        is_star = np.array([value == TOP for value in column.values], dtype=np.bool_)
        starred &= is_star[column.codes]
    if starred.all() or not starred.any():
        return grouped, 0
    kept = GroupedCounts(
        columns={
            name: GroupedColumn(values=column.values, codes=column.codes[~starred])
            for name, column in grouped.columns.items()
        },
        counts=grouped.counts[~starred],
    )
    return kept, int(grouped.counts[starred].sum())


def _as_plain_texts(
    grouped: GroupedCounts, names: Sequence[str]
) -> tuple[GroupedCounts, dict[str, tuple[str | None, ...]]]:
    """Return the counts with quasi-identifiers that nothing but equal cells makes equal.

    A mark before each text keeps markers of missing values, which are about the source, from
    merging cells that a reader can tell apart; an empty cell has the mark alone.
    """
    columns = dict(grouped.columns)
    texts: dict[str, tuple[str | None, ...]] = {}
    for name in names:
        column = columns[name]
        occurring, codes = np.unique(column.codes, return_inverse=True)
        texts[name] = tuple(column.values[code] for code in occurring)
        marked = tuple("" if text is None else f"={text}" for text in texts[name])
        columns[name] = GroupedColumn(
            values=tuple(f"cell {mark}" for mark in marked), codes=codes.astype(np.int32)
        )
    return GroupedCounts(columns=columns, counts=grouped.counts), texts


def _measurable(
    measures: Sequence[Measure], *, columns: Sequence[str], attributes: Sequence[Attribute]
) -> tuple[list[Measure], dict[str, str]]:
    """Return the measures that a table's classes tell, and why the others are left out."""
    chosen: list[Measure] = []
    lacking: dict[str, str] = {}
    label = next((a for a in attributes if a.label), None)
    sensitive = [a.name for a in attributes if a.role is Role.SENSITIVE]
    absent = [name for name in sensitive if name not in columns]
    for one in measures:
        if one.seen_from is SeenFrom.ORIGINALS:
            lacking[str(one)] = "it needs the values before they were recoded"
        elif one.seen_from is SeenFrom.BLOCKS:
            continue
        elif one.needs_sensitive and absent:
            lacking[str(one)] = f"the table lacks the sensitive column {listed(absent)}"
        elif one.needs_label and (label is None or label.role is Role.QUASI_IDENTIFYING):
            lacking[str(one)] = "the class label is recoded itself"
        elif one.needs_label and label is not None and label.name not in columns:
            lacking[str(one)] = f"the table lacks the class label {label.name!r}"
        else:
            chosen.append(one)
    return chosen, lacking


def _located(
    batch: ClassBatch,
    identifiers: Sequence[Attribute],
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
    texts: Mapping[str, Sequence[str | None]],
    known: KnownRecoding | None,
) -> tuple[dict[str, int | None], _Losses | None, list[str]]:
    """Return the levels, the losses (None where a label is in doubt), and the doubts."""
    levels: dict[str, int | None] = {}
    doubts: list[str] = []
    total = 0.0
    by_class: Floats = np.zeros(batch.classes, dtype=np.float64)
    for q, attribute in enumerate(identifiers):
        hierarchy = hierarchies[attribute.name]
        labels = [missing.label if text is None else text for text in texts[attribute.name]]
        level = None if known is None or known.levels is None else known.levels[attribute.name]
        if known is not None and known.blocks is not None:
            column = known.blocks[q]
            sizes = zip(column.labels, column.sizes.tolist(), strict=True)
            leaves = {label: size for label, size in sizes if label is not None}
        else:
            found = locate_labels(hierarchy, labels, level=level)
            leaves = dict(found.leaves)
            if missing.label in found.unknown:
                # The study saw no missing value here; this table has some, a block of their own.
                leaves[missing.label] = 1
            if found.ambiguous:
                doubts.append(
                    f"labels of column {attribute.name!r} mean different blocks at different "
                    f"levels: {listed(found.ambiguous, most=3)}"
                )
                levels[attribute.name] = None
                continue
            level = found.level
        beyond = [label for label in labels if label not in leaves]
        levels[attribute.name] = level
        if beyond:
            doubts.append(
                f"the hierarchy of column {attribute.name!r} does not know its labels "
                f"{listed(beyond, most=3)}"
            )
            continue
        extents = np.array([leaves[label] - 1 for label in labels], dtype=np.int64)
        width = max(1, hierarchy.leaf_count - 1)
        of_class = extents[batch.codes(q)]
        total += attribute.weight * (int((of_class * batch.sizes).sum()) / width)
        by_class += attribute.weight * (of_class / width)
    losses = None if doubts else _Losses(total=total, by_class=by_class)
    return levels, losses, doubts


def _findings(
    columns: Sequence[str], attributes: Sequence[Attribute], unknown: Sequence[str]
) -> list[str]:
    findings = [
        f"the identifying column {a.name!r} is in the table"
        for a in attributes
        if a.role is Role.IDENTIFYING and a.name in columns
    ]
    findings += [f"the study does not know the column {name!r}" for name in unknown]
    absent = [
        a.name
        for a in attributes
        if a.role in (Role.SENSITIVE, Role.INSENSITIVE) and a.name not in columns
    ]
    if absent:
        findings.append(f"the table lacks {listed(absent)}")
    return findings
