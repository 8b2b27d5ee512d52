"""Identifiers among the columns that are released as they are, listed or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind
from sfumato.findings.identifiers import identifier_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.findings.examined_table import ExaminedTable


@dataclass(frozen=True, kw_only=True)
class ReleasedIdentifier(FindingKind):
    """Columns beside the quasi-identifiers that look like identifiers, by name or by shape."""

    name: ClassVar[str] = "released-identifier"
    order: ClassVar[int] = 20

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the columns, those that the study does not list first."""
        for name in sorted(examined.payload, key=examined.listed):
            column = examined.facts.columns[name]
            reason = identifier_reason(column)
            if reason is None:
                continue
            listed = examined.listed(name)
            kind = f"is {examined.roles[name].value}" if listed else "is not listed in the study"
            yield Finding(
                code=self.name,
                severity=Severity.WARNING,
                columns=(name,),
                counts={"values": column.distinct, "rows": column.present},
                message=f"column {name!r} {kind}, so it is released, and looks like an identifier: "
                f"{reason}",
                remedy=f"give {name!r} the role 'identifying' to leave it out",
            )
