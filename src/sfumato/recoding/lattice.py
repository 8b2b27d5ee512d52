"""The lattice of full-domain recodings: one level for every quasi-identifier."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.data.arrays import Counts


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """All nodes between fully specialized and fully generalized (PBG §3).

    A node is a tuple of levels; nodes are numbered in lexicographic order, 0 being the fully
    specialized one.

    >>> lattice = Lattice(names=("age", "sex"), heights=(6, 1))
    >>> lattice.nodes, lattice.top, lattice.number((2, 1)), lattice.levels(5)
    (14, (6, 1), 5, (2, 1))
    """

    names: tuple[str, ...]
    heights: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """The number of nodes, the product of (height + 1)."""
        return math.prod(height + 1 for height in self.heights)

    @property
    def bottom(self) -> tuple[int, ...]:
        """The fully specialized node."""
        return (0,) * len(self.heights)

    @property
    def top(self) -> tuple[int, ...]:
        """The fully generalized node."""
        return self.heights

    @property
    def strides(self) -> tuple[int, ...]:
        """How far apart in number two nodes are that differ by one level of a column."""
        return tuple(
            math.prod(height + 1 for height in self.heights[q + 1 :])
            for q in range(len(self.heights))
        )

    def number(self, levels: tuple[int, ...]) -> int:
        """Return the number of a node."""
        return sum(level * stride for level, stride in zip(levels, self.strides, strict=True))

    def levels(self, number: int) -> tuple[int, ...]:
        """Return the node of a number."""
        return tuple(
            number // stride % (height + 1)
            for stride, height in zip(self.strides, self.heights, strict=True)
        )

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Iterate over all nodes in the order of their numbers."""
        return iter(np.ndindex(*(height + 1 for height in self.heights)))

    def all_levels(self, numbers: Counts) -> Counts:
        """Return the levels of many nodes, a row for each."""
        rows: Counts = np.empty((numbers.shape[0], len(self.heights)), dtype=np.int64)
        for q, (stride, height) in enumerate(zip(self.strides, self.heights, strict=True)):
            rows[:, q] = numbers // stride % (height + 1)
        return rows

    def node(self, levels: Mapping[str, int]) -> tuple[int, ...]:
        """Return the node that gives every column the level that ``levels`` names for it."""
        if not isinstance(levels, Mapping):
            raise SettingsError(
                f"levels is {shown(levels)}; give a level by name for each of "
                f"{', '.join(self.names)}: {{{self.names[0]!r}: 0, …}}"
            )
        unknown = sorted(set(levels) - set(self.names))
        lacking = [name for name in self.names if name not in levels]
        if unknown or lacking:
            said = [
                *(f"{name!r} is not a quasi-identifier" for name in unknown),
                *(f"{name!r} has no level" for name in lacking),
            ]
            raise SettingsError(
                f"{'; '.join(said)}; give one level for each of {', '.join(self.names)}"
            )
        for name, height in zip(self.names, self.heights, strict=True):
            level: int | float = levels[name]
            # A row of a pandas table turns whole numbers into floats: 2.0 is the level 2.
            whole = isinstance(level, Integral) and not isinstance(level, bool)
            whole = whole or (isinstance(level, float) and level.is_integer())
            if not whole or not 0 <= level <= height:
                raise SettingsError(
                    f"level {level!r} of column {name!r} does not exist; its levels are whole "
                    f"numbers from 0 (its leaves) to {height} (one block)"
                )
        return tuple(int(levels[name]) for name in self.names)
