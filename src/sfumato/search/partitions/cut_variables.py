"""The independent choices of the space of partitions: which cuts are made, and which need others.

An unconstrained column has a variable for each bit. A constrained one has a variable for each
inner node of its tree: if it is 1, the node is divided into its children, which needs the node
above to be divided too. A string is valid exactly if it comes from a set of variables that has,
with each, the one that it needs. Such sets are closed under union and intersection, so that the
strings between two of them are a box with a finest and a coarsest member (docs/method.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.recoding.partition_space import PartitionSpace


@dataclass(frozen=True, kw_only=True)
class CutVariables:
    """The variables of a space: the bits that each sets, and the one that it needs (or None).

    Sets of variables are written as whole numbers, variable v being the bit of value 2^v.
    """

    width: int
    bits: tuple[tuple[int, ...], ...]
    needs: tuple[int | None, ...]

    @classmethod
    def of(cls, space: PartitionSpace) -> CutVariables:
        """Return the variables of a space."""
        bits: list[tuple[int, ...]] = []
        needs: list[int | None] = []
        for column in space.columns:
            base = len(bits)
            if not column.constrained:
                bits.extend((bit,) for bit in range(column.start, column.end))
                needs.extend([None] * column.bits)
                continue
            above: dict[int, int] = {
                below: place for place, node in enumerate(column.tree.nodes) for below in node.inner
            }
            for place, node in enumerate(column.tree.nodes):
                bits.append(tuple(column.start + border for border in node.borders))
                needs.append(base + above[place] if place in above else None)
        return cls(width=space.bits, bits=tuple(bits), needs=tuple(needs))

    def __len__(self) -> int:
        """Return the number of variables."""
        return len(self.bits)

    @property
    def everything(self) -> int:
        """The set of all variables: every value apart."""
        return (1 << len(self)) - 1

    @cached_property
    def with_needed(self) -> tuple[int, ...]:
        """For every variable, itself and all that it needs."""
        found = []
        for variable in range(len(self)):
            together, at = 0, variable
            while True:
                together |= 1 << at
                above = self.needs[at]
                if above is None:
                    break
                at = above
            found.append(together)
        return tuple(found)

    @cached_property
    def with_dependent(self) -> tuple[int, ...]:
        """For every variable, itself and all that need it."""
        found = [0] * len(self)
        for variable, needed in enumerate(self.with_needed):
            for other in self.members(needed):
                found[other] |= 1 << variable
        return tuple(found)

    @staticmethod
    def members(chosen: int) -> list[int]:
        """Return the variables of a set, ascending.

        >>> CutVariables.members(0b1010)
        [1, 3]
        """
        return [v for v in range(chosen.bit_length()) if chosen >> v & 1]

    def string(self, chosen: int) -> Flags:
        """Return the string of a set of variables."""
        flags: Flags = np.zeros(self.width, dtype=np.bool_)
        for variable in self.members(chosen):
            flags[list(self.bits[variable])] = True
        return flags

    def size(self, fixed: int, allowed: int) -> int:
        """Return how many valid strings have all ``fixed`` variables and no others than allowed."""
        counts = [1] * len(self)
        total = 1
        # Those that need others are counted first, into what they need.
        order = sorted(range(len(self)), key=lambda v: -self.with_needed[v].bit_count())
        for variable in order:
            if not allowed >> variable & 1:
                continue
            ways = counts[variable] + (0 if fixed >> variable & 1 else 1)
            above = self.needs[variable]
            if above is None:
                total *= ways
            else:
                counts[above] *= ways
        return total
