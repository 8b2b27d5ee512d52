"""Hierarchies written out group by group."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, located
from sfumato.errors.listing import counted, joined, listed
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.builders.builder import check_list
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Every level maps a label to the labels of the level below, the first one to values.

    The values of the first level are the declared domain. The top ``*`` is added unless the
    last level is a single group. With ``others`` the domain is not declared: values that occur
    and are not listed belong to that group of the first level.

    >>> married = {"Once married": ["Divorced", "Widowed"], "Married": ["Married"]}
    >>> Groups(levels=[married]).build(["Married"], column="marital status").labels
    (('Divorced', 'Widowed', 'Married'), ('Once married', 'Married'), ('*',))
    >>> Groups(levels=[married], others="Once married").build(["Single"], column="status").labels
    (('Divorced', 'Widowed', 'Single', 'Married'), ('Once married', 'Married'), ('*',))
    """

    levels: Sequence[Mapping[str, Sequence[str]]]
    others: str | None = None

    def __post_init__(self) -> None:
        check_list(self.levels, setting="levels", example="[{'EU': ['DE', 'FR']}, …]")
        levels = tuple(
            {label: _members(label, of) for label, of in level.items()} for level in self.levels
        )
        object.__setattr__(self, "levels", levels)
        if not levels or not all(levels):
            raise SettingsError(
                "there is no level, or a level without a group",
                code="no-groups",
                key="levels",
                remedy="give at least one level, and every level a group",
            )
        for number, level in enumerate(levels, start=1):
            _check_one_group_each(number, level)
        for number, (below, above) in enumerate(pairwise(levels), start=2):
            _check_same_labels(number, below, above)
        if self.others is not None and self.others not in levels[0]:
            raise SettingsError.unknown_choice("others", self.others, tuple(levels[0]))

    @property
    def domain_is_declared(self) -> bool:
        """Whether the domain is the same whatever values occur."""
        return self.others is None

    @property
    def kind_is_declared(self) -> bool:
        """Whether the values are numbers, dates or categories whatever values occur."""
        return self.others is None

    def build(self, values: Sequence[str], *, column: str) -> Hierarchy:
        """Return the hierarchy of the grouped values, and of those that go with the others."""
        with located(column=column, key="levels"):
            hierarchy = Hierarchy.from_rows(list(self._rows()))
            if self.others is not None:
                codes = hierarchy.locate(values).tolist()
                unlisted = {value for value, code in zip(values, codes, strict=True) if code < 0}
                if unlisted:
                    return self._with_others(sorted(unlisted)).build(values, column=column)
        check_covers(hierarchy, values, column=column, add_to="a group of the first level")
        return hierarchy

    def _with_others(self, unlisted: Sequence[str]) -> Groups:
        first, *above = self.levels
        assert self.others is not None
        return Groups(levels=[{**first, self.others: [*first[self.others], *unlisted]}, *above])

    def _rows(self) -> Iterator[tuple[str, ...]]:
        top = () if len(self.levels[-1]) == 1 else (TOP,)
        for label in self.levels[-1]:
            for path in self._paths(len(self.levels) - 1, label):
                yield (*path, *top)

    def _paths(self, level: int, label: str) -> Iterator[tuple[str, ...]]:
        """Yield the way from every value below a group up to the group."""
        for member in self.levels[level][label]:
            if level == 0:
                yield (member, label)
            else:
                for path in self._paths(level - 1, member):
                    yield (*path, label)


def _members(label: str, members: Sequence[str]) -> tuple[str, ...]:
    if isinstance(members, str):
        raise SettingsError(
            f"the members of group {label!r} are the text {members!r}",
            code="not-a-list",
            key="levels",
            found=repr(members),
            expected=f"a list like [{members!r}]",
        )
    if not members:
        raise SettingsError(
            f"group {label!r} is empty",
            code="no-members",
            key="levels",
            found=repr(label),
            remedy="list its members, or remove it",
        )
    return tuple(members)


def _check_one_group_each(number: int, level: Mapping[str, Sequence[str]]) -> None:
    groups_of: defaultdict[str, list[str]] = defaultdict(list)
    for label, members in level.items():
        for member in members:
            groups_of[member].append(label)
    several = {member: labels for member, labels in groups_of.items() if len(labels) > 1}
    if several:
        shown = [f"{member!r} (in {listed(labels)})" for member, labels in several.items()]
        raise SettingsError(
            f"level {number} has {counted(len(several), 'member')} in more than one group: "
            f"{joined(list(islice(shown, 10)), total=len(several))}",
            code="duplicate",
            key="levels",
            found=listed(several),
            remedy="keep every member in one group",
        )


def _check_same_labels(
    number: int, below: Mapping[str, Sequence[str]], above: Mapping[str, Sequence[str]]
) -> None:
    grouped = {member for members in above.values() for member in members}
    ungrouped = [label for label in below if label not in grouped]
    if ungrouped:
        raise SettingsError(
            f"level {number} does not group {listed(ungrouped)} of level {number - 1}",
            code="ungrouped-label",
            key="levels",
            found=listed(ungrouped),
            remedy="add each to a group, or as a group of its own",
        )
    unknown = [member for members in above.values() for member in members if member not in below]
    if unknown:
        raise SettingsError(
            f"level {number} groups {listed(unknown)}, which level {number - 1} does not have",
            code="unknown-label",
            key="levels",
            found=listed(unknown),
            expected=tuple(below),
            suggestion=closest(unknown[0], below),
        )
