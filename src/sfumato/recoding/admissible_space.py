"""The space of admissible recodings: one admissible partition for every quasi-identifier."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.arrays import Counts, Flags
    from sfumato.hierarchies.refinement_order import RefinementOrder
    from sfumato.microdata.count_table import CountTable

Choice: TypeAlias = tuple[int, ...]
"""The number of a partition (a level of a hierarchy) for every quasi-identifier."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AdmissibleSpace:
    """The admissible AOGs Π = Π_1 × … × Π_m, ordered by refinement (Granulation §2.2).

    τ is at least as specific as τ' if its partition of every quasi-identifier refines that of τ'.
    A partition that equals an earlier one, as a repeated level does, is the same choice and
    counts once. The numbers of partitions ascend from fine to coarse.
    """

    names: tuple[str, ...]
    orders: tuple[RefinementOrder, ...]
    neighbours_only: bool = True
    """Whether all blocks hold neighbouring leaves, as those of hierarchies do."""

    @classmethod
    def of(cls, table: CountTable) -> AdmissibleSpace:
        """Return the space of a table: its hierarchies or admissible partitions."""
        return cls(
            names=table.names,
            orders=tuple(
                replace(identifier.hierarchy.order, minimum_level=identifier.minimum_level)
                for identifier in table.quasi_identifiers
            ),
            neighbours_only=all(
                bool((np.diff(codes) >= 0).all()) for h in table.hierarchies for codes in h.levels
            ),
        )

    @cached_property
    def partitions(self) -> tuple[tuple[int, ...], ...]:
        """The different partitions of every quasi-identifier, by number."""
        return tuple(order.different for order in self.orders)

    @cached_property
    def size(self) -> int:
        """The number of admissible recodings."""
        return math.prod(len(each) for each in self.partitions)

    @property
    def finest(self) -> Choice:
        """The most specific recoding: (⊥_1, …, ⊥_m)."""
        return tuple(each[0] for each in self.partitions)

    @property
    def coarsest(self) -> Choice:
        """The least specific recoding: (⊤_1, …, ⊤_m)."""
        return tuple(each[-1] for each in self.partitions)

    @property
    def is_lattice_of_levels(self) -> bool:
        """Whether all partitions are chains without repetitions, so that every node counts.

        Their blocks must be of neighbours too: the sweep of a lattice takes it that merging blocks
        keeps ascending keys ascending.
        """
        return self.neighbours_only and all(
            order.is_chain and len(order.different) == len(order.refines) - order.minimum_level
            for order in self.orders
        )

    def __iter__(self) -> Iterator[Choice]:
        """Iterate over all recodings, each after all that are finer."""
        return itertools.product(*self.partitions)

    def rank(self, choice: Choice) -> int:
        """Return the sum of the ranks of the partitions.

        A strictly coarser recoding has a greater one: ascending ranks are a linear extension.
        """
        return sum(order.ranks[p] for order, p in zip(self.orders, choice, strict=True))

    def successors(self, choice: Choice) -> Iterator[Choice]:
        """Iterate over the direct successors: one partition replaced by a direct successor."""
        for q, (order, partition) in enumerate(zip(self.orders, choice, strict=True)):
            for after in order.successors[partition]:
                yield (*choice[:q], after, *choice[q + 1 :])

    def finer(self, choices: Counts, choice: Choice) -> Flags:
        """Say of many recodings, a row for each, whether they are at least as specific as one."""
        flags: Flags = np.ones(choices.shape[0], dtype=np.bool_)
        for q, (order, partition) in enumerate(zip(self.orders, choice, strict=True)):
            flags &= order.refines[choices[:, q], partition]
        return flags

    def minimal(self, choices: Counts) -> Flags:
        """Say which of several different recodings have no other one of them below."""
        return np.array(
            [int(self.finer(choices, tuple(row)).sum()) == 1 for row in choices.tolist()],
            dtype=np.bool_,
        )
