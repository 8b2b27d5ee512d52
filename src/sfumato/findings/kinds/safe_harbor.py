"""What HIPAA's Safe Harbor lists beside what people go by: places, dates, the ages of the old."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind
from sfumato.findings.identifiers import identifier_reason
from sfumato.microdata.roles import Role
from sfumato.recognition.coarsenable import AGES, DATES, PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.findings.examined_table import ExaminedTable
    from sfumato.recognition.identifier_kind import IdentifierKind

_REMEDIES = {
    DATES: "the Safe Harbor allows the year (unit = 'year' where it is coarsened)",
    AGES: "the Safe Harbor allows one category of 90 and older (top = 90 where it is coarsened)",
    PLACES: "the Safe Harbor allows states, and the first three digits of postcodes where more "
    "than 20,000 people live",
}


@dataclass(frozen=True, kw_only=True)
class SafeHarbor(FindingKind):
    """Columns with what 45 CFR 164.514(b)(2)(i) lists, that are released as they are.

    Quasi-identifiers are told where they keep their original values. In columns beside them
    `released-identifier` tells what people go by; before there is a study, this kind does.
    """

    name: ClassVar[str] = "safe-harbor"
    order: ClassVar[int] = 25

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the columns in their order."""
        for name, role in examined.roles.items():
            if not _is_released(examined, name, role):
                continue
            column = examined.facts.columns[name]
            asked = examined.proposed or role is Role.QUASI_IDENTIFYING
            reason = identifier_reason(column)
            if reason is not None:
                if not asked:
                    continue
                what = f"looks like an identifier: {reason}"
                remedy = f"with the role 'identifying' {name!r} is left out"
            elif column.coarsenable is not None and column.coarsenable in _allowed(examined, role):
                what = f"has {column.coarsenable.listed_title}"
                remedy = _REMEDIES[column.coarsenable]
            else:
                continue
            kept = "" if examined.proposed else f" is {role.value}, is released as it is, and"
            yield Finding(
                code=self.name,
                severity=Severity.NOTICE,
                columns=(name,),
                counts={"values": column.distinct, "rows": column.present},
                message=f"column {name!r}{kept} {what}",
                remedy=remedy,
            )


def _is_released(examined: ExaminedTable, name: str, role: Role) -> bool:
    """Say whether the values that were looked at are in the release, or will be for all we know."""
    if examined.proposed:
        return True
    if role is not Role.QUASI_IDENTIFYING:
        return role is not Role.IDENTIFYING
    if examined.recoding is None:
        # An audited table has the labels that were written.
        return examined.table is None
    return examined.recoding.levels.get(name) == 0


def _allowed(examined: ExaminedTable, role: Role) -> tuple[IdentifierKind, ...]:
    """Return the kinds that can be told: the name of a place says nothing of written labels."""
    written = role is Role.QUASI_IDENTIFYING and examined.table is None and not examined.proposed
    return (DATES, AGES) if written else (DATES, AGES, PLACES)
