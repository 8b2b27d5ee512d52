"""Missing values of sensitive columns: counted as one more value, or not counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors.listing import counted
from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.findings.examined_table import ExaminedTable


@dataclass(frozen=True, kw_only=True)
class MissingSensitive(FindingKind):
    """Sensitive columns with missing values, and what these mean for l-diversity."""

    name: ClassVar[str] = "missing-sensitive-values"
    order: ClassVar[int] = 45

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the columns that have missing values."""
        table, label = examined.table, examined.missing.label
        for column in () if table is None else table.sensitive:
            if label not in column.values:
                continue
            assert table is not None
            rows = int(table.marginal(column.name)[column.values.index(label)])
            if not rows:
                continue
            counted_as_value = examined.missing.count_as_value
            yield Finding(
                code=self.name,
                severity=Severity.WARNING if counted_as_value else Severity.NOTICE,
                columns=(column.name,),
                counts={"rows": rows, "of": table.rows},
                message=f"the sensitive column {column.name!r} has "
                f"{counted(rows, 'missing value')}, and "
                + (
                    "missing counts as one more value of l: a class with one diagnosis and a gap "
                    "has l = 2"
                    if counted_as_value
                    else "the kinds of l count known values only: a class with one diagnosis and a "
                    "gap has l = 1"
                ),
                remedy="leave out count-as-value of [missing], or fill them in"
                if counted_as_value
                else "",
            )
