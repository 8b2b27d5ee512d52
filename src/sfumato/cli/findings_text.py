"""Findings in a terminal: warnings and notices, with their examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors.listing import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sfumato.cli.output import Output
    from sfumato.findings.finding import Finding


TOLD_BY_INIT = frozenset(["repeated-identifier"])
"""Findings about the table alone, which ``init`` tells, and later ``search``."""


def tell_findings(
    output: Output, findings: Sequence[Finding], *, told: Collection[str] = ()
) -> None:
    """Tell findings on stderr; examples, which are values of the data, only in a terminal.

    Of the codes that a command before has ``told`` in full, there is a short line for all columns,
    and what is about the table is told in full of its first column only.
    """
    from sfumato.findings.finding import Severity

    again: dict[str, list[str]] = {}
    full: set[str] = set()
    for finding in findings:
        if finding.code in told:
            again.setdefault(finding.code, []).extend(finding.columns)
            continue
        text = f"{finding} [{finding.code}]"
        if finding.code in TOLD_BY_INIT and finding.code in full:
            text = f"{finding.message.partition(':')[0]} too [{finding.code}]"
        full.add(finding.code)
        if finding.severity is Severity.WARNING:
            output.warn(text)
        else:
            output.remark(f"notice: {text}")
        if output.error.is_terminal:
            for example in finding.examples:
                output.remark(f"  for example {example}")
    for code, columns in again.items():
        output.warn(f"{code}, as told before: {listed(columns)}")
