"""What is found in a table before there is a study of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.findings.catalogue import find
from sfumato.findings.examined_table import ExaminedTable
from sfumato.microdata.missing import MissingValues
from sfumato.microdata.roles import Role, identifying

if TYPE_CHECKING:
    from sfumato.engines.engine import Engine
    from sfumato.findings.finding import Finding
    from sfumato.sources.source import Source
    from sfumato.study.proposal.proposal import Proposal


def proposal_findings(source: Source, engine: Engine, proposal: Proposal) -> tuple[Finding, ...]:
    """Return what is found in a table before there is a study of it."""
    identifiers = proposal.of_role(Role.IDENTIFYING)
    return find(
        ExaminedTable(
            source=source,
            engine=engine,
            columns=tuple(column.name for column in proposal.columns),
            attributes=tuple(identifying(column.name) for column in identifiers),
            missing=MissingValues(markers=proposal.markers),
            suppression=NO_SUPPRESSION,
            proposed=True,
        ),
        kinds=("repeated-identifier", "safe-harbor"),
    )
