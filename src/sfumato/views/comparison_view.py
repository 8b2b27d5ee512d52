"""A comparison as ``sfumato compare`` shows it: every verdict, and who gains and who loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.curves.gainers import Gainers
    from sfumato.compare.verdict import Verdict
    from sfumato.measures.measure import Direction
    from sfumato.study.comparison import Comparison


@dataclass(frozen=True, kw_only=True)
class SideView:
    """An anonymization: its k, its kept rows in so many classes, and its suppressed rows.

    ``counts_people`` says that k is in people.
    """

    label: str
    k: int
    kept: int
    classes: int
    suppressed: int
    counts_people: bool

    @property
    def text(self) -> str:
        """All of it but the label, in words."""
        return (
            f"k = {self.k:,}{' people' if self.counts_people else ''}; "
            f"{counted(self.kept, 'record')} in "
            f"{counted(self.classes, 'class', 'classes')}, {counted(self.suppressed, 'record')} "
            f"suppressed ({share_text(self.suppressed, self.kept + self.suppressed)})"
        )


def side_view(side: Anonymization) -> SideView:
    """Return what is shown of an anonymization."""
    gone = side.suppressed_rows
    return SideView(
        label=side.label,
        k=side.k,
        kept=side.table.rows - gone,
        classes=int(side.kept.sum()),
        suppressed=gone,
        counts_people=side.table.people is not None,
    )


MOST_GROUPS = 30


@dataclass(frozen=True, kw_only=True)
class GroupView:
    """A group of rows, and how many of them are better off in either anonymization.

    ``gained`` and ``lost`` are sums over the rows of what the first gives more or less than the
    second. ``value`` is what the group has in common, empty for all rows.
    """

    value: str
    rows: int
    better_off_in_first: int
    better_off_in_second: int
    unchanged: int
    gained: float
    lost: float


@dataclass(frozen=True, kw_only=True)
class PropertyView:
    """The verdicts on a property, who gains and who loses, and the same by values of a column."""

    direction: Direction
    gainers: GroupView
    verdicts: tuple[Verdict, ...]
    by_value: tuple[GroupView, ...]

    @property
    def largest_groups(self) -> tuple[GroupView, ...]:
        """The groups that a terminal has room for, in the order of their values."""
        largest = sorted(self.by_value, key=lambda group: -group.rows)[:MOST_GROUPS]
        return tuple(group for group in self.by_value if group in largest)


@dataclass(frozen=True, kw_only=True)
class TogetherView:
    """The verdicts on several properties at once."""

    properties: tuple[str, ...]
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, kw_only=True)
class ComparisonView:
    """What comparators say of two anonymizations; ``by`` is the column that divides the rows."""

    first: str
    second: str
    rows: int
    sides: tuple[SideView, SideView]
    by: str | None
    properties: Mapping[str, PropertyView]
    together: TogetherView


def comparison_view(comparison: Comparison, *, by: str | None = None) -> ComparisonView:
    """Return what is shown of a comparison, and of the groups of a column if one is given."""
    return ComparisonView(
        first=comparison.first.label or "the first",
        second=comparison.second.label or "the second",
        rows=comparison.first.table.rows,
        sides=(side_view(comparison.first), side_view(comparison.second)),
        by=by,
        properties={name: _property(comparison, name, by) for name in comparison.verdicts},
        together=TogetherView(properties=comparison.together_on, verdicts=comparison.together),
    )


def _property(comparison: Comparison, name: str, by: str | None) -> PropertyView:
    groups = () if by is None else comparison.gainers_by_value(name, by)
    return PropertyView(
        direction=comparison.vectors[name][0].direction,
        gainers=_group(comparison.gainers(name)),
        verdicts=comparison.verdicts[name],
        by_value=tuple(map(_group, groups)),
    )


def _group(group: Gainers) -> GroupView:
    return GroupView(
        value=group.value,
        rows=group.rows,
        better_off_in_first=group.better_off,
        better_off_in_second=group.worse_off,
        unchanged=group.unchanged,
        gained=group.gained,
        lost=group.lost,
    )
