"""A first study of a table, proposed from the profiles of its columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_columns
from sfumato.errors import SourceError
from sfumato.microdata.roles import Role
from sfumato.study.proposal.proposed_hierarchies import proposed_hierarchy
from sfumato.study.proposal.proposed_roles import ProposedRole, missing_markers, proposed_role
from sfumato.study.proposal.value_behaviour import ValueBehaviour, value_behaviour
from sfumato.study.proposal.value_remarks import value_remarks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.study.proposal.proposed_hierarchy import ProposedHierarchy
    from sfumato.study.proposal.value_behaviour import CountJointly

PLEASANT_LATTICE = 20_000
"""Hierarchies of many levels lose some in a lattice of more recodings: seconds, not minutes."""

LARGEST_LATTICE = 200_000
"""In a lattice of more recodings all hierarchies lose levels, down to the values and the top."""

ENDS = 2
"""The levels that every hierarchy has: the values and the top."""


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
    def between(self) -> int:
        """The number of levels between the values and the top."""
        return self.hierarchy.level_count - ENDS if self.hierarchy else 0

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to look at before the proposal is taken."""
        of_values = () if self.role is Role.IDENTIFYING else value_remarks(self.profile)
        levels = self.hierarchy.remarks if self.hierarchy else ()
        return (*self.proposed.remarks, *of_values, *levels)


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
    while (smaller := _smaller(proposal)) is not None:
        proposal = smaller
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


def _smaller(proposal: Proposal) -> Proposal | None:
    """Take a level from one hierarchy, None if none has one to spare at this size.

    What others know by its name keeps its levels longest. No column is left out: a search that is
    stopped has good recodings of large lattices too.
    """
    recoded = [column for column in proposal.columns if column.hierarchy]
    for size, floor in ((PLEASANT_LATTICE, 2), (LARGEST_LATTICE, 1), (LARGEST_LATTICE, 0)):
        if proposal.lattice <= size:
            continue
        # Those with the most levels first, among them those that come last in the table.
        last_first = recoded[::-1]
        for column in sorted(last_first, key=lambda each: (-each.between, each.proposed.known)):
            if column.between > floor:
                fewer = _coarsened(column, column.between - 1)
                if fewer is not None:
                    return _replaced(proposal, column, fewer)
    return None


def _coarsened(column: ProposedColumn, most: int) -> ProposedColumn | None:
    """Return a column with fewer levels, None if it has none to spare."""
    hierarchy = proposed_hierarchy(column.profile, most=most, behaviour=column.behaviour)
    if hierarchy.level_count - ENDS >= column.between:
        return None
    return replace(column, hierarchy=hierarchy)


def _replaced(proposal: Proposal, old: ProposedColumn, new: ProposedColumn) -> Proposal:
    columns = tuple(new if column is old else column for column in proposal.columns)
    return replace(proposal, columns=columns)
