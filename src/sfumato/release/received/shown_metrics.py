"""The metrics that a released file shows to somebody who has nothing else but its certificate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, SfumatoError
from sfumato.hierarchies.builders.flat import Flat
from sfumato.measures.catalogue import measure, measure_classes
from sfumato.microdata.missing import MissingValues
from sfumato.microdata.roles import Role, insensitive, quasi_identifying, sensitive
from sfumato.release.audit.audit_table import AuditedBy, audit_table
from sfumato.release.certificates.public import MissingMarks

if TYPE_CHECKING:
    from sfumato.engines.engine import Engine
    from sfumato.measures.measure import Measure
    from sfumato.microdata.roles import Attribute
    from sfumato.release.audit.audit import Audit
    from sfumato.release.certificates.public import PublicCertificate, ReleasedColumn
    from sfumato.sources.source import Source

_NO_DISTANCES = "it depends on a hierarchy of the values, which the certificate does not have"
_STATEMENTS = "it depends on who protects which statement, which the file does not tell"
_ELSEWHERE = "it is a measure of another package, {}"
_UNKNOWN = "this version of sfumato does not have this measure"


def shown_by(file: Source, certificate: PublicCertificate, engine: Engine) -> Audit:
    """Measure a file by the roles of its columns that the certificate names, and nothing else.

    ``metrics`` of the audit has what the file shows of the certified metrics, ``not_measured`` why
    the others are not there.
    """
    named, reasons = _named(certificate)
    marks = certificate.missing or MissingMarks()
    by = AuditedBy(
        engine=engine,
        attributes=[_attribute(name, column) for name, column in certificate.columns.items()],
        hierarchies={},
        missing=MissingValues(**marks.model_dump()),
        measures=named,
        unlisted_insensitive=True,
        unknown_people=certificate.counts == "people",
    )
    starred = bool(certificate.release.starred)
    try:
        audit = audit_table(file, by, starred=starred)
    except SettingsError:
        # A metric about a column that the certificate does not call sensitive.
        audit = audit_table(file, replace(by, measures=()), starred=starred)
    reasons = {**dict(audit.not_measured), **reasons}
    return replace(
        audit,
        metrics={
            name: audit.metrics[name]
            for name in certificate.metrics
            if name in audit.metrics and name not in reasons
        },
        not_measured={
            name: reasons.get(name, _UNKNOWN)
            for name in certificate.metrics
            if name in reasons or name not in audit.metrics
        },
    )


def _attribute(name: str, column: ReleasedColumn) -> Attribute:
    if column.role is Role.QUASI_IDENTIFYING:
        return quasi_identifying(name, Flat(), label=column.label)
    if column.role is Role.SENSITIVE:
        return sensitive(name, ground_distance=column.ground_distance, label=column.label)
    return insensitive(name, label=column.label)


def _named(certificate: PublicCertificate) -> tuple[list[Measure], dict[str, str]]:
    """Return the measures of the certificate, and why some of them are not looked for.

    No package is loaded because a document names it.
    """
    built_in = measure_classes()
    plugins = certificate.plugins or {}
    by_hierarchy = any(column.ground_distance is None for column in certificate.columns.values())
    measures: list[Measure] = []
    reasons: dict[str, str] = {}
    for text in certificate.metrics:
        kind = built_in.get(text.partition("(")[0].strip())
        if kind is None:
            reasons[text] = _ELSEWHERE.format(plugins[text]) if text in plugins else _UNKNOWN
        elif kind.needs_statements:
            reasons[text] = _STATEMENTS
        elif kind.name == "t" and by_hierarchy:
            reasons[text] = _NO_DISTANCES
        else:
            try:
                measures.append(measure(text))
            except SfumatoError:
                reasons[text] = _UNKNOWN
    return measures, reasons
