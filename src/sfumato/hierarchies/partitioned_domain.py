"""An ordered domain with partitions of it, from the finest to the coarsest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.arrays import Codes, Counts, sealed_codes, sealed_counts
from sfumato.errors import HierarchyError
from sfumato.hierarchies.domains.domain import Domain, MissingDomain
from sfumato.hierarchies.refinement_order import RefinementOrder

if TYPE_CHECKING:
    from collections.abc import Sequence

TOP = "*"
"""The label of the block that holds the whole domain, where nobody chose another."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PartitionedDomain(ABC):
    """What a recoding chooses from: numbered partitions of one ordered domain.

    ``levels[p][leaf]`` is the block of a leaf in partition p and ``labels[p][block]`` its name.
    Partition 0 is the finest, every leaf its own block, and the last one is a single block; a
    partition comes before every coarser one. Blocks are numbered in the order of their first
    leaf. In a `Hierarchy` the partitions form a chain, its levels; in
    `AdmissiblePartitions` some may be incomparable (Granulation §2.2).
    """

    domain: Domain
    levels: tuple[Codes, ...]
    labels: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        sealed = tuple(level if _is_sealed(level) else sealed_codes(level) for level in self.levels)
        object.__setattr__(self, "levels", sealed)
        object.__setattr__(self, "labels", tuple(map(tuple, self.labels)))
        self._check()

    @abstractmethod
    def _check(self) -> None:
        """Refuse partitions that break what is always true of their kind."""

    @abstractmethod
    def with_missing(self, label: str) -> Self:
        """Return these partitions with a last leaf for missing values."""

    @property
    def leaf_count(self) -> int:
        """The size |Σ| of the domain."""
        return len(self.levels[0])

    @property
    def height(self) -> int:
        """The number of partitions above the finest; of a hierarchy, PBG's DGH length."""
        return len(self.levels) - 1

    @property
    def missing_leaf(self) -> int | None:
        """The leaf of missing values, None if there is none."""
        return self.leaf_count - 1 if isinstance(self.domain, MissingDomain) else None

    @cached_property
    def order(self) -> RefinementOrder:
        """Which of the partitions refine which, as it is found in them."""
        return RefinementOrder.of(self.levels)

    def block_count(self, level: int) -> int:
        """Return the number of blocks at a level."""
        return len(self.labels[self._checked(level)])

    def block_starts(self, level: int) -> Codes:
        """Return the first leaf of every block at a level."""
        return self._starts[self._checked(level)]

    def block_sizes(self, level: int) -> Counts:
        """Return the number of leaves in every block at a level."""
        return self._sizes[self._checked(level)]

    def between(self, fine: int, coarse: int) -> Codes:
        """Return, for every block at the fine level, its block at the coarse one."""
        known = self._between.get((fine, coarse))
        if known is None:
            if not self.order.refines[self._checked(fine), self._checked(coarse)]:
                raise self._no_refinement(fine, coarse)
            known = sealed_codes(self.levels[coarse][self._starts[fine]])
            self._between[fine, coarse] = known
        return known

    @abstractmethod
    def _no_refinement(self, fine: int, coarse: int) -> HierarchyError:
        """Return the error for two partitions of which the one is not finer."""

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every value, -1 where it lies outside the domain."""
        return self.domain.locate(values)

    def _grown(self, label: str) -> tuple[MissingDomain, tuple[Codes, ...], list[tuple[str, ...]]]:
        """Return domain, codes and labels with a last leaf that joins others at the top only.

        A top that has a name, like "Europe", says something of the values that a missing one does
        not; above it there is one for both.
        """
        inner = self.labels[:-1] if self.height and self.labels[-1] == (TOP,) else self.labels
        kept = self.levels[: len(inner)]
        taken = [level for level, names in enumerate(inner) if label in names]
        if taken:
            raise HierarchyError(
                f"the label {label!r} for missing values is already a label of level {taken[0]}",
                code="taken-label",
                key="label",
                found=repr(label),
                remedy="choose one that the hierarchy does not use",
            )
        grown = [np.append(level, len(names)) for level, names in zip(kept, inner, strict=True)]
        return (
            MissingDomain(known=self.domain, label=label),
            (*map(sealed_codes, grown), sealed_codes(np.zeros(self.leaf_count + 1))),
            [*((*names, label) for names in inner), (TOP,)],
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PartitionedDomain) or type(self) is not type(other):
            return NotImplemented
        same_names = self.domain == other.domain and self.labels == other.labels
        return same_names and all(map(np.array_equal, self.levels, other.levels))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        blocks = " → ".join(str(len(names)) for names in self.labels)
        return f"<{type(self).__name__} of {type(self.domain).__name__}, blocks {blocks}>"

    def __getstate__(self) -> dict[str, object]:
        # Neither the hash, which differs between processes, nor other derived values travel.
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def _checked(self, level: int) -> int:
        if not 0 <= level <= self.height:
            raise HierarchyError(
                code="out-of-range",
                key="level",
                found=str(level),
                expected=f"from 0 to {self.height}",
            )
        return level

    @cached_property
    def _hash(self) -> int:
        return hash((self.domain, self.labels))

    @cached_property
    def _starts(self) -> tuple[Codes, ...]:
        # Blocks are numbered in the order of their first leaf, so each begins at a new maximum.
        return tuple(
            sealed_codes(np.flatnonzero(np.diff(np.maximum.accumulate(level), prepend=-1)))
            for level in self.levels
        )

    @cached_property
    def _sizes(self) -> tuple[Counts, ...]:
        return tuple(sealed_counts(np.bincount(level)) for level in self.levels)

    @cached_property
    def _between(self) -> dict[tuple[int, int], Codes]:
        return {}


def _is_sealed(level: Codes) -> bool:
    return level.dtype == np.int32 and not level.flags.writeable
