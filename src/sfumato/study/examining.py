"""The findings of a study: what to look at before something of it is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.findings.catalogue import find
from sfumato.findings.examined_table import ExaminedTable
from sfumato.findings.suppression_findings import policy_findings
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from sfumato.classes.suppression import Suppression
    from sfumato.findings.finding import Finding
    from sfumato.recoding.recoding import Recoding
    from sfumato.release.audit.audit_table import AuditedBy
    from sfumato.sources.source import Source
    from sfumato.study.description import StudyDescription

OF_TABLES = ("repeated-identifier", "released-identifier", "safe-harbor", "singled-out-rows")
"""The kinds that can be found in a table that others made."""


def study_findings(
    study: StudyDescription,
    *,
    recoding: Recoding | None = None,
    threshold: int | None = None,
    formulas_run: bool = True,
) -> tuple[Finding, ...]:
    """Return what is found in the source of a study, as it would be released."""
    found = find(
        ExaminedTable(
            source=source_of(study.source),
            engine=study.engine,
            columns=study.source_columns,
            attributes=tuple(study.attributes),
            missing=study.missing,
            suppression=study.policy,
            table=study.count_table,
            coarser=study.released_values,
            recoding=recoding,
            threshold=threshold,
            formulas_run=formulas_run,
        )
    )
    return (*policy_findings(study.policy), *found)


def audited_findings(table: Source, by: AuditedBy, suppression: Suppression) -> tuple[Finding, ...]:
    """Return what is found in a table that is audited."""
    return find(
        ExaminedTable(
            source=table,
            engine=by.engine,
            columns=by.engine.columns(table),
            attributes=tuple(by.attributes),
            missing=by.missing,
            suppression=suppression,
        ),
        kinds=OF_TABLES,
    )
