"""Measuring any table by its own content, whoever anonymized it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_columns
from sfumato.errors import SourceError
from sfumato.errors.listing import listed
from sfumato.findings.finding import Finding, Severity
from sfumato.measures.catalogue import every_measure
from sfumato.measures.evaluation import evaluate
from sfumato.microdata.count_source import person_key
from sfumato.microdata.roles import Role
from sfumato.release.audit.audit import Audit
from sfumato.release.audit.seen_statements import SeenStatements
from sfumato.release.audit.seen_table import (
    PEOPLE,
    SeenTable,
    class_sizes,
    kept_and_gone,
    seen_column,
    without_starred,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sfumato.classes.anonymization import Anonymization
    from sfumato.classes.suppression import ClassCriterion
    from sfumato.engines.engine import Engine
    from sfumato.engines.messages.grouped_counts import GroupedCounts, PersonKey
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.measures.measure import Measure
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.suppressed_records import SuppressedRecords
    from sfumato.sources.source import Source
    from sfumato.statements.confidential import ConfidentialStatements


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownRecoding:
    """What a publisher knows of a release beyond the file: how it was recoded.

    ``starred`` says whether rows with ``*`` everywhere are suppressed ones; ``blocks`` are those of
    every quasi-identifier, in order, with the labels that were written. ``smaller`` are columns
    whose domain has one leaf less than their hierarchy, that for missing values.
    """

    starred: bool
    blocks: Sequence[WrittenColumn]
    smaller: Collection[str] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceOfPeople:
    """Where a publisher finds whom the rows of a release are about: its source, and the plan.

    The rows of the release are known to be those that the plan makes of the source.
    """

    source: Source
    plan: RewritePlan
    target: Target
    person: PersonKey


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditedBy:
    """What a table is measured by: the roles, hierarchies and measures of a study.

    Of a column without a hierarchy nobody knows what its labels cover. ``measures`` adds measures
    that take parameters to those that every table supports. ``policy`` is what is required of the
    table. ``unknown_people`` says that people are to be counted, and that nobody knows whom the
    rows are about.
    """

    engine: Engine
    attributes: Sequence[Attribute]
    hierarchies: Mapping[str, PartitionedDomain]
    missing: MissingValues
    measures: Sequence[Measure] = ()
    policy: Sequence[ClassCriterion] = ()
    statements: ConfidentialStatements | None = None
    unlisted_insensitive: bool = False
    unknown_people: bool = False


def audit_table(
    table: Source,
    by: AuditedBy,
    *,
    suppressed: SuppressedRecords | None = None,
    known: KnownRecoding | None = None,
    statistics: Mapping[str, str] | None = None,
    people: SourceOfPeople | None = None,
    starred: bool | None = None,
) -> Audit:
    """Measure a table whose quasi-identifiers hold values or labels of the hierarchies.

    Classes are rows with equal texts, so privacy is measured whatever the labels are; losses
    need labels that the hierarchies know. The ``suppressed`` records and what is ``known`` come
    from a private certificate; without it rows with ``*`` everywhere are taken for suppressed ones,
    unless all rows are, or ``starred``, from a public certificate, says no. ``statistics`` says
    that the cells are statistics of blocks. They look like values, so that nothing but ``known``
    blocks tells the losses. Where the table does not tell who protects which of the statements, it
    is only asked whether it would be secure if everybody protected all of them. If the study has a
    person key, a table alone does not tell what counts people; ``people`` says where that is to be
    found.
    """
    columns = by.engine.columns(table)
    statements = SeenStatements.of(by.statements, by.attributes, columns, by.missing)
    if known is not None:
        starred = known.starred
    seen = _seen(table, by, columns, statements, known, statistics or {}, people, starred)
    released = seen.anonymization()
    metrics, lacking = _measured(released, by, columns, statements)
    whole = None
    if suppressed is not None:
        seen.check(suppressed)
        whole = _measured(seen.anonymization(suppressed), by, columns, statements)[0]
    described = {a.name for a in by.attributes}
    unknown = tuple(
        name for name in columns if name not in described and not by.unlisted_insensitive
    )
    return Audit(
        rows=released.table.rows,
        starred=seen.starred,
        classes=released.classes,
        metrics=dict(sorted(metrics.items())),
        whole_table=None if whole is None else dict(sorted(whole.items())),
        levels={name: column.level for name, column in seen.columns.items()},
        not_measured=dict(sorted(lacking.items())),
        identifying=tuple(
            a.name for a in by.attributes if a.role is Role.IDENTIFYING and a.name in columns
        ),
        unknown=unknown,
        findings=tuple(_findings(columns, by.attributes, unknown)),
        statistics=dict(statistics or {}),
        labels={name: len(column.texts) for name, column in seen.columns.items()},
        needs_people=tuple(sorted(name for name, why in lacking.items() if why == PEOPLE)),
        by_rows=_by_rows(seen, by, columns) if seen.unknown_people else {},
        policy=tuple(by.policy),
    )


def _seen(
    table: Source,
    by: AuditedBy,
    columns: Sequence[str],
    statements: SeenStatements,
    known: KnownRecoding | None,
    statistics: Mapping[str, str],
    people: SourceOfPeople | None,
    starred: bool | None,
) -> SeenTable:
    """Count the rows of the table, and find out what its labels cover."""
    identifiers = [a for a in by.attributes if a.role is Role.QUASI_IDENTIFYING]
    names = [a.name for a in identifiers]
    check_columns(names, columns, where=str(table))
    others = [
        a
        for a in by.attributes
        if a.role is not Role.QUASI_IDENTIFYING
        and (a.role is Role.SENSITIVE or a.label)
        and a.name in columns
    ]
    asked = [*names, *(a.name for a in others), *statements.beside]
    person = person_key(by.attributes, by.missing)
    gone: GroupedCounts | None = None
    stars = 0
    if people is not None:
        every = by.engine.count_released(
            people.source,
            people.plan,
            people.target,
            asked,
            person=people.person,
            told_apart=statements.beside,
        )
        grouped, gone = kept_and_gone(every)
        if starred:
            stars = int(gone.counts.sum())
    else:
        own = _own_key(person, by.attributes, columns)
        grouped = by.engine.count(table, asked, told_apart=statements.beside, person=own)
        if not grouped.counts.size:
            raise SourceError(f"{table} has not a single row", code="no-rows", file=table)
        if starred is not False:
            grouped, stars = without_starred(grouped, names)
    seen = {}
    texts = dict(grouped.columns)
    for q, name in enumerate(names):
        seen[name], texts[name] = seen_column(
            name,
            grouped.columns[name],
            by.hierarchies.get(name),
            missing=by.missing,
            known=None if known is None else known.blocks[q],
            statistics=bool(statistics),
        )
        if known is not None and name in known.smaller:
            seen[name] = replace(seen[name], leaves=seen[name].leaves - 1)
    return SeenTable(
        kept=replace(grouped, columns=texts),
        gone=gone,
        unknown_people=by.unknown_people or (person is not None and grouped.people is None),
        starred=stars,
        columns=seen,
        identifiers=identifiers,
        others=others,
        missing=by.missing,
        statements=statements.statements,
        where=str(table),
        local=known is not None and any(column.partition is None for column in known.blocks),
        sizes=class_sizes(known.blocks) if known is not None else None,
    )


def _own_key(
    person: PersonKey | None, attributes: Sequence[Attribute], columns: Sequence[str]
) -> PersonKey | None:
    """Return the person key if a table has it as it was: then it tells whom its rows are about."""
    if person is None:
        return None
    recoded = {a.name for a in attributes if a.role is Role.QUASI_IDENTIFYING}
    shown = all(name in columns and name not in recoded for name in person.columns)
    return person if shown else None


def _measured(
    anonymization: Anonymization,
    by: AuditedBy,
    columns: Sequence[str],
    statements: SeenStatements,
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the metrics of the classes, and why others cannot be computed."""
    supported = every_measure(anonymization.table)
    wanted = (*supported, *(m for m in by.measures if m not in supported))
    fitting = [
        m for m in wanted if anonymization.table.statements is not None or not m.needs_statements
    ]
    chosen, lacking = _measurable(fitting, columns=columns, attributes=by.attributes)
    found = evaluate(chosen, anonymization.model)
    metrics = found.of()
    lacking |= found.lacking
    lacking |= statements.take_back(metrics, wanted)
    return metrics, lacking


def _by_rows(seen: SeenTable, by: AuditedBy, columns: Sequence[str]) -> dict[str, float]:
    """Return in rows what counts people and cannot be better in people."""
    anonymization = replace(seen, unknown_people=False).anonymization()
    bounded = [m for m in every_measure(anonymization.table) if m.rows_bound_people]
    chosen, _ = _measurable(bounded, columns=columns, attributes=by.attributes)
    return evaluate(chosen, anonymization.model).of()


def _measurable(
    measures: Sequence[Measure], *, columns: Sequence[str], attributes: Sequence[Attribute]
) -> tuple[list[Measure], dict[str, str]]:
    """Return the measures whose columns the table has, and why the others are left out."""
    chosen: list[Measure] = []
    lacking: dict[str, str] = {}
    label = next((a for a in attributes if a.label), None)
    sensitive = [a.name for a in attributes if a.role is Role.SENSITIVE]
    absent = [name for name in sensitive if name not in columns]
    for one in measures:
        if one.needs_sensitive and absent:
            lacking[str(one)] = f"the table lacks the sensitive column {listed(absent)}"
        elif one.needs_label and (label is None or label.role is Role.QUASI_IDENTIFYING):
            lacking[str(one)] = "the class label is recoded itself"
        elif one.needs_label and label is not None and label.name not in columns:
            lacking[str(one)] = f"the table lacks the class label {label.name!r}"
        else:
            chosen.append(one)
    return chosen, lacking


def _findings(
    columns: Sequence[str], attributes: Sequence[Attribute], unknown: Sequence[str]
) -> Iterator[Finding]:
    """Yield what the columns of a table tell by their names and roles alone."""
    for attribute in attributes:
        if attribute.role is Role.IDENTIFYING and attribute.name in columns:
            yield Finding(
                code="identifying-column",
                severity=Severity.WARNING,
                columns=(attribute.name,),
                message=f"the identifying column {attribute.name!r} is in the table",
            )
    for name in unknown:
        yield Finding(
            code="unknown-column",
            severity=Severity.WARNING,
            columns=(name,),
            message=f"the study does not know the column {name!r}",
        )
    absent = tuple(
        a.name
        for a in attributes
        if a.role in (Role.SENSITIVE, Role.INSENSITIVE) and a.name not in columns
    )
    if absent:
        yield Finding(
            code="absent-columns",
            severity=Severity.NOTICE,
            columns=absent,
            message=f"the table lacks {listed(absent)}",
        )
