"""The hierarchy of a column: whether it covers the values, what it merges, what else fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sfumato.engines.engine import joint_counts, profile
from sfumato.errors import HierarchyError, SettingsError, located
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.microdata.roles import Role
from sfumato.sources.source import source_of
from sfumato.study.file.hierarchy_table import hierarchy_of_settings
from sfumato.study.proposal.every_hierarchy import every_hierarchy
from sfumato.study.proposal.value_behaviour import value_behaviour

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.description import StudyDescription
    from sfumato.study.proposal.proposed_hierarchy import ProposedHierarchy


@dataclass(frozen=True, kw_only=True)
class LevelUse:
    """A level: its blocks, those that occur, and whether it merges any two values that do."""

    level: int
    blocks: int
    occurring: int
    merges: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnHierarchy:
    """A column of a study with its values, its hierarchy if it fits, and proposals.

    ``rows`` has the rows of every known value. ``lacking`` are the values that the hierarchy does
    not have, ``error`` why there is none where the settings do not fit. ``missing`` are the rows
    without a value.
    """

    column: str
    role: Role
    rows: Mapping[str, int] = field(repr=False)
    missing: int
    hierarchy: Hierarchy | None
    lacking: tuple[str, ...] = field(repr=False)
    error: HierarchyError | None
    proposals: tuple[ProposedHierarchy, ...]

    @property
    def unused(self) -> int:
        """How many leaves of the hierarchy no row has."""
        if self.hierarchy is None:
            return 0
        found = self.hierarchy.locate(list(self.rows)).tolist()
        return self.hierarchy.leaf_count - len({leaf for leaf in found if leaf >= 0})

    @property
    def levels(self) -> tuple[LevelUse, ...]:
        """The levels of the hierarchy, as the values use them."""
        if self.hierarchy is None:
            return ()
        leaves = [leaf for leaf in self.hierarchy.locate(list(self.rows)).tolist() if leaf >= 0]
        found: list[LevelUse] = []
        for level, codes in enumerate(self.hierarchy.levels):
            occurring = len({int(codes[leaf]) for leaf in leaves})
            found.append(
                LevelUse(
                    level=level,
                    blocks=self.hierarchy.block_count(level),
                    occurring=occurring,
                    merges=level == 0 or occurring < found[-1].occurring,
                )
            )
        return tuple(found)

    def proposed(self, number: int) -> Hierarchy:
        """Return a proposal, counted from 1, as it fits the values."""
        if not 1 <= number <= len(self.proposals):
            raise SettingsError(
                f"column {self.column!r} has no proposal {number}",
                code="unknown-proposal",
                column=self.column,
                found=str(number),
                expected=f"1 to {len(self.proposals)}" if self.proposals else None,
            )
        builder = hierarchy_of_settings(self.proposals[number - 1].settings)
        with located(column=self.column):
            built = builder.build(sorted(self.rows), column=self.column)
        assert isinstance(built, Hierarchy), "proposals are trees"
        return built


def column_hierarchy(study: StudyDescription, column: str) -> ColumnHierarchy:
    """Return what there is to say about the hierarchy of a column of a study."""
    source, engine = source_of(study.source), study.engine
    attribute = next((each for each in study.attributes if each.name == column), None)
    if attribute is None:
        names = [each.name for each in study.attributes]
        raise SettingsError(
            f"the study does not list a column {column!r}",
            code="no-such-column",
            column=column,
            expected=names,
            suggestion=closest(column, names),
        )
    markers = study.missing.markers
    counted = engine.count(source, [column])
    values = counted.columns[column].values
    rows: dict[str, int] = {}
    missing = 0
    for code, count in zip(
        counted.columns[column].codes.tolist(), counted.counts.tolist(), strict=True
    ):
        text = values[code]
        if text is None or text in markers:
            missing += count
        else:
            rows[text] = rows.get(text, 0) + count
    given, error = attribute.hierarchy, None
    hierarchy = given if isinstance(given, PartitionedDomain) else None
    if given is not None and hierarchy is None:
        try:
            hierarchy = given.build(sorted(rows), column=column)  # type: ignore[union-attr]
        except HierarchyError as found:
            error = found
    tree = hierarchy if isinstance(hierarchy, Hierarchy) else None
    located_values = [] if tree is None else tree.locate(list(rows)).tolist()
    return ColumnHierarchy(
        column=column,
        role=attribute.role,
        rows=rows,
        missing=missing,
        hierarchy=tree,
        lacking=tuple(v for v, leaf in zip(rows, located_values, strict=False) if leaf < 0),
        error=error,
        proposals=_proposals(study, column),
    )


def _proposals(study: StudyDescription, column: str) -> tuple[ProposedHierarchy, ...]:
    """Return the proposals, groups by the data only where the column is a quasi-identifier."""
    source, engine = source_of(study.source), study.engine
    profiles = {each.name: each for each in profile(engine, source)}
    quasi = [each.name for each in study.attributes if each.role is Role.QUASI_IDENTIFYING]
    behaviour = None
    if column in quasi:
        behaviour = value_behaviour(
            [profiles[name] for name in quasi],
            markers=study.missing.markers,
            count=partial(joint_counts, engine, source),
        ).get(column)
    return every_hierarchy(profiles[column], behaviour=behaviour)
