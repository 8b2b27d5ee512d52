"""The hierarchy of a column as ``sfumato hierarchy`` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.column_hierarchy import ColumnHierarchy, LevelUse


@dataclass(frozen=True, kw_only=True)
class ProposedHierarchyView:
    """A proposal: its settings without values of the data, its levels in words, and why."""

    number: int
    settings: Mapping[str, object]
    levels: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HierarchyView:
    """A column, its coverage, its levels, and proposals. It holds no value of the data.

    ``lacking`` values with ``lacking_rows`` rows are not in the hierarchy; ``unused`` leaves have
    no row. ``problem`` says why there is no hierarchy. ``written`` is a file that was written.
    """

    column: str
    role: str
    values: int
    missing_rows: int
    covered: bool
    lacking: int
    lacking_rows: int
    unused: int
    problem: str | None
    levels: tuple[LevelUse, ...]
    proposals: tuple[ProposedHierarchyView, ...]
    written: str | None


def hierarchy_view(found: ColumnHierarchy, *, written: str | None = None) -> HierarchyView:
    """Return what is shown of the hierarchy of a column."""
    return HierarchyView(
        column=found.column,
        role=found.role.value,
        values=len(found.rows),
        missing_rows=found.missing,
        covered=found.hierarchy is not None and not found.lacking,
        lacking=len(found.lacking),
        lacking_rows=sum(found.rows[value] for value in found.lacking),
        unused=found.unused,
        problem=None if found.error is None else found.error.code,
        levels=found.levels,
        proposals=tuple(
            ProposedHierarchyView(
                number=number,
                settings=each.outline,
                levels=each.levels,
                reasons=each.remarks,
            )
            for number, each in enumerate(found.proposals, start=1)
        ),
        written=written,
    )
