"""What a table by itself tells of the confidential statements of a study, whoever anonymized it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.errors.listing import listed
from sfumato.microdata.roles import Role
from sfumato.microdata.statement_check import rule_columns
from sfumato.release.statement_question import hidden_rules
from sfumato.statements.confidential import ConfidentialStatements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.measures.measure import Measure
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute

OF_STATEMENTS = ("secure", "breach-probability", "sf", "sf-ql")


@dataclass(frozen=True, kw_only=True)
class SeenStatements:
    """The statements to count a table with, and why they are not those of the study if so.

    ``beside`` are columns that only rules name, with the texts that matter to them. ``hidden``
    says why the table does not tell who protects what: then ``statements`` are everybody's, and
    only a table that is secure for all of them is known to be secure. ``unknown`` says why it does
    not tell the predicates at all.
    """

    statements: ConfidentialStatements | None = None
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden: str = ""
    unknown: str = ""

    @classmethod
    def of(
        cls,
        statements: ConfidentialStatements | None,
        attributes: Sequence[Attribute],
        columns: Sequence[str],
        missing: MissingValues,
    ) -> SeenStatements:
        """Return what a table with these columns tells."""
        if statements is None:
            return cls(unknown="the study has no confidential statements")
        absent = [
            name for each in statements.predicates for name in each.columns if name not in columns
        ]
        if absent:
            return cls(unknown=f"the table lacks the sensitive column {listed(absent)}")
        hidden = hidden_rules(statements, attributes, columns, missing=missing)
        if hidden:
            return cls(
                statements=ConfidentialStatements.of(list(statements.predicates)), hidden=hidden
            )
        counted = [
            a.name
            for a in attributes
            if a.role in (Role.QUASI_IDENTIFYING, Role.SENSITIVE) or a.label
        ]
        return cls(statements=statements, beside=rule_columns(statements, counted))

    def take_back(self, metrics: dict[str, float], measures: Sequence[Measure]) -> dict[str, str]:
        """Remove the metrics that the table does not tell; return why they are missing."""
        named = {str(m) for m in measures if m.needs_statements}
        if self.unknown:
            return dict.fromkeys(named, self.unknown)
        if not self.hidden:
            return {}
        reason = f"{self.hidden}: only the source tells who protects what"
        lacking = dict.fromkeys((*named, *OF_STATEMENTS), reason)
        for name in lacking:
            if name == "secure" and metrics.get(name) == 1:
                continue
            metrics.pop(name, None)
        return {name: why for name, why in lacking.items() if name not in metrics}
