"""The partial order of partitions by refinement, found and not declared (Granulation §2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Flags


@dataclass(frozen=True, kw_only=True, eq=False)
class RefinementOrder:
    """Which of several partitions of one domain refine which.

    ``refines[p, q]`` says whether every block of p lies inside one block of q: π_p ⪯ π_q. A
    partition refines itself, and equal partitions refine each other. Partitions that the one of
    number ``minimum_level`` does not refine have no place in the order, and those before it have
    none.

    >>> weeks_and_months = [np.array(codes) for codes in ([0, 1, 2], [0, 0, 1], [0, 1, 1], [0] * 3)]
    >>> order = RefinementOrder.of(weeks_and_months)
    >>> order.successors
    ((1, 2), (3,), (3,), ())
    """

    refines: Flags
    minimum_level: int = 0

    @classmethod
    def of(cls, partitions: Sequence[Codes]) -> RefinementOrder:
        """Find the order of partitions, each a block number for every leaf."""
        count = len(partitions)
        found: Flags = np.zeros((count, count), dtype=np.bool_)
        for fine, codes in enumerate(partitions):
            _, first, block = np.unique(codes, return_index=True, return_inverse=True)
            for coarse, others in enumerate(partitions):
                # Inside one block: every leaf has the coarse block of the first leaf of its own.
                found[fine, coarse] = np.array_equal(others[first][block], others)
        found.flags.writeable = False
        return cls(refines=found)

    @cached_property
    def different(self) -> tuple[int, ...]:
        """The partitions from the minimum level on, without those equal to an earlier one."""
        equal = self.refines & self.refines.T
        return tuple(
            p
            for p in range(self.minimum_level, len(self.refines))
            if self.refines[self.minimum_level, p] and not equal[p, self.minimum_level : p].any()
        )

    @cached_property
    def is_chain(self) -> bool:
        """Whether of any two partitions one refines the other."""
        return bool((self.refines | self.refines.T).all())

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """The direct successors of every partition: coarser ones with none in between.

        Of partitions that are equal only the first has a place in the order.
        """
        places = np.array(self.different, dtype=np.int64)
        coarser: Flags = np.zeros_like(self.refines)
        coarser[np.ix_(places, places)] = self.refines[np.ix_(places, places)]
        np.fill_diagonal(coarser, val=False)
        in_between = (coarser.astype(np.int64) @ coarser.astype(np.int64)) > 0
        direct = coarser & ~in_between
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in direct)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The length of the longest chain from the finest partition up to each.

        A strictly coarser partition has a greater rank, so that ascending ranks are a linear
        extension of the order, graded or not.
        """
        ranks = [0] * len(self.refines)
        # Partitions come before all coarser ones.
        for place in self.different:
            for after in self.successors[place]:
                ranks[after] = max(ranks[after], ranks[place] + 1)
        equal = self.refines & self.refines.T
        first_equal = self.minimum_level + equal[:, self.minimum_level :].argmax(axis=1)
        return tuple(ranks[first] for first in first_equal.tolist())
