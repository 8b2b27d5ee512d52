"""Writing a release: rewrite, verify, certify, and only then put it in its place."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.data.csv_dialect import csv_dialect, is_compressed
from sfumato.data.domain import MissingDomain
from sfumato.data.file_digest import table_sha256
from sfumato.data.parts import parts_of
from sfumato.data.rewrite_plan import FileFormat, SuppressedRows, Target
from sfumato.data.roles import Role
from sfumato.data.source import CsvFile, ParquetFile, Source
from sfumato.data.source_stamp import SourceStamp, check_unchanged
from sfumato.errors import ReleaseError, SourceError, UnmetError
from sfumato.measures.catalogue import every_measure
from sfumato.measures.measure import SeenFrom
from sfumato.release.audit import Audit, KnownRecoding, audit_table
from sfumato.release.certificates import (
    PRIVATE,
    PUBLIC,
    certificate_text,
    csv_settings,
    totals_as_json,
)
from sfumato.release.destinations import check_destinations, target_of
from sfumato.release.microaggregation import MicroaggregatedColumn, microaggregate
from sfumato.release.private_workspace import (
    ordinary_permissions,
    place_together,
    private_workspace,
)
from sfumato.release.release_plan import plan_release
from sfumato.release.released_values import ReleasedValues
from sfumato.release.secret_question import published_secrets, rules_as_written
from sfumato.release.statistics_check import check_statistics
from sfumato.release.suppressed_totals import SuppressedTotals
from sfumato.release.verification import Promise, check_audit, label_counts, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.data.arrays import Flags
    from sfumato.data.engines.engine import Engine
    from sfumato.data.missing import MissingValues
    from sfumato.data.rewrite_plan import RewritePlan
    from sfumato.data.roles import Attribute
    from sfumato.measures.measure import Measure
    from sfumato.recoding.class_batch import ClassBatch
    from sfumato.recoding.column_blocks import ColumnBlocks
    from sfumato.recoding.suppression import Suppression


EXAMPLES = 6
"""How many labels of a column a certificate shows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseRequest:
    """A chosen recoding of a source, with the figures that it promises.

    ``columns`` and ``stamp`` are those of the source when it was counted: no column that appeared
    since is released. ``batch`` holds the classes of the recoding, carrying all sensitive columns
    and the label.
    ``kept`` says which of its classes are released. ``levels`` is None for a recoding without
    levels. ``before`` are the figures of the source as
    it is, ``provenance`` what else the private certificate should remember.
    """

    source: Source
    columns: tuple[str, ...]
    stamp: SourceStamp | None
    engine: Engine
    attributes: tuple[Attribute, ...]
    missing: MissingValues
    batch: ClassBatch
    blocks: tuple[ColumnBlocks, ...]
    levels: Mapping[str, int] | None
    threshold: int
    kept: Flags
    suppression: Suppression
    objectives: tuple[Measure, ...]
    promised: Mapping[str, float]
    before: Mapping[str, float]
    provenance: Mapping[str, object]
    suppressed_rows: SuppressedRows = SuppressedRows.DROP
    values: ReleasedValues = ReleasedValues.GENERALIZED


@dataclass(frozen=True, kw_only=True)
class Release:
    """A file that was written, read back and found to keep its promise.

    ``figures`` are those that the released rows show, ``promised`` those of the recoding with the
    suppressed rows, ``verified`` the names of all that was recomputed from the file by SQL.
    ``unchanged`` are the columns that were released as they are. Of a microaggregated release,
    ``statistics`` has the statistic of every quasi-identifier, and ``alone`` how many of its blocks
    show a value because all their rows have it. The seconds are those of the
    rewrite and of the verification.
    """

    path: Path
    rows: int
    starred: int
    suppressed: int
    unchanged: tuple[str, ...]
    figures: Mapping[str, float]
    promised: Mapping[str, float]
    verified: tuple[str, ...]
    certificate: Mapping[str, object]
    private_certificate: Mapping[str, object]
    certificate_path: Path
    private_certificate_path: Path | None
    rewrite_seconds: float
    verify_seconds: float
    values: ReleasedValues = ReleasedValues.GENERALIZED
    statistics: Mapping[str, str] = field(default_factory=dict)
    alone: Mapping[str, int] = field(default_factory=dict)


def silent_stage(name: str) -> None:
    """Say nothing about what is going on."""


def write_release(
    request: ReleaseRequest,
    destination: Path,
    *,
    certificate: Path | None = None,
    private_certificate: Path | None = None,
    force: bool = False,
    stage: Callable[[str], None] = silent_stage,
) -> Release:
    """Write a release with its certificates, or leave nothing behind.

    The public certificate goes beside the file unless ``certificate`` says otherwise; the private
    one is written only where ``private_certificate`` says. ``stage`` is told what is going on.
    """
    destination = Path(destination)
    target_source, target_format = target_of(destination)
    certificate = check_destinations(
        request.source,
        destination,
        certificate=certificate,
        private_certificate=private_certificate,
        force=force,
        parts=request.engine.writes_parts,
    )
    totals = SuppressedTotals.of(request.batch, request.kept)
    if totals.rows == request.batch.table.rows:
        raise UnmetError(
            "this recoding keeps no row under the suppression policy; there is nothing to release"
        )
    with private_workspace(destination) as workspace:
        (workspace / "spill").mkdir()
        target = Target(
            path=workspace / destination.name,
            format=target_format,
            spill=workspace / "spill",
            delimiter=_delimiter(request.source, target_source),
            compressed=target_format is FileFormat.CSV and is_compressed(destination),
        )
        check_unchanged(request.source, request.stamp)
        columns: tuple[MicroaggregatedColumn, ...] = ()
        blocks = request.blocks
        if request.values is ReleasedValues.MICROAGGREGATED:
            stage("taking the statistics of the blocks")
            columns = _microaggregated(request, target)
            blocks = tuple(column.blocks for column in columns)
        plan = _plan(request, blocks, target_format, columns)
        stage("rewriting the rows")
        started = time.perf_counter()
        request.engine.rewrite(request.source, plan, target)
        rewritten = time.perf_counter()
        stage("verifying the written file")
        promise = Promise(
            batch=request.batch,
            blocks=blocks,
            kept=request.kept,
            figures=request.promised,
            totals=totals,
            content=request.engine.intended_content(request.source, plan, target),
            plan=plan,
        )
        written = _written(target)
        identifying = [a.name for a in request.attributes if a.role is Role.IDENTIFYING]
        try:
            verified = verify(
                promise,
                request.engine.written_figures(
                    written, promise.question(request.attributes, request.missing), target
                ),
                identifying,
            )
            if columns:
                check_statistics(
                    columns,
                    request.batch,
                    plan,
                    threshold=_least_kept(request),
                    engine=request.engine,
                    source=request.source,
                    target=target,
                )
            audit = _audited(request, written, totals, blocks)
            check_audit(promise, audit.figures, rows=audit.rows)
        except SourceError as error:
            raise UnmetError(
                f"the written file cannot be read back as it was written: {error}; it was deleted"
            ) from None
        verify_seconds = time.perf_counter() - rewritten
        check_unchanged(request.source, request.stamp)
        stage("certifying")
        digest = table_sha256(target.path)
        public = _public_certificate(
            request,
            destination,
            audit,
            digest,
            label_counts(promise),
            csv_settings(written) if isinstance(written, CsvFile) else None,
            columns,
            parts=len(parts_of(target.path)) if request.engine.writes_parts else None,
        )
        private = _private_certificate(request, public, totals, verified, columns)
        files = {_saved(workspace / "public.json", public): certificate}
        if private_certificate is not None:
            saved = _saved(workspace / "private.json", private)
            saved.chmod(0o600)
            files[saved] = private_certificate
        files[target.path] = destination
        ordinary_permissions(target.path)
        place_together(files, force=force)
    recoded = {column.name for column in plan.recoded}
    return Release(
        path=destination,
        rows=audit.rows,
        starred=audit.starred,
        suppressed=totals.rows,
        unchanged=tuple(name for name in plan.columns if name not in recoded),
        figures=audit.figures,
        promised=dict(request.promised),
        verified=tuple(verified),
        certificate=public,
        private_certificate=private,
        certificate_path=certificate,
        private_certificate_path=private_certificate,
        rewrite_seconds=rewritten - started,
        verify_seconds=verify_seconds,
        values=request.values,
        statistics={column.blocks.name: column.statistic.value for column in columns},
        alone={column.blocks.name: column.alone for column in columns},
    )


def _delimiter(source: Source, target: CsvFile | ParquetFile) -> str:
    if isinstance(target, ParquetFile):
        return ","
    if ".tsv" in target.path.name.lower():
        return "\t"
    if isinstance(source, CsvFile):
        return csv_dialect(replace(source, path=parts_of(source.path)[0])).delimiter
    return ","


def _written(target: Target) -> CsvFile | ParquetFile:
    if target.format is FileFormat.PARQUET:
        return ParquetFile(path=target.path)
    return CsvFile(
        path=target.path, delimiter=target.delimiter, quote='"', encoding="utf-8", header=True
    )


def _plan(
    request: ReleaseRequest,
    blocks: Sequence[ColumnBlocks],
    file_format: FileFormat,
    columns: Sequence[MicroaggregatedColumn] = (),
) -> RewritePlan:
    starred = request.suppressed_rows is SuppressedRows.STAR
    some_suppressed = not bool(request.kept.all())
    return plan_release(
        request.batch,
        blocks,
        columns=request.columns,
        attributes=request.attributes,
        kept=request.kept,
        missing=request.missing,
        suppressed_rows=request.suppressed_rows,
        file_format=file_format,
        # A column with * in it is one of texts.
        numbers=[c.blocks.name for c in columns if c.numbers and not (starred and some_suppressed)],
    )


def _least_kept(request: ReleaseRequest) -> int:
    """Return the size from which on classes are kept; refuse if others are left out."""
    least = int(request.batch.sizes[request.kept].min())
    if not np.array_equal(request.kept, request.batch.sizes >= least):
        raise ReleaseError(
            "statistics of blocks are checked by counting the classes anew and keeping them by "
            "their size, and here classes are left out that fail a criterion though smaller ones "
            "are kept; release generalized values, or let k be the only criterion"
        )
    return least


def _microaggregated(request: ReleaseRequest, target: Target) -> tuple[MicroaggregatedColumn, ...]:
    """Return the statistics of the blocks over the kept rows, counted in the source once more."""
    _least_kept(request)
    numbered = [
        replace(column, labels=tuple(map(str, range(len(column.labels)))))
        for column in request.blocks
    ]
    kept = request.engine.kept_values(
        request.source, _plan(request, numbered, target.format), target
    )
    return microaggregate(
        request.batch.table.quasi_identifiers, request.attributes, request.blocks, kept
    )


def _audited(
    request: ReleaseRequest,
    written: Source,
    totals: SuppressedTotals,
    blocks: tuple[ColumnBlocks, ...],
) -> Audit:
    """Measure the written rows once more, through a count table of their own."""
    table = request.batch.table
    return audit_table(
        written,
        engine=request.engine,
        attributes=request.attributes,
        hierarchies=dict(zip(table.names, table.hierarchies, strict=True)),
        missing=request.missing,
        measures=request.objectives,
        known=KnownRecoding(
            blocks=blocks,
            levels=request.levels,
            starred=request.suppressed_rows is SuppressedRows.STAR and totals.rows > 0,
        ),
        secrets=None if table.secrets is None else table.secrets.secrets,
    )


def _saved(path: Path, certificate: Mapping[str, object]) -> Path:
    path.write_text(certificate_text(certificate) + "\n", encoding="utf-8")
    ordinary_permissions(path)
    return path


def _public_certificate(
    request: ReleaseRequest,
    destination: Path,
    audit: Audit,
    digest: str,
    labels: Mapping[str, Mapping[str | None, int]],
    dialect: Mapping[str, object] | None,
    columns: Sequence[MicroaggregatedColumn],
    *,
    parts: int | None,
) -> dict[str, object]:
    """Return what a reader of the data may know: all of it can be seen in the data."""
    import sfumato

    suppression: dict[str, object] = {"policy": request.suppression.policy.value}
    if request.suppression.limit is not None:
        suppression["limit"] = request.suppression.limit
    if request.suppression.k is not None:
        suppression["k"] = request.suppression.k
    if request.suppression.criteria:
        suppression["criteria"] = [str(each) for each in request.suppression.criteria]
    suppression["rows"] = request.suppressed_rows.value
    withheld = _withheld(request, audit, labels)
    return {
        "kind": PUBLIC,
        "tool": f"sfumato {sfumato.__version__}",
        "release": {
            "file": destination.name,
            "sha256": digest,
            **({"parts": parts} if parts is not None else {}),
            "rows": audit.rows + audit.starred,
            "classes": audit.classes,
            **({"csv": dialect} if dialect else {}),
        },
        "values": request.values.value,
        "recoding": _recoding(request, labels, columns),
        "suppression": suppression,
        **_secrets(request),
        "figures": {name: figure for name, figure in audit.figures.items() if name not in withheld},
        "figures_are_of": "the released rows; those with * in every quasi-identifier excepted",
        "not_measured": {**audit.not_measured, **withheld},
    }


def _secrets(request: ReleaseRequest) -> dict[str, object]:
    """Return which sentences the release keeps confidential, for whom: the policy, no counts."""
    secrets = request.batch.table.secrets
    if secrets is None:
        return {}
    return {"secrets": published_secrets(secrets.secrets, request.attributes)}


def _withheld(
    request: ReleaseRequest, audit: Audit, labels: Mapping[str, Mapping[str | None, int]]
) -> dict[str, str]:
    """Return the figures that would tell which values occur beyond the released ones, and why.

    Losses are shares of the domain. Where that is no more than the values that occur, a reader
    could solve a loss for its size: the age of the oldest person, or that a suppressed one has a
    value that nobody else has.
    """
    open_domains = [
        attribute.name
        for attribute in request.attributes
        if not getattr(attribute.hierarchy, "domain_is_declared", True)
    ]
    # A leaf for missing values is there because one is missing, perhaps of a suppressed person.
    for identifier in request.batch.table.quasi_identifiers:
        domain = identifier.hierarchy.domain
        if isinstance(domain, MissingDomain) and domain.label not in labels[identifier.name]:
            open_domains.append(identifier.name)
    if not open_domains:
        return {}
    reason = (
        f"it depends on which values of {', '.join(map(repr, dict.fromkeys(open_domains)))} "
        "occur, also among suppressed people; it is in the private certificate. Declare the "
        "domain in the study to publish it"
    )
    measures = (*every_measure(request.batch.table), *request.objectives)
    blocks = {str(m) for m in measures if m.seen_from is SeenFrom.BLOCKS} - {"height"}
    return {name: reason for name in audit.figures if name in blocks}


def _recoding(
    request: ReleaseRequest,
    labels: Mapping[str, Mapping[str | None, int]],
    columns: Sequence[MicroaggregatedColumn],
) -> dict[str, object]:
    """Return, for every quasi-identifier, its level and what the cells look like.

    Of statistics it tells the block that each stands for: what a generalized release would show.
    """
    described: dict[str, object] = {}
    for q, column in enumerate(request.blocks):
        hierarchy = request.batch.table.hierarchies[q]
        one: dict[str, object] = {}
        if request.levels is not None:
            # Not of how many: a hierarchy can be higher because of a suppressed person's value.
            one["level"] = request.levels[column.name]
        one["labels"] = len(labels[column.name])
        if len(column.labels) < hierarchy.leaf_count:
            if columns:
                one["blocks"] = {
                    written: block
                    for written, block in zip(columns[q].blocks.labels, column.labels, strict=True)
                    if written is not None
                }
            else:
                one["such_as"] = list(labels[column.name])[:EXAMPLES]
        if columns:
            one["statistic"] = columns[q].statistic.value
            if columns[q].digits is not None:
                one["digits"] = columns[q].digits
        described[column.name] = one
    return described


def _private_recoding(
    request: ReleaseRequest, public: object, columns: Sequence[MicroaggregatedColumn]
) -> dict[str, object]:
    """Return the recoding as the public certificate has it, with the cuts if it has no levels.

    They number the leaves of the whole domain, of which a release may not show all. Of statistics
    it has the number of the block that each stands for, and how many show a value.
    """
    described = cast("dict[str, dict[str, object]]", public)
    private: dict[str, object] = {}
    for q, column in enumerate(request.blocks):
        one = dict(described[column.name])
        if request.levels is None:
            one["cuts"] = (np.flatnonzero(np.diff(column.block_of_leaf)) + 1).tolist()
            one["block_labels"] = list(column.labels)
        if columns:
            one["block_of_value"] = {
                written: block
                for block, written in enumerate(columns[q].blocks.labels)
                if written is not None
            }
            one["blocks_of_one_value"] = columns[q].alone
        private[column.name] = one
    return private


def _private_certificate(
    request: ReleaseRequest,
    public: Mapping[str, object],
    totals: SuppressedTotals,
    verified: list[str],
    columns: Sequence[MicroaggregatedColumn],
) -> dict[str, object]:
    table = request.batch.table
    recomputed = [f"{c.blocks.name}: {c.statistic} of every block" for c in columns]
    return {
        "kind": PRIVATE,
        "note": "for the publisher alone: it tells about rows that the release leaves out",
        "tool": public["tool"],
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "release": public["release"],
        **request.provenance,
        "source_rows": table.rows,
        "rows_left_out_as_incomplete": table.dropped_rows,
        "values": public["values"],
        "recoding": _private_recoding(request, public["recoding"], columns),
        **(
            {"floors": dict(zip(table.names, table.floors, strict=True))}
            if any(table.floors)
            else {}
        ),
        "threshold": request.threshold,
        "suppression": public["suppression"],
        **({} if table.secrets is None else {"secrets": rules_as_written(table.secrets.secrets)}),
        "figures_before": dict(request.before),
        "figures": dict(request.promised),
        "figures_of_released_rows": public["figures"],
        "recomputed_from_the_file_by_sql": verified,
        **({"recomputed_from_the_source_by_sql": recomputed} if recomputed else {}),
        "suppressed": totals_as_json(totals),
    }
