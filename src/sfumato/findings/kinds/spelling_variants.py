"""Sensitive values that differ in spelling alone, and count as different ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.engines.messages.column_profile import SHOWN_FROM
from sfumato.errors.listing import counted, listed
from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind
from sfumato.microdata.spelling import spellings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.findings.examined_table import ExaminedTable

MOST_EXAMPLES = 3


@dataclass(frozen=True, kw_only=True)
class SpellingVariants(FindingKind):
    """Values of a sensitive column that differ only in case, blanks, or invisible characters.

    "Flu" and "flu" are two values to every l, and one to a reader.
    """

    name: ClassVar[str] = "spelling-variants"
    order: ClassVar[int] = 40

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the columns; examples are spellings of values that several rows have."""
        table = examined.table
        for column in () if table is None else table.sensitive:
            groups = spellings(column.values)
            if not groups:
                continue
            assert table is not None
            rows = dict(zip(column.values, table.marginal(column.name).tolist(), strict=True))
            concerned = sum(rows[value] for group in groups for value in group)
            variants = sum(len(group) for group in groups)
            shown = [g for g in groups if min(rows[value] for value in g) >= SHOWN_FROM]
            yield Finding(
                code=self.name,
                severity=Severity.WARNING,
                columns=(column.name,),
                counts={"values": len(groups), "spellings": variants, "rows": concerned},
                message=f"{counted(len(groups), 'value')} of the sensitive column {column.name!r} "
                f"{'is' if len(groups) == 1 else 'are'} spelled in {variants:,} ways that differ "
                f"only in case, blanks, invisible characters or Unicode form "
                f"({counted(concerned, 'row')}): each spelling counts as a value of its own",
                remedy=f"set normalize = true on {column.name!r}",
                examples=tuple(listed(group) for group in shown[:MOST_EXAMPLES]),
            )
