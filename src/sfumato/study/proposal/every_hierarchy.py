"""All hierarchies that could suit a column, the one that init proposes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.study.proposal.proposed_groups import proposed_groups
from sfumato.study.proposal.proposed_hierarchies import proposed_hierarchy
from sfumato.study.proposal.proposed_hierarchy import MOST_LEVELS
from sfumato.study.proposal.proposed_taxonomy import proposed_taxonomies

if TYPE_CHECKING:
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.study.proposal.proposed_hierarchy import ProposedHierarchy
    from sfumato.study.proposal.value_behaviour import ValueBehaviour


def every_hierarchy(
    profile: ColumnProfile, *, behaviour: ValueBehaviour | None = None
) -> tuple[ProposedHierarchy, ...]:
    """Return the proposal of init, known taxonomies, and groups by what the values occur with."""
    found = [
        proposed_hierarchy(profile, behaviour=behaviour),
        *proposed_taxonomies(profile, most=MOST_LEVELS),
    ]
    if behaviour is not None:
        groups = proposed_groups(behaviour, most=MOST_LEVELS)
        found += [groups] if groups is not None else []
    different: list[ProposedHierarchy] = []
    for each in found:
        if all(each.settings != other.settings for other in different):
            different.append(each)
    return tuple(different)
