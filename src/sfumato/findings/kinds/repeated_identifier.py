"""An identifier with fewer values than rows: the rows may be visits, and k counts rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind
from sfumato.findings.identifiers import looks_like_person_key
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.engines.messages.column_facts import ColumnFacts, UniqueRows
    from sfumato.findings.examined_table import ExaminedTable


@dataclass(frozen=True, kw_only=True)
class RepeatedIdentifier(FindingKind):
    """Columns that look like the key of a person who has several rows, where no key is given.

    Sketches tell the number of values to some percent; where it is close to the rows, the values
    are counted exactly.
    """

    name: ClassVar[str] = "repeated-identifier"
    order: ClassVar[int] = 10

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the columns, those with the most values first."""
        if any(attribute.person for attribute in examined.attributes):
            return
        facts = examined.facts
        asked = [
            column
            for name, column in facts.columns.items()
            if looks_like_person_key(
                column, listed_identifying=examined.roles[name] is Role.IDENTIFYING
            )
        ]
        if not asked:
            return
        exact = examined.unique_rows([(column.name,) for column in asked], released=False)
        for column, unique in sorted(
            zip(asked, exact, strict=True), key=lambda pair: -pair[1].combinations
        ):
            values = _values(column, unique, facts.rows)
            if values >= column.present:
                continue
            yield Finding(
                code=self.name,
                severity=Severity.WARNING,
                columns=(column.name,),
                counts={"values": values, "rows": column.present},
                message=f"column {column.name!r} has {values:,} values in {column.present:,} rows: "
                "a person may have several rows, and every metric counts rows, not people",
                remedy=f"if it tells people apart, set person = true on {column.name!r}; else "
                "nothing is wrong",
            )


def _values(column: ColumnFacts, unique: UniqueRows, rows: int) -> int:
    """Return how many values a column has, from all of its rows or those that were drawn."""
    gaps = rows - column.present
    if unique.of == rows:
        return unique.combinations - (gaps > 0)
    repeats = unique.of - unique.combinations
    if 1 < gaps <= repeats + 1:
        # The missing cells were drawn: one value that all of them have.
        repeats -= gaps - 1
    return column.present - round(repeats * column.present / unique.of)
