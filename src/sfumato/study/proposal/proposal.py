"""A first study of a table, proposed from the profiles of its columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_columns
from sfumato.errors import SourceError
from sfumato.errors.listing import counted
from sfumato.microdata.roles import Role
from sfumato.study.proposal.proposed_hierarchies import proposed_hierarchy
from sfumato.study.proposal.proposed_hierarchy import Detail, ProposedHierarchy
from sfumato.study.proposal.proposed_roles import ProposedRole, missing_markers, proposed_role
from sfumato.study.proposal.value_behaviour import ValueBehaviour, value_behaviour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.study.proposal.value_behaviour import CountJointly

LARGEST_LATTICE = 100_000
"""A lattice of more recodings is made smaller: by fewer levels, then by fewer columns."""


@dataclass(frozen=True, kw_only=True)
class ProposedColumn:
    """A column with the role that it may have, and a hierarchy if it is quasi-identifying.

    ``person`` says that the person key has it, ``behaviour`` what its values occur together with.
    """

    profile: ColumnProfile
    proposed: ProposedRole
    hierarchy: ProposedHierarchy | None = None
    person: bool = False
    behaviour: ValueBehaviour | None = field(default=None, repr=False, compare=False)

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


def propose(
    profiles: Sequence[ColumnProfile],
    *,
    where: str,
    person: Sequence[str] = (),
    count: CountJointly | None = None,
) -> Proposal:
    """Return a proposal for the columns of a table; ``where`` names the table in errors.

    The columns of ``person`` are the person key, and identifying. What ``count`` counts of the
    quasi-identifiers, and of nothing else, groups their categories; without it they stay flat.
    """
    check_columns(person, [profile.name for profile in profiles], where=where)
    if len(profiles) < 2:
        raise SourceError(
            f"{where} has one column only; a table of people has several",
            code="one-column",
            file=where,
            remedy="if it is a text file, say what separates the columns: --delimiter ';'",
        )
    if profiles[0].rows == 0:
        raise SourceError(f"{where} has columns and not a single row", code="no-rows", file=where)
    unnamed = [profile for profile in profiles if not profile.name]
    if unnamed:
        raise SourceError(
            f"{where} has a column without a name",
            code="unnamed-column",
            file=where,
            remedy="give it one",
        )
    columns = tuple(
        _of_key(profile)
        if profile.name in person
        else ProposedColumn(profile=profile, proposed=proposed_role(profile))
        for profile in profiles
    )
    markers = _markers(columns)
    quasi = [column.profile for column in columns if column.role is Role.QUASI_IDENTIFYING]
    behaviours = value_behaviour(quasi, markers=markers, count=count) if count else {}
    proposal = Proposal(
        columns=tuple(_recoded(column, behaviours.get(column.name)) for column in columns),
        markers=markers,
    )
    while proposal.lattice > LARGEST_LATTICE:
        proposal = _smaller(proposal)
    return proposal


def _recoded(column: ProposedColumn, behaviour: ValueBehaviour | None) -> ProposedColumn:
    """Give a quasi-identifying column its hierarchy."""
    if column.role is not Role.QUASI_IDENTIFYING:
        return column
    hierarchy = proposed_hierarchy(column.profile, behaviour=behaviour)
    return replace(column, hierarchy=hierarchy, behaviour=behaviour)


def _of_key(profile: ColumnProfile) -> ProposedColumn:
    role = ProposedRole(role=Role.IDENTIFYING, reason="it tells who a row is about, as you said")
    return ProposedColumn(profile=profile, proposed=role, person=True)


def _markers(columns: Sequence[ProposedColumn]) -> tuple[str, ...]:
    found = {
        marker: None
        for column in columns
        if column.role is not Role.IDENTIFYING
        for marker in missing_markers(column.profile)
    }
    return tuple(found)


def _smaller(proposal: Proposal) -> Proposal:
    """Take levels from one hierarchy, or leave out one column.

    What others know by its name comes last: it keeps some levels as long as there is something
    else to leave out.
    """
    recoded = [column for column in proposal.columns if column.hierarchy]
    known = [column for column in recoded if column.proposed.known]
    others = [column for column in recoded if not column.proposed.known]
    return (
        _coarsened(proposal, others, Detail.MIDDLE)
        or _coarsened(proposal, known, Detail.MIDDLE)
        or _coarsened(proposal, others, Detail.COARSE)
        or (_without(proposal, others) if others else None)
        or _coarsened(proposal, known, Detail.COARSE)
        or _without(proposal, known)
    )


def _coarsened(
    proposal: Proposal, columns: Sequence[ProposedColumn], detail: Detail
) -> Proposal | None:
    """Take levels from the hierarchy of one of some columns, None if they have none to spare."""
    for column in columns:
        hierarchy = proposed_hierarchy(column.profile, detail=detail, behaviour=column.behaviour)
        if column.hierarchy and hierarchy.level_count < column.hierarchy.level_count:
            return _replaced(proposal, column, replace(column, hierarchy=hierarchy))
    return None


def _replaced(proposal: Proposal, old: ProposedColumn, new: ProposedColumn) -> Proposal:
    columns = tuple(new if column is old else column for column in proposal.columns)
    return replace(proposal, columns=columns)


def _without(proposal: Proposal, columns: Sequence[ProposedColumn]) -> Proposal:
    """Leave out the one of some columns that has the most values."""
    left_out = max(columns, key=lambda column: column.profile.distinct)
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
