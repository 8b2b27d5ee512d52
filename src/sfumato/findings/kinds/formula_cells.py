"""Cells of a text file that a spreadsheet would run as formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors.listing import counted
from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.findings.examined_table import ExaminedTable


@dataclass(frozen=True, kw_only=True)
class FormulaCells(FindingKind):
    """Columns of a CSV release with texts that begin like a formula and are not numbers."""

    name: ClassVar[str] = "formula-cells"
    order: ClassVar[int] = 60

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the columns that have such cells."""
        if not examined.formulas_run:
            return
        for name, role in examined.roles.items():
            cells = examined.facts.columns[name].formulas
            if role is Role.IDENTIFYING or not cells:
                continue
            yield Finding(
                code=self.name,
                severity=Severity.NOTICE,
                columns=(name,),
                counts={"cells": cells},
                message=f"column {name!r} has {counted(cells, 'cell')} that a spreadsheet would "
                "run as a formula when the file is opened",
                remedy="escape them when the file is written (escape-formulas of [release], or "
                "--escape-formulas)",
            )
