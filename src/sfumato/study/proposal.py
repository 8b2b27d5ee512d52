"""A first study of a table, proposed from the profiles of its columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.data.listing import counted
from sfumato.data.roles import Role
from sfumato.errors import SourceError
from sfumato.study.proposed_hierarchies import Detail, ProposedHierarchy, proposed_hierarchy
from sfumato.study.proposed_roles import ProposedRole, missing_markers, proposed_role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data.column_profile import ColumnProfile

LARGEST_LATTICE = 100_000
"""A lattice of more recodings is made smaller: by fewer levels, then by fewer columns."""


@dataclass(frozen=True, kw_only=True)
class ProposedColumn:
    """A column with the role that it may have, and a hierarchy if it is quasi-identifying."""

    profile: ColumnProfile
    proposed: ProposedRole
    hierarchy: ProposedHierarchy | None = None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.profile.name

    @property
    def role(self) -> Role:
        """The role."""
        return self.proposed.role

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to look at before the proposal is taken."""
        return (*self.proposed.remarks, *(self.hierarchy.remarks if self.hierarchy else ()))


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The proposed columns in the order of the table, and the texts that mean missing values."""

    columns: tuple[ProposedColumn, ...]
    markers: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The rows of the table."""
        return self.columns[0].profile.rows

    @property
    def lattice(self) -> int:
        """The number of recodings that a search would choose from; 1 if nothing is recoded."""
        return math.prod(
            column.hierarchy.level_count for column in self.columns if column.hierarchy
        )

    def of_role(self, role: Role) -> tuple[ProposedColumn, ...]:
        """Return the columns of a role."""
        return tuple(column for column in self.columns if column.role is role)


def propose(profiles: Sequence[ColumnProfile], *, where: str) -> Proposal:
    """Return a proposal for the columns of a table; ``where`` names the table in errors."""
    if len(profiles) < 2:
        raise SourceError(
            f"{where} has one column only; a table of people has several. If it is a text file, "
            "say what separates the columns: --delimiter ';'"
        )
    if profiles[0].rows == 0:
        raise SourceError(f"{where} has columns and not a single row; nothing can be proposed")
    unnamed = [profile for profile in profiles if not profile.name]
    if unnamed:
        raise SourceError(f"{where} has a column without a name; give it one")
    columns = tuple(map(_proposed, profiles))
    proposal = Proposal(columns=columns, markers=_markers(columns))
    while proposal.lattice > LARGEST_LATTICE:
        proposal = _coarsened(proposal) or _without_one(proposal)
    return proposal


def _proposed(profile: ColumnProfile) -> ProposedColumn:
    role = proposed_role(profile)
    recoded = role.role is Role.QUASI_IDENTIFYING
    return ProposedColumn(
        profile=profile,
        proposed=role,
        hierarchy=proposed_hierarchy(profile) if recoded else None,
    )


def _markers(columns: Sequence[ProposedColumn]) -> tuple[str, ...]:
    found = {
        marker: None
        for column in columns
        if column.role is not Role.IDENTIFYING
        for marker in missing_markers(column.profile)
    }
    return tuple(found)


def _coarsened(proposal: Proposal) -> Proposal | None:
    """Take levels from one hierarchy, None if all are as short as can be.

    Columns that others know by their names keep their levels longest.
    """
    for detail in (Detail.MIDDLE, Detail.COARSE):
        shorter = [
            (column, hierarchy)
            for column in proposal.columns
            if column.hierarchy
            and (hierarchy := proposed_hierarchy(column.profile, detail=detail)).level_count
            < column.hierarchy.level_count
        ]
        if shorter:
            chosen, hierarchy = min(shorter, key=lambda pair: pair[0].proposed.known)
            return _replaced(proposal, chosen, replace(chosen, hierarchy=hierarchy))
    return None


def _replaced(proposal: Proposal, old: ProposedColumn, new: ProposedColumn) -> Proposal:
    columns = tuple(new if column is old else column for column in proposal.columns)
    return replace(proposal, columns=columns)


def _without_one(proposal: Proposal) -> Proposal:
    """Leave out one column more: first those that others know least by their names."""
    left_out = max(
        (column for column in proposal.columns if column.hierarchy),
        key=lambda column: (not column.proposed.known, column.profile.distinct),
    )
    role = ProposedRole(
        role=Role.IDENTIFYING,
        reason="left out for now: too many columns to search",
        remarks=(
            f"With this column too, there were {counted(proposal.lattice, 'recoding')}. Take it in "
            "as quasi-identifying in place of another, or say insensitive if nobody outside can "
            "know it.",
        ),
    )
    return _replaced(proposal, left_out, ProposedColumn(profile=left_out.profile, proposed=role))
