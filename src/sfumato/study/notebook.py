"""What notebooks show of a study: its columns with their roles, and what is asked of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import Policy
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.microdata.roles import Role
from sfumato.pages.notebook import notebook_table

if TYPE_CHECKING:
    from sfumato.microdata.roles import Attribute
    from sfumato.study.description import StudyDescription

MOST_NAMED = 6


def study_text(study: StudyDescription) -> str:
    """Return a study in a line: its source, and the columns of every role."""
    parts = []
    for role in Role:
        names = [each.name for each in study.attributes if each.role is role]
        if names:
            more = f", … {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            parts.append(f"{role.value} {', '.join(names[:MOST_NAMED])}{more}")
    return f"<Study of {study.source}: {'; '.join(parts) or 'no columns'}>"


def study_html(study: StudyDescription) -> str:
    """Return the columns of a study as a table, with what is asked of its recodings below."""
    notes = [
        f"Objectives: {', '.join(map(str, study.objectives))}. "
        f"Space: {', '.join(space.value for space in study.spaces)}. "
        f"Suppression: {_suppression(study)}."
    ]
    if study.required:
        notes.append(f"Policy: {' and '.join(map(str, study.required))}.")
    if study.criteria:
        notes.append(f"Criteria: {' and '.join(map(str, study.criteria))}.")
    if study.unlisted_insensitive:
        notes.append("Columns that are not listed are released as they are.")
    rows = [(each.name, each.role.value, _settings(each)) for each in study.attributes]
    return notebook_table(
        f"Study of {study.source}", ("column", "role", "recoded by"), rows, notes=notes, most=None
    )


def _suppression(study: StudyDescription) -> str:
    own = study.suppression
    if own.policy is Policy.NONE:
        return "none"
    if own.limit is not None:
        return (
            f"up to {100 * own.limit:g} % of the rows"
            if isinstance(own.limit, float)
            else f"up to {own.limit:,} rows"
        )
    return f"classes of fewer than {own.k} rows" if own.k is not None else own.policy.value


def _settings(attribute: Attribute) -> str:
    """Return the hierarchy of a column in a few words, and what else is particular to it."""
    given = attribute.hierarchy
    words = []
    if isinstance(given, PartitionedDomain):
        words.append(f"levels of {' → '.join(str(len(names)) for names in given.labels)} blocks")
    elif given is not None:
        words.append(type(given).__name__.lower())
    if attribute.minimum_level:
        words.append(f"from level {attribute.minimum_level} on")
    if attribute.label:
        words.append("class label")
    if attribute.person:
        words.append("person key")
    return ", ".join(words)
