"""Auditing any table: by the roles and hierarchies of a study, or by the names of its columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.engines.column_names import check_columns
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SettingsError, SfumatoError, SourceError
from sfumato.errors.listing import listed
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.microdata.missing import MissingValues
from sfumato.microdata.roles import quasi_identifying
from sfumato.microdata.roles import sensitive as sensitive_column
from sfumato.recoding.written_columns import certified_columns
from sfumato.release.audit.audit_table import AuditedBy, KnownRecoding, audit_table
from sfumato.release.certificates.documents import (
    PrivateCertificate,
    as_certified,
    certified_starred,
    certified_statistics,
    read_private_certificate,
)
from sfumato.release.received.certificate_beside import certificate_findings
from sfumato.sources.source import CsvFile, Source, path_of, source_of
from sfumato.sources.source_stamp import table_sha256
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.study.examining import audited_findings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.engines.engine import Engine
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.audit.audit import Audit
    from sfumato.sources.source import ColumnarTable
    from sfumato.study.description import StudyDescription


def audit_against(
    study: StudyDescription,
    table: Source | ColumnarTable | str | Path,
    *,
    private_certificate: str | Path | None = None,
) -> Audit:
    """Measure any table by a study's roles and hierarchies; see `Study.audit`."""
    by = AuditedBy(
        engine=study.engine,
        attributes=tuple(study.attributes),
        unlisted_insensitive=study.unlisted_insensitive,
        hierarchies=known_hierarchies(study),
        missing=study.missing,
        measures=study.members,
        policy=study.required,
        statements=None
        if study.statements is None
        else ConfidentialStatements.of(study.statements),
    )
    source = source_of(table)
    if private_certificate is None:
        certificate = None
    else:
        certificate = _certificate_of(source, Path(private_certificate))
    return _audited(source, by, certificate, suppression=study.policy)


def audit(
    table: Source | ColumnarTable | str | Path,
    *,
    quasi: Sequence[str] | str,
    sensitive: Sequence[str] | str = (),
    engine: Engine | None = None,
) -> Audit:
    """Measure any table without a study: by its quasi-identifiers and sensitive columns alone.

    Nothing is known of hierarchies, so that losses are not measured. The other columns are taken as
    insensitive.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": ["20-29"] * 3 + ["30-39"] * 2, "illness": list("aabcc")})
    >>> audit(table, quasi="age", sensitive="illness").metrics["k"]
    2.0
    """
    names = {"quasi": _names(quasi), "sensitive": _names(sensitive)}
    both = [name for name in names["sensitive"] if name in names["quasi"]]
    if both or not names["quasi"]:
        raise SettingsError(
            f"{listed(both)} cannot be quasi-identifying and sensitive at once"
            if both
            else "an audit without a study needs the quasi-identifiers",
            code="conflicting-settings" if both else "missing-setting",
            key="sensitive" if both else "quasi",
            found=listed(both) if both else None,
            remedy="name each column once" if both else "name those that others may know",
        )
    source = source_of(table)
    chosen = engine or DuckDBEngine()
    check_columns([*names["quasi"], *names["sensitive"]], chosen.columns(source), where=str(source))
    by = AuditedBy(
        engine=chosen,
        attributes=(
            *(quasi_identifying(name, Flat()) for name in names["quasi"]),
            *(sensitive_column(name) for name in names["sensitive"]),
        ),
        hierarchies={},
        missing=MissingValues(),
        unlisted_insensitive=True,
    )
    return _audited(source, by, None, suppression=NO_SUPPRESSION)


def _names(given: Sequence[str] | str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((given,) if isinstance(given, str) else given))


def _audited(
    source: Source,
    by: AuditedBy,
    certificate: PrivateCertificate | None,
    *,
    suppression: Suppression,
) -> Audit:
    """Measure a table, with what the certificates beside it and the private one tell of it."""
    digest, path = _digest(source), path_of(source)
    if isinstance(source, CsvFile) and source == CsvFile(path=source.path):
        source = as_certified(source, digest or "")
    known: KnownRecoding | None = None
    statistics: dict[str, str] = {}
    starred: bool | None = None
    if path is not None and digest is not None:
        statistics = certified_statistics(path, digest)
        starred = certified_starred(path, digest)
    if certificate is not None:
        if certificate.statistics is not None:
            statistics = {name: c.statistic for name, c in certificate.statistics.items()}
        known = KnownRecoding(
            starred=certificate.starred, blocks=_certified_blocks(by.hierarchies, certificate)
        )
    found = audit_table(
        source,
        by,
        suppressed=None if certificate is None else certificate.suppressed,
        known=known,
        statistics=statistics,
        starred=starred,
    )
    edited = () if path is None else certificate_findings(path, by.engine)
    examined = audited_findings(source, by, suppression)
    return replace(found, findings=(*found.findings, *edited, *examined))


def _certificate_of(source: Source, file: Path) -> PrivateCertificate:
    """Return a private certificate, which must be that of the source."""
    certificate = read_private_certificate(file)
    if path_of(source) is None:
        raise SourceError(
            f"a private certificate is about a file, and {source} is not a file",
            code="not-a-file",
            file=source,
            remedy="give the path of the released file",
        )
    if _digest(source) != certificate.sha256:
        raise SourceError(
            f"{file} is not about {source}: it is another file, or was changed since it was "
            "released",
            code="other-file",
            file=file,
        )
    return certificate


def _certified_blocks(
    hierarchies: Mapping[str, PartitionedDomain], certificate: PrivateCertificate
) -> tuple[WrittenColumn, ...]:
    """Return the columns of a release with the labels or statistics that were written."""
    try:
        columns = certified_columns(
            certificate.recoding, hierarchies, labels=certificate.labels, sizes=certificate.sizes
        )
        if certificate.statistics is None:
            return columns
        blocks = []
        for column in columns:
            statistic = certificate.statistics[column.name]
            written: list[str | None] = [None] * len(column.labels)
            for value, block in statistic.values:
                if block < 0:
                    raise IndexError(block)
                written[block] = value
            blocks.append(replace(column, labels=tuple(written), by_class=statistic.by_class))
    except (KeyError, IndexError):
        raise SourceError(
            "the private certificate is of another study: it has other quasi-identifiers, levels "
            "or blocks",
            code="other-study",
            expected=f"those of {listed(tuple(hierarchies))}",
        ) from None
    return tuple(blocks)


def _digest(source: Source) -> str | None:
    """Return the SHA-256 of a source's file, None if it has none."""
    path = path_of(source)
    return None if path is None or not path.exists() else table_sha256(path)


def known_hierarchies(study: StudyDescription) -> dict[str, PartitionedDomain]:
    """Return the hierarchies as they fit the source, or as declared where it is not at hand."""
    source = source_of(study.source)
    path = path_of(source)
    if path is None or path.exists():
        return study.fitted_hierarchies
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
                    f"depends on its values ({error})",
                    code="no-such-file",
                    file=source,
                    column=attribute.name,
                    remedy="put the file back, or declare the domain in the study",
                ) from None
    return hierarchies
