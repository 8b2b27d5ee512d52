"""From a study and a chosen recoding to a verified release, and back by an audit."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.classes.candidates import Candidates
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.grouped_recodings import group_recodings
from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.engines.messages.rewrite_plan import SuppressedRows
from sfumato.errors import SettingsError, SfumatoError, SourceError, UnmetError
from sfumato.front.front import Solution
from sfumato.hierarchies.hierarchy import tree_of
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.measures.measure import Measure
from sfumato.recoding.recoding import Recoding
from sfumato.release.audit.audit import Audit, KnownRecoding, audit_table
from sfumato.release.certificates.documents import (
    PrivateCertificate,
    as_certified,
    certified_statistics,
    read_private_certificate,
)
from sfumato.release.kept_labels import kept_leaves, with_kept_labels
from sfumato.release.release import Release, silent_stage, write_release
from sfumato.release.release_request import ReleaseRequest
from sfumato.release.released_values import ReleasedValues, released_values
from sfumato.release.writing.destinations import check_destinations
from sfumato.sources.file_digest import table_sha256
from sfumato.sources.source import CsvFile, Source, path_of, source_of
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.statements.counted_statements import StatementPatterns
from sfumato.study.evaluation import Evaluation, evaluate_node, evaluate_recoding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import Carried
    from sfumato.recoding.column_blocks import ColumnBlocks
    from sfumato.sources.source import ColumnarTable
    from sfumato.study.description import StudyDescription


def release_recoding(
    study: StudyDescription,
    chosen: Mapping[str, int] | Recoding | Solution,
    destination: str | Path,
    *,
    threshold: int | None = None,
    suppressed_rows: SuppressedRows | str = SuppressedRows.DROP,
    values: ReleasedValues | str = ReleasedValues.GENERALIZED,
    certificate: str | Path | None = None,
    private_certificate: str | Path | None = None,
    provenance: Mapping[str, object] | None = None,
    force: bool = False,
    stage: Callable[[str], None] = silent_stage,
) -> Release:
    """Write one recoding of a study's source; see `Study.release`."""
    if isinstance(chosen, Solution) and threshold is None:
        threshold = chosen.threshold
    try:
        rows = SuppressedRows(suppressed_rows)
    except ValueError:
        raise SettingsError(
            f"suppressed rows cannot be treated as {suppressed_rows!r}; choose 'drop' or 'star'"
        ) from None
    written_values = released_values(values)
    check_destinations(
        study.source,
        Path(destination),
        certificate=None if certificate is None else Path(certificate),
        private_certificate=None if private_certificate is None else Path(private_certificate),
        force=force,
        parts=study.engine.writes_parts,
    )
    table = study.count_table
    recoding = study.recoding(chosen)
    promised = evaluate_recoding(study.problem, recoding, threshold=threshold)
    unsuppressed = replace(study.problem, suppression=NO_SUPPRESSION)
    before = evaluate_node(unsuppressed, study.lattice.bottom)
    if isinstance(chosen, Solution):
        _check_solution(chosen, promised)
    if not promised.meets:
        missed = " and ".join(map(str, study.policy.criteria))
        raise UnmetError(
            f"this recoding does not meet {missed} with the rows that may be suppressed; choose a "
            "coarser one, or one of a search"
        )
    carries: tuple[Carried, ...] = (*table.columns, *study.policy.carries(table))
    if table.statements is not None:
        carries = (*carries, StatementPatterns())
    tables = ClassTables(table=table, carries=tuple(dict.fromkeys(carries)))
    batch = group_recodings(tables, [recoding])[0]
    kept = (
        Candidates.of(batch, study.policy).kept_of(0)
        if study.policy.criteria
        else batch.sizes >= promised.threshold
    )
    source = source_of(study.source)
    request = ReleaseRequest(
        source=source,
        columns=study.source_columns,
        stamp=study.source_stamp,
        engine=study.engine,
        attributes=tuple(study.attributes),
        missing=study.missing,
        batch=batch,
        blocks=_blocks(study, recoding, batch, kept),
        levels=recoding.levels,
        threshold=promised.threshold,
        kept=kept,
        suppression=study.policy,
        objectives=tuple(m for m in study.objectives if isinstance(m, Measure)),
        promised=promised.values,
        before=before.values,
        provenance={"source": _described(source), **(provenance or {})},
        suppressed_rows=rows,
        values=written_values,
    )
    return write_release(
        request,
        Path(destination),
        certificate=None if certificate is None else Path(certificate),
        private_certificate=None if private_certificate is None else Path(private_certificate),
        force=force,
        stage=stage,
    )


def _blocks(
    study: StudyDescription, recoding: Recoding, batch: ClassBatch, kept: Flags
) -> tuple[ColumnBlocks, ...]:
    """Return the blocks with the labels to write; those of cuts tell of kept rows only."""
    table = study.count_table
    blocks = recoding.blocks(table)
    if recoding.cuts is None:
        return blocks
    builders = {attribute.name: attribute.hierarchy for attribute in study.attributes}
    return tuple(
        with_kept_labels(
            column,
            tree_of(identifier.hierarchy, column=column.name),
            leaves,
            declared=bool(getattr(builders[column.name], "domain_is_declared", True)),
            minimum_level=identifier.minimum_level,
        )
        for column, identifier, leaves in zip(
            blocks, table.quasi_identifiers, kept_leaves(batch, kept), strict=True
        )
    )


def audit_against(
    study: StudyDescription,
    table: Source | ColumnarTable | str | Path,
    *,
    private_certificate: str | Path | None = None,
) -> Audit:
    """Measure any table by a study's roles and hierarchies; see `Study.audit`."""
    source = source_of(table)
    digest = _digest(source)
    if isinstance(source, CsvFile) and source == CsvFile(path=source.path):
        source = as_certified(source, digest or "")
    totals, known = None, None
    statistics: dict[str, str] = {}
    path = path_of(source)
    if path is not None and digest is not None:
        statistics = certified_statistics(path, digest)
    if private_certificate is not None:
        certificate = read_private_certificate(Path(private_certificate))
        if path is None:
            raise SourceError(
                f"a private certificate is about a file, and {source} is none; give the path"
            )
        if digest != certificate.sha256:
            raise SourceError(
                f"{private_certificate} is not about {source}: the file is another one, or was "
                "changed since it was released"
            )
        totals = certificate.totals
        blocks = None
        if certificate.cuts is not None:
            blocks = tuple(
                replace(column, labels=certificate.labels.get(column.name, column.labels))
                for column in Recoding.of_cuts(certificate.cuts).blocks_in(_hierarchies(study))
            )
        if certificate.statistics is not None:
            statistics = {name: c.statistic for name, c in certificate.statistics.items()}
            blocks = _blocks_with_statistics(study, certificate)
        known = KnownRecoding(starred=certificate.starred, levels=certificate.levels, blocks=blocks)
    return audit_table(
        source,
        engine=study.engine,
        attributes=tuple(study.attributes),
        unlisted_insensitive=study.unlisted_insensitive,
        hierarchies=_hierarchies(study),
        missing=study.missing,
        measures=tuple(m for m in study.objectives if isinstance(m, Measure)),
        totals=totals,
        known=known,
        statistics=statistics,
        statements=None
        if study.statements is None
        else ConfidentialStatements.of(study.statements),
    )


def _blocks_with_statistics(
    study: StudyDescription, certificate: PrivateCertificate
) -> tuple[ColumnBlocks, ...]:
    """Return the blocks of a microaggregated release, with the values that were written."""
    assert certificate.statistics is not None
    recoding = (
        Recoding.of_cuts(certificate.cuts)
        if certificate.cuts is not None
        else Recoding.of_levels(certificate.levels or {})
    )
    hierarchies = _hierarchies(study)
    blocks = []
    try:
        for column in recoding.blocks_in(hierarchies):
            labels: list[str | None] = [None] * len(column.labels)
            for written, block in certificate.statistics[column.name].block_of_value.items():
                labels[block] = written
            blocks.append(replace(column, labels=tuple(labels)))
    except (KeyError, IndexError):
        raise SourceError(
            "the private certificate tells of other quasi-identifiers, levels or blocks than the "
            f"study has ({', '.join(hierarchies)}): it is of another study"
        ) from None
    return tuple(blocks)


def _digest(source: Source) -> str | None:
    """Return the SHA-256 of a source's file, None if it has none."""
    path = path_of(source)
    return None if path is None or not path.exists() else table_sha256(path)


def _check_solution(solution: Solution, found: Evaluation) -> None:
    """Refuse a solution whose metrics are not those of this study."""
    same = solution.suppressed == found.suppressed and all(
        math.isclose(value, found.values[name], rel_tol=1e-9, abs_tol=1e-12)
        or value == found.values[name]
        for name, value in solution.values.items()
        if name in found.values
    )
    if not same:
        raise UnmetError(
            f"solution {solution.id} does not have the metrics that it was found with: the "
            "source, the hierarchies or the settings are not those of its search; search again"
        )


def _hierarchies(study: StudyDescription) -> dict[str, PartitionedDomain]:
    """Return the hierarchies as they fit the source, or as declared where it is not at hand."""
    source = source_of(study.source)
    path = path_of(source)
    if path is None or path.exists():
        return study.hierarchies
    hierarchies: dict[str, PartitionedDomain] = {}
    for attribute in study.attributes:
        if attribute.hierarchy is None:
            continue
        if isinstance(attribute.hierarchy, PartitionedDomain):
            hierarchies[attribute.name] = attribute.hierarchy
        else:
            try:
                hierarchies[attribute.name] = attribute.hierarchy.build([], column=attribute.name)
            except SfumatoError as error:
                raise SourceError(
                    f"{source} is not there, and the hierarchy of column {attribute.name!r} "
                    f"depends on its values ({error}); put the file back, or declare the domain "
                    "in the study"
                ) from None
    return hierarchies


def _described(source: Source) -> dict[str, object]:
    path = path_of(source)
    if path is None:
        return {"table": str(source)}
    return {"path": str(path.absolute()), "sha256": table_sha256(path)}
