"""Findings in a terminal: warnings and notices, with their examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.cli.output import Output
    from sfumato.findings.finding import Finding


def tell_findings(output: Output, findings: Sequence[Finding]) -> None:
    """Tell findings on stderr; examples, which are values of the data, only in a terminal."""
    from sfumato.findings.finding import Severity

    for finding in findings:
        text = f"{finding} [{finding.code}]"
        if finding.severity is Severity.WARNING:
            output.warn(text)
        else:
            output.remark(f"notice: {text}")
        if output.error.is_terminal:
            for example in finding.examples:
                output.remark(f"  for example {example}")
