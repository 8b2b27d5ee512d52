"""A hierarchy while a person edits it: blocks merged, split, renamed and moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, kw_only=True)
class EditedTree:
    """A line for every leaf: its value, its label at each level, the top.

    Every edit gives another tree, which is a hierarchy again: blocks only merge from level to
    level.

    >>> tree = EditedTree(rows=(("a", "*"), ("b", "*"), ("c", "*")))
    >>> tree.with_level(1).merged(1, ["a", "b"], "ab").rows
    (('a', 'ab', '*'), ('b', 'ab', '*'), ('c', 'c', '*'))
    """

    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        # Whatever was edited, it is refused if it is no hierarchy.
        Hierarchy.from_rows(self.rows)

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> Self:
        """Return the tree of a hierarchy, without its leaf for missing values."""
        columns = [
            [names[block] for block in codes.tolist()]
            for names, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
        ]
        rows = list(zip(*columns, strict=True))
        if hierarchy.missing_leaf is not None:
            del rows[hierarchy.missing_leaf]
        return cls(rows=tuple(rows))

    @property
    def height(self) -> int:
        """The level of the top."""
        return len(self.rows[0]) - 1

    def hierarchy(self) -> Hierarchy:
        """Return the hierarchy."""
        return Hierarchy.from_rows(self.rows)

    def labels(self, level: int) -> tuple[str, ...]:
        """Return the blocks of a level, in the order of their first leaf."""
        return tuple(dict.fromkeys(row[self._inner(level, leaf=True)] for row in self.rows))

    def merged(self, level: int, blocks: Sequence[str], into: str) -> Self:
        """Return the tree in which some blocks of a level are one, with a new label.

        They go where the first of them is. Blocks below stay.
        """
        self._inner(level)
        chosen = self._known(level, blocks)
        above = self._line(level, blocks[0])[level + 1 :]
        self._check_free(level, into, besides=chosen)
        return self._changed(
            (*row[:level], into, *above) if row[level] in chosen else row for row in self.rows
        )

    def split(self, level: int, block: str) -> Self:
        """Return the tree in which a block of a level is as many as there are below it."""
        self._inner(level)
        chosen = self._known(level, [block])
        below = {row[level - 1] for row in self.rows if row[level] in chosen}
        for label in below:
            self._check_free(level, label, besides=chosen)
        return self._changed(
            (*row[:level], row[level - 1], *row[level + 1 :]) if row[level] in chosen else row
            for row in self.rows
        )

    def renamed(self, level: int, block: str, label: str) -> Self:
        """Return the tree in which a block of a level has another label."""
        self._inner(level)
        chosen = self._known(level, [block])
        self._check_free(level, label, besides=chosen)
        return self._changed(
            (*row[:level], label, *row[level + 1 :]) if row[level] in chosen else row
            for row in self.rows
        )

    def moved(self, level: int, blocks: Sequence[str], to: str) -> Self:
        """Return the tree in which blocks of a level, or leaves, lie in a block one level above."""
        self._inner(level, leaf=True)
        chosen = self._known(level, blocks)
        target = self._line(level + 1, to)[level + 1 :]
        return self._changed(
            (*row[: level + 1], *target) if row[level] in chosen else row for row in self.rows
        )

    def with_level(self, level: int) -> Self:
        """Return the tree with a new level, whose blocks are those of the level below it."""
        if not 1 <= level <= self.height:
            raise self._wrong_level(level, 1, self.height)
        return self._changed((*row[:level], row[level - 1], *row[level:]) for row in self.rows)

    def without_level(self, level: int) -> Self:
        """Return the tree without a level between the leaves and the top."""
        self._inner(level)
        return self._changed((*row[:level], *row[level + 1 :]) for row in self.rows)

    def with_leaves(self, values: Iterable[str]) -> Self:
        """Return the tree with values that were not covered, each alone up to the top."""
        top = self.rows[0][-1]
        added = tuple((*([value] * self.height), top) for value in values)
        return self._changed((*self.rows, *added))

    def _changed(self, rows: Iterable[tuple[str, ...]]) -> Self:
        return type(self)(rows=tuple(rows))

    def _line(self, level: int, block: str) -> tuple[str, ...]:
        self._known(level, [block])
        return next(row for row in self.rows if row[level] == block)

    def _known(self, level: int, blocks: Sequence[str]) -> set[str]:
        there = {row[level] for row in self.rows}
        if not blocks or not there.issuperset(blocks):
            raise HierarchyError(
                f"level {level} has no such block",
                code="unknown-block",
                key="blocks",
                expected="labels of that level",
            )
        return set(blocks)

    def _check_free(self, level: int, label: str, *, besides: set[str]) -> None:
        if not label.strip():
            raise HierarchyError(
                "a block has a label", code="empty-label", key="label", expected="a text"
            )
        if label not in besides and any(row[level] == label for row in self.rows):
            raise HierarchyError(
                f"level {level} has another block {label!r}",
                code="repeated-label",
                found=repr(label),
                remedy="merge the two, or choose another label",
            )

    def _inner(self, level: int, *, leaf: bool = False) -> int:
        least = 0 if leaf else 1
        if not least <= level < self.height:
            raise self._wrong_level(level, least, self.height - 1)
        return level

    def _wrong_level(self, level: int, least: int, most: int) -> HierarchyError:
        return HierarchyError(
            f"level {level} cannot be edited so",
            code="out-of-range",
            key="level",
            found=str(level),
            expected=f"a level from {least} to {most}; the top is {TOP if most < 0 else most + 1}",
        )
