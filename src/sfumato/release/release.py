"""Writing a release: rewrite, verify, certify, and only then put it in its place."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass, replace
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
from sfumato.errors import SourceError, UnmetError
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
from sfumato.release.private_workspace import (
    ordinary_permissions,
    place_together,
    private_workspace,
)
from sfumato.release.release_plan import plan_release
from sfumato.release.suppressed_totals import SuppressedTotals
from sfumato.release.verification import Promise, check_audit, label_counts, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.data.engines.engine import Engine
    from sfumato.data.missing import MissingValues
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
    ``levels`` is None for a recoding without levels. ``before`` are the figures of the source as
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
    suppression: Suppression
    objectives: tuple[Measure, ...]
    promised: Mapping[str, float]
    before: Mapping[str, float]
    provenance: Mapping[str, object]
    suppressed_rows: SuppressedRows = SuppressedRows.DROP


@dataclass(frozen=True, kw_only=True)
class Release:
    """A file that was written, read back and found to keep its promise.

    ``figures`` are those that the released rows show, ``promised`` those of the recoding with the
    suppressed rows, ``verified`` the names of all that was recomputed from the file by SQL.
    ``unchanged`` are the columns that were released as they are. The seconds are those of the
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
    totals = SuppressedTotals.of(request.batch, request.threshold)
    if totals.rows == request.batch.table.rows:
        raise UnmetError(
            "this recoding keeps no row under the suppression policy; there is nothing to release"
        )
    plan = plan_release(
        request.batch,
        request.blocks,
        columns=request.columns,
        attributes=request.attributes,
        threshold=request.threshold,
        missing=request.missing,
        suppressed_rows=request.suppressed_rows,
        file_format=target_format,
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
        stage("rewriting the rows")
        started = time.perf_counter()
        request.engine.rewrite(request.source, plan, target)
        rewritten = time.perf_counter()
        stage("verifying the written file")
        promise = Promise(
            batch=request.batch,
            blocks=request.blocks,
            threshold=request.threshold,
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
            audit = _audited(request, written, totals)
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
            parts=len(parts_of(target.path)) if request.engine.writes_parts else None,
        )
        private = _private_certificate(request, public, totals, verified)
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


def _audited(request: ReleaseRequest, written: Source, totals: SuppressedTotals) -> Audit:
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
            blocks=request.blocks,
            levels=request.levels,
            starred=request.suppressed_rows is SuppressedRows.STAR and totals.rows > 0,
        ),
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
        "recoding": _recoding(request, labels),
        "suppression": suppression,
        "figures": {name: figure for name, figure in audit.figures.items() if name not in withheld},
        "figures_are_of": "the released rows; those with * in every quasi-identifier excepted",
        "not_measured": {**audit.not_measured, **withheld},
    }


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
    request: ReleaseRequest, labels: Mapping[str, Mapping[str | None, int]]
) -> dict[str, object]:
    """Return, for every quasi-identifier, its level and what the cells look like."""
    described: dict[str, object] = {}
    for q, column in enumerate(request.blocks):
        hierarchy = request.batch.table.hierarchies[q]
        one: dict[str, object] = {}
        if request.levels is not None:
            # Not of how many: a hierarchy can be higher because of a suppressed person's value.
            one["level"] = request.levels[column.name]
        one["labels"] = len(labels[column.name])
        if len(column.labels) < hierarchy.leaf_count:
            one["such_as"] = list(labels[column.name])[:EXAMPLES]
        described[column.name] = one
    return described


def _private_recoding(request: ReleaseRequest, public: object) -> dict[str, object]:
    """Return the recoding as the public certificate has it, with the cuts if it has no levels.

    They number the leaves of the whole domain, of which a release may not show all.
    """
    described = cast("dict[str, dict[str, object]]", public)
    if request.levels is not None:
        return dict(described)
    return {
        column.name: {
            **described[column.name],
            "cuts": (np.flatnonzero(np.diff(column.block_of_leaf)) + 1).tolist(),
        }
        for column in request.blocks
    }


def _private_certificate(
    request: ReleaseRequest,
    public: Mapping[str, object],
    totals: SuppressedTotals,
    verified: list[str],
) -> dict[str, object]:
    table = request.batch.table
    return {
        "kind": PRIVATE,
        "note": "for the publisher alone: it tells about rows that the release leaves out",
        "tool": public["tool"],
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "release": public["release"],
        **request.provenance,
        "source_rows": table.rows,
        "rows_left_out_as_incomplete": table.dropped_rows,
        "recoding": _private_recoding(request, public["recoding"]),
        **(
            {"floors": dict(zip(table.names, table.floors, strict=True))}
            if any(table.floors)
            else {}
        ),
        "threshold": request.threshold,
        "suppression": public["suppression"],
        "figures_before": dict(request.before),
        "figures": dict(request.promised),
        "figures_of_released_rows": public["figures"],
        "recomputed_from_the_file_by_sql": verified,
        "suppressed": totals_as_json(totals),
    }
