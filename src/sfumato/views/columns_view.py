"""The columns of a source as a person decides about them: what they hold, their role, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.microdata.roles import Role
from sfumato.study.proposal.proposed_hierarchies import proposed_hierarchy
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.study.file.study_file import StudyFile
    from sfumato.study.file.toml_text import TomlValue
    from sfumato.study.proposal.proposal import Proposal, ProposedColumn

MOST_EXAMPLES = 12


@dataclass(frozen=True, kw_only=True)
class SourceColumnView:
    """A column: its role in the study, what it holds, and why another role is proposed, if one is.

    ``examples`` are values that several rows have; a page shows them only when it is asked.
    ``proposed_hierarchy`` is what a study file would say if it were quasi-identifying.
    """

    name: str
    role: str
    person: bool
    holds: str
    why: str
    remarks: tuple[str, ...]
    examples: tuple[str, ...]
    proposed_hierarchy: Mapping[str, TomlValue]


@dataclass(frozen=True, kw_only=True)
class ColumnsView:
    """All columns of a source, in its order."""

    source: str
    rows: int
    summary: str
    columns: tuple[SourceColumnView, ...]


def columns_view(file: StudyFile, proposal: Proposal) -> ColumnsView:
    """Return what is shown of the columns of a study's source."""
    said = {attribute.name: attribute for attribute in file.study.attributes}
    columns = []
    for column in proposal.columns:
        attribute = said.get(column.name)
        role = column.role if attribute is None else attribute.role
        columns.append(
            SourceColumnView(
                name=column.name,
                role=role.value,
                person=attribute is not None and attribute.person,
                holds=holds(column.profile),
                why=_why(column, role),
                remarks=column.remarks if role is column.role else (),
                examples=tuple(text for text, _ in column.profile.frequent[:MOST_EXAMPLES]),
                proposed_hierarchy=_hierarchy(column),
            )
        )
    counts = [
        f"{sum(column.role == role.value for column in columns)} {role.value}" for role in Role
    ]
    return ColumnsView(
        source=str(file.study.source),
        rows=proposal.rows,
        summary=f"{counted(len(columns), 'column')}: {', '.join(counts)}.",
        columns=tuple(columns),
    )


def holds(profile: ColumnProfile) -> str:
    """Return in words what a column holds, without any value that a single row has."""
    about = "" if profile.distinct_exact else "about "
    gaps = profile.rows - profile.present
    parts = [_kind(profile), f"{about}{counted(profile.distinct, 'distinct value')}"]
    parts.append(f"{share_text(gaps, profile.rows)} missing" if gaps else "none missing")
    return ", ".join(parts)


def _kind(profile: ColumnProfile) -> str:
    if profile.dates is not None:
        return "dates"
    if profile.numbers is not None:
        return "whole numbers" if profile.numbers.whole else "numbers"
    if profile.codes is not None:
        return f"codes of {profile.codes.length} characters"
    return "texts"


def _why(column: ProposedColumn, role: Role) -> str:
    proposed = f"{column.role.value}: {column.proposed.reason}"
    return f"Proposed as {proposed}." if role is not column.role else f"Why {proposed}."


def _hierarchy(column: ProposedColumn) -> Mapping[str, TomlValue]:
    if column.hierarchy is not None:
        return column.hierarchy.settings
    return proposed_hierarchy(column.profile).settings
