"""The lattice of full-domain recodings: one level for every quasi-identifier."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError, shown
from sfumato.errors.listing import listed
from sfumato.errors.suggestions import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """All nodes between fully specialized and fully generalized (PBG §3).

    A node is a tuple of levels; nodes are numbered in lexicographic order, 0 being the fully
    specialized one. ``minimum_levels`` are the levels that it has where columns must not be finer
    (none given: 0).

    >>> lattice = Lattice(names=("age", "sex"), heights=(6, 1))
    >>> lattice.nodes, lattice.top, lattice.number((2, 1)), lattice.levels(5)
    (14, (6, 1), 5, (2, 1))
    """

    names: tuple[str, ...]
    heights: tuple[int, ...]
    minimum_levels: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.minimum_levels:
            object.__setattr__(self, "minimum_levels", (0,) * len(self.heights))

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of levels of every column."""
        return tuple(
            high - low + 1 for low, high in zip(self.minimum_levels, self.heights, strict=True)
        )

    @property
    def nodes(self) -> int:
        """The number of nodes, the product of the numbers of levels."""
        return math.prod(self.widths)

    @property
    def bottom(self) -> tuple[int, ...]:
        """The fully specialized node."""
        return self.minimum_levels

    @property
    def top(self) -> tuple[int, ...]:
        """The fully generalized node."""
        return self.heights

    @property
    def strides(self) -> tuple[int, ...]:
        """How far apart in number two nodes are that differ by one level of a column."""
        widths = self.widths
        return tuple(math.prod(widths[q + 1 :]) for q in range(len(widths)))

    def number(self, levels: tuple[int, ...]) -> int:
        """Return the number of a node."""
        return sum(
            (level - minimum_level) * stride
            for level, minimum_level, stride in zip(
                levels, self.minimum_levels, self.strides, strict=True
            )
        )

    def levels(self, number: int) -> tuple[int, ...]:
        """Return the node of a number."""
        return tuple(
            minimum_level + number // stride % width
            for minimum_level, stride, width in zip(
                self.minimum_levels, self.strides, self.widths, strict=True
            )
        )

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Iterate over all nodes in the order of their numbers."""
        return itertools.product(
            *(
                range(low, high + 1)
                for low, high in zip(self.minimum_levels, self.heights, strict=True)
            )
        )

    def all_levels(self, numbers: Counts) -> Counts:
        """Return the levels of many nodes, a row for each."""
        rows: Counts = np.empty((numbers.shape[0], len(self.heights)), dtype=np.int64)
        for q, (stride, width) in enumerate(zip(self.strides, self.widths, strict=True)):
            rows[:, q] = self.minimum_levels[q] + numbers // stride % width
        return rows

    def node(self, levels: Mapping[str, int]) -> tuple[int, ...]:
        """Return the node that gives every column the level that ``levels`` names for it."""
        if not isinstance(levels, Mapping):
            raise SettingsError.wrong_setting(
                "levels",
                levels,
                f"a mapping like {{{self.names[0]!r}: 0, …}}, with a level for each of "
                f"{', '.join(self.names)}",
                code="wrong-type",
            )
        unknown = sorted(set(levels) - set(self.names))
        lacking = [name for name in self.names if name not in levels]
        if unknown or lacking:
            said = [
                *(f"{name!r} is not a quasi-identifier" for name in unknown),
                *(f"{name!r} has no level" for name in lacking),
            ]
            raise SettingsError(
                "; ".join(said),
                code="other-columns",
                found=listed(list(levels)) or "no column",
                suggestion=closest(unknown[0], lacking) if unknown else None,
                remedy=f"give one level for each of {', '.join(self.names)}",
            )
        for name, minimum_level, height in zip(
            self.names, self.minimum_levels, self.heights, strict=True
        ):
            level: int | float = levels[name]
            # A row of a pandas table turns whole numbers into floats: 2.0 is the level 2.
            whole = isinstance(level, Integral) and not isinstance(level, bool)
            whole = whole or (isinstance(level, float) and level.is_integer())
            if not whole or not 0 <= level <= height:
                raise SettingsError(
                    f"level {level!r} of column {name!r} does not exist",
                    code="unknown-level",
                    column=name,
                    found=shown(level),
                    remedy=f"its levels are whole numbers from 0 (its leaves) to {height} (one "
                    "block)",
                )
            if level < minimum_level:
                raise SettingsError(
                    f"level {level} of column {name!r} is below its minimum level "
                    f"{minimum_level}, at which its rows were counted",
                    code="below-minimum-level",
                    column=name,
                    found=str(level),
                    remedy="choose a higher level, or lower the minimum level",
                )
        return tuple(int(levels[name]) for name in self.names)
