"""Findings as ``--json`` and pages show them: without values of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.findings.finding import Finding, Severity


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """A finding without its examples."""

    code: str
    severity: Severity
    columns: tuple[str, ...]
    counts: Mapping[str, int | float]
    message: str
    remedy: str


def finding_views(findings: Sequence[Finding]) -> tuple[FindingView, ...]:
    """Return what is shown of findings."""
    return tuple(
        FindingView(
            code=finding.code,
            severity=finding.severity,
            columns=finding.columns,
            counts=finding.counts,
            message=finding.message,
            remedy=finding.remedy,
        )
        for finding in findings
    )
