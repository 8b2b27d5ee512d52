"""Writing a release: rewrite, verify, certify, and only then put it in its place."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.documents.placing import place_together
from sfumato.engines.duckdb.kept_connections import connections_kept
from sfumato.engines.messages.rewrite_plan import FileFormat, SuppressedRows, Target
from sfumato.errors import SourceError, UnmetError
from sfumato.microdata.count_source import person_key
from sfumato.microdata.released_values import described_changes
from sfumato.microdata.roles import Role
from sfumato.release.audit.audit_table import (
    AuditedBy,
    KnownRecoding,
    SourceOfPeople,
    audit_table,
)
from sfumato.release.certificates.content import (
    composition_content,
    private_content,
    public_content,
)
from sfumato.release.certificates.documents import certificate_text, csv_settings
from sfumato.release.codebook.codebook import Codebook, ShownStatistic, codebook
from sfumato.release.codebook.formats import codebook_writer
from sfumato.release.destinations import ordinary_permissions, private_workspace, signature_of
from sfumato.release.draft import Draft, drafted
from sfumato.release.ledger.ledger import Ledger
from sfumato.release.ledger.looked_up import LookedUp
from sfumato.release.microaggregation.statistics_check import check_statistics
from sfumato.release.release_request import ReleasedValues
from sfumato.release.seen_domains import unseen_missing, without_leaf
from sfumato.release.suppressed_records import SuppressedRecords
from sfumato.release.verification import (
    Promise,
    Recomputed,
    check_audit,
    check_required,
    label_counts,
    verify,
)
from sfumato.sources.parts import parts_of
from sfumato.sources.source import CsvFile, ParquetFile, Source
from sfumato.sources.source_stamp import check_unchanged, table_sha256

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from sfumato.findings.finding import Finding
    from sfumato.release.audit.audit import Audit
    from sfumato.release.ledger.composition import Composition
    from sfumato.release.release_request import ReleaseRequest


@dataclass(frozen=True, kw_only=True)
class Release:
    """A file that was written, read back and found to keep its promise.

    ``metrics`` are those that the released rows show, ``promised`` those of the recoding with the
    suppressed rows, ``verified`` the names of all that was recomputed from the file by SQL.
    ``unchanged`` are the columns that were released as they are, ``changed`` those that were
    coarsened or normalized, with how. Of a microaggregated release,
    ``statistics`` has the statistic of every quasi-identifier, ``alone`` how many of its blocks
    show a value because all their rows have it, and ``squared_errors`` SSE/SST of numbers and dates
    over the released rows; ``merged`` is by how many classes a local recoding has fewer because
    some have the same statistics. ``findings`` are what the publisher should look at.
    ``composition`` is what the release shows together with earlier ones of the same people, None if
    the ledger was not asked. The seconds are those of the rewrite and of the verification.
    """

    path: Path
    rows: int
    starred: int
    suppressed: int
    unchanged: tuple[str, ...]
    metrics: Mapping[str, float]
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
    squared_errors: Mapping[str, float] = field(default_factory=dict)
    merged: int = 0
    findings: tuple[Finding, ...] = ()
    changed: Mapping[str, str] = field(default_factory=dict)
    composition: Composition | None = None


@dataclass(frozen=True, kw_only=True)
class _Verified:
    """A written file that keeps its promise, with the names of what was recomputed from it.

    ``audit`` has what may be published.
    """

    written: CsvFile | ParquetFile
    promise: Promise
    recomputed: Recomputed
    audit: Audit


def write_release(request: ReleaseRequest) -> Release:
    """Write a release with its certificates, or leave nothing behind."""
    options, stage = request.options, request.options.stage
    totals = _suppressed(request)
    if totals.rows == request.batch.table.rows:
        raise UnmetError(
            "this recoding keeps no row under the suppression policy: there is nothing to release",
            code="nothing-to-release",
        )
    ledger = Ledger.opened() if options.ledger else None
    # What spills into the workspace is closed before it is removed.
    with private_workspace(options.destination) as workspace, connections_kept():
        draft = drafted(request, workspace)
        asked, request = request, draft.request
        looked_up = None
        if ledger is not None:
            stage("looking for earlier releases of the same people")
            looked_up = LookedUp.of(ledger, request)
        stage("rewriting the rows")
        started = time.perf_counter()
        request.engine.rewrite(request.source, draft.plan, draft.target)
        rewritten = time.perf_counter()
        stage("verifying the written file")
        verified = _verified(request, draft, totals)
        verify_seconds = time.perf_counter() - rewritten
        check_unchanged(request.source, request.stamp)
        stage("certifying")
        public = _public_certificate(request, draft, verified)
        private = private_content(
            request, public, totals, verified.recomputed, draft.columns, verified.audit
        )
        book = _codebook(request, draft, verified)
        with nullcontext() if ledger is None else ledger.held():
            # Another process may have released the same people meanwhile.
            looked_up = None if looked_up is None else looked_up.renewed(request)
            private |= composition_content(None if looked_up is None else looked_up.composition)
            _publish(request, draft, workspace, public, private, book, looked_up)
            if looked_up is not None:
                looked_up.forget_overwritten()
    recoded = {column.name for column in draft.plan.recoded}
    changed = described_changes(request.attributes)
    return Release(
        path=options.destination,
        rows=verified.audit.rows,
        starred=verified.audit.starred,
        suppressed=totals.rows,
        unchanged=tuple(
            name for name in draft.plan.columns if name not in recoded and name not in changed
        ),
        changed=changed,
        metrics=verified.audit.metrics,
        promised=dict(request.promised),
        verified=verified.recomputed.names,
        certificate=public,
        private_certificate=private,
        certificate_path=options.certificate,
        private_certificate_path=options.private_certificate,
        rewrite_seconds=rewritten - started,
        verify_seconds=verify_seconds,
        values=request.values,
        statistics={column.blocks.name: column.statistic.value for column in draft.columns},
        alone={column.blocks.name: column.alone for column in draft.columns},
        squared_errors={
            column.blocks.name: column.squared_error
            for column in draft.columns
            if column.squared_error is not None
        },
        merged=asked.anonymization.classes - request.anonymization.classes,
        findings=request.findings,
        composition=None if looked_up is None else looked_up.composition,
    )


def _verified(request: ReleaseRequest, draft: Draft, totals: SuppressedRecords) -> _Verified:
    """Read the written file back and compare it with what was promised, by SQL and by an audit."""
    engine, target = request.engine, draft.target
    promise = Promise(
        batch=request.batch,
        blocks=draft.blocks,
        kept=request.kept,
        metrics=request.promised,
        totals=totals,
        content=engine.intended_content(request.source, draft.plan, target),
        plan=draft.plan,
        by_size=request.by_size,
    )
    written = _written(target)
    question = promise.question(request.attributes, request.missing)
    identifying = [a.name for a in request.attributes if a.role is Role.IDENTIFYING]
    try:
        asked = promise.people_question(request.attributes, request.missing)
        recomputed = verify(
            promise,
            engine.written_metrics(written, question, target),
            identifying,
            None
            if asked is None
            else engine.released_people(request.source, draft.plan, target, asked),
        )
        if draft.columns:
            check_statistics(
                draft.columns,
                request.batch,
                draft.plan,
                kept=request.kept,
                engine=engine,
                source=request.source,
                target=target,
            )
        audit = _audited(request, draft, written, totals)
        check_audit(promise, audit)
        check_required(request.required, promise, recomputed, audit)
        unseen = unseen_missing(request)
        if unseen:
            audit = _audited(request, draft, written, totals, unseen=unseen)
    except SourceError as error:
        raise UnmetError(
            f"the written file cannot be read back as it was written: {error}; it was deleted",
            code="not-verified",
            file=request.options.destination,
        ) from None
    return _Verified(written=written, promise=promise, recomputed=recomputed, audit=audit)


def _public_certificate(
    request: ReleaseRequest, draft: Draft, verified: _Verified
) -> dict[str, object]:
    written, path = verified.written, draft.target.path
    return public_content(
        request,
        request.options.destination,
        verified.audit,
        table_sha256(path),
        label_counts(verified.promise),
        csv_settings(written) if isinstance(written, CsvFile) else None,
        draft.columns,
        released=draft.plan.columns,
        parts=len(parts_of(path)) if request.engine.writes_parts else None,
    )


def _publish(
    request: ReleaseRequest,
    draft: Draft,
    workspace: Path,
    public: Mapping[str, object],
    private: Mapping[str, object],
    book: Codebook | None,
    looked_up: LookedUp | None,
) -> None:
    """Put the file and its certificates in their places, all of them or none."""
    options = request.options
    certificate = _saved(workspace / "public.json", public)
    files = {certificate: options.certificate}
    if options.sign is not None:
        # Loaded for those alone who sign.
        from sfumato.release.signatures.signature import signature_text

        text = signature_text(certificate.read_bytes(), options.sign)
        signature = _written_text(workspace / "public.json.sig", text)
        files[signature] = signature_of(options.certificate)
    if looked_up is not None:
        files |= looked_up.written(workspace, request, table_sha256(draft.target.path))
    if options.private_certificate is not None:
        saved = _saved(workspace / "private.json", private)
        saved.chmod(0o600)
        files[saved] = options.private_certificate
    if book is not None and options.codebook is not None:
        text = codebook_writer(options.codebook)(book)
        files[_written_text(workspace / "codebook", text)] = options.codebook
    files[draft.target.path] = options.destination
    ordinary_permissions(draft.target.path)
    place_together(files, workspace, force=options.force)


def _written(target: Target) -> CsvFile | ParquetFile:
    if target.format is FileFormat.PARQUET:
        return ParquetFile(path=target.path)
    return CsvFile(
        path=target.path,
        delimiter=target.delimiter,
        quote='"',
        encoding="utf-8",
        header=True,
        escaped_formulas=target.escape_formulas,
    )


def _audited(
    request: ReleaseRequest,
    draft: Draft,
    written: Source,
    totals: SuppressedRecords,
    *,
    unseen: Collection[str] = (),
) -> Audit:
    """Measure the written rows once more, through a count table of their own.

    Whom they are about the source tells, by the labels as they were written. Of ``unseen``
    columns only suppressed rows lack values: as if none did.
    """
    table = request.batch.table
    hierarchies = dict(zip(table.names, table.hierarchies, strict=True))
    leaves = {name: hierarchy.leaf_count for name, hierarchy in hierarchies.items()}
    person = person_key(request.attributes, request.missing)
    return audit_table(
        written,
        AuditedBy(
            engine=request.engine,
            attributes=request.attributes,
            hierarchies=hierarchies,
            missing=request.missing,
            measures=request.measures,
            statements=None if table.statements is None else table.statements.statements,
        ),
        suppressed=totals,
        known=KnownRecoding(
            blocks=without_leaf(draft.blocks, unseen, leaves),
            smaller=unseen,
            starred=request.suppressed_rows is SuppressedRows.STAR and totals.rows > 0,
        ),
        people=None
        if person is None
        else SourceOfPeople(
            source=request.source, plan=draft.plan, target=draft.target, person=person
        ),
    )


def _suppressed(request: ReleaseRequest) -> SuppressedRecords:
    """Return what the publisher knows of the rows that are left out."""
    sizes, classes = np.unique(request.batch.sizes[~request.kept], return_counts=True)
    return SuppressedRecords.of(
        request.anonymization, dict(zip(sizes.tolist(), classes.tolist(), strict=True))
    )


def _codebook(request: ReleaseRequest, draft: Draft, verified: _Verified) -> Codebook | None:
    """Return what the labels mean, if the publisher asks for it."""
    if request.options.codebook is None:
        return None
    return codebook(
        request.options.destination.name,
        table_sha256(draft.target.path),
        starred=verified.audit.starred > 0,
        identifiers=request.batch.table.quasi_identifiers,
        columns=draft.blocks,
        occurring=label_counts(verified.promise),
        statistics={
            column.blocks.name: ShownStatistic(column.statistic.value, column.form)
            for column in draft.columns
        },
        changed=described_changes(request.attributes),
    )


def _saved(path: Path, certificate: Mapping[str, object]) -> Path:
    return _written_text(path, certificate_text(certificate) + "\n")


def _written_text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    ordinary_permissions(path)
    return path
