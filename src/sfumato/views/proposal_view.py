"""A proposed study as ``sfumato init`` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.views.finding_view import finding_views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.findings.finding import Finding
    from sfumato.microdata.roles import Role
    from sfumato.study.proposal.proposal import Proposal, ProposedColumn
    from sfumato.views.finding_view import FindingView


@dataclass(frozen=True, kw_only=True)
class ProposedColumnView:
    """A column: its role and why, its hierarchy as the study file has it, and its values.

    Of groups, ``hierarchy`` has how many there are on each level, since they would show values.
    ``distinct`` is estimated unless ``distinct_exact``.
    """

    name: str
    role: Role
    why: str
    remarks: tuple[str, ...]
    hierarchy: Mapping[str, object] | None
    hierarchy_text: str
    levels: int | None
    distinct: int
    distinct_exact: bool
    missing: int


@dataclass(frozen=True, kw_only=True)
class ProposalView:
    """A study file that was written, and the roles that it proposes.

    ``recodings`` is the size of the lattice that a search would choose from.
    """

    study: str
    rows: int
    recodings: int
    missing_markers: tuple[str, ...]
    columns: tuple[ProposedColumnView, ...]
    findings: tuple[FindingView, ...]

    def has(self, role: Role) -> bool:
        """Say whether some column has a role."""
        return any(column.role is role for column in self.columns)


def proposal_view(path: Path, proposal: Proposal, findings: Sequence[Finding]) -> ProposalView:
    """Return what is shown of a proposal."""
    return ProposalView(
        study=str(path),
        rows=proposal.rows,
        recodings=proposal.lattice,
        missing_markers=proposal.markers,
        columns=tuple(map(_column, proposal.columns)),
        findings=finding_views(findings),
    )


def _column(column: ProposedColumn) -> ProposedColumnView:
    profile, hierarchy = column.profile, column.hierarchy
    return ProposedColumnView(
        name=column.name,
        role=column.role,
        why=column.proposed.reason,
        remarks=column.remarks,
        hierarchy=hierarchy.outline if hierarchy else None,
        hierarchy_text=str(hierarchy)[1:-1].strip() if hierarchy else "",
        levels=hierarchy.level_count if hierarchy else None,
        distinct=profile.distinct,
        distinct_exact=profile.distinct_exact,
        missing=profile.rows - profile.present,
    )
