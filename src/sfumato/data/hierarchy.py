"""A hierarchy: a tree over an ordered domain, given as levels that only ever merge blocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.data.arrays import Codes, Counts, sealed_codes, sealed_counts
from sfumato.data.domain import CategoryDomain, Domain, MissingDomain
from sfumato.data.hierarchy_check import check_hierarchy
from sfumato.data.hierarchy_rows import arrange_rows
from sfumato.errors import HierarchyError

if TYPE_CHECKING:
    from collections.abc import Sequence

TOP = "*"
"""The label of the block that holds the whole domain, where nobody chose another."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Hierarchy:
    """A tree over an ordered domain (MOEA §1.3.1, PBG §3: a domain generalization hierarchy).

    ``levels[l][leaf]`` is the block of a leaf at level l and ``labels[l][block]`` its name.
    Level 0 is the identity, levels only merge, every block is a run of neighbouring leaves,
    blocks are numbered in the order of their leaves, and the last level is one block.

    >>> marital = Hierarchy.from_rows(
    ...     [
    ...         ("Divorced", "Once married", "*"),
    ...         ("Married", "Married", "*"),
    ...         ("Widowed", "Once married", "*"),
    ...     ],
    ...     name="marital status",
    ... )
    >>> marital.domain.leaves
    ('Divorced', 'Widowed', 'Married')
    >>> marital.levels[1]
    array([0, 0, 1], dtype=int32)
    >>> marital.labels[1], marital.height
    (('Once married', 'Married'), 2)
    """

    domain: Domain
    levels: tuple[Codes, ...]
    labels: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        sealed = tuple(level if _is_sealed(level) else sealed_codes(level) for level in self.levels)
        object.__setattr__(self, "levels", sealed)
        object.__setattr__(self, "labels", tuple(map(tuple, self.labels)))
        check_hierarchy(leaves=self.domain.leaves, levels=self.levels, labels=self.labels)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Sequence[str]],
        *,
        name: str,
        line_numbers: Sequence[int] | None = None,
    ) -> Self:
        """Make a hierarchy of rows (value, level 1, …, top), as ARX files have them.

        Leaves that are all numbers or all ISO dates come in natural order if that keeps every
        block together; others in preorder of the tree, children in order of first appearance.

        >>> Hierarchy.from_rows([("10", "*"), ("9", "*")], name="age").domain.leaves
        ('9', '10')
        """
        arranged = arrange_rows(rows, name=name, line_numbers=line_numbers)
        domain = CategoryDomain(values=arranged.labels[0], ordered=arranged.ordered)
        return cls(domain=domain, levels=arranged.levels, labels=arranged.labels)

    @property
    def leaf_count(self) -> int:
        """The size |Σ| of the domain."""
        return len(self.levels[0])

    @property
    def height(self) -> int:
        """The number of levels above the values, which PBG calls the DGH length."""
        return len(self.levels) - 1

    @property
    def missing_leaf(self) -> int | None:
        """The leaf of missing values, None if there is none."""
        return self.leaf_count - 1 if isinstance(self.domain, MissingDomain) else None

    def block_count(self, level: int) -> int:
        """Return the number of blocks at a level."""
        return len(self.labels[self._checked(level)])

    def block_starts(self, level: int) -> Codes:
        """Return the first leaf of every block at a level."""
        return self._starts[self._checked(level)]

    def block_sizes(self, level: int) -> Counts:
        """Return the number of leaves in every block at a level.

        >>> rows = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]
        >>> Hierarchy.from_rows(rows, name="demo").block_sizes(1)
        array([2, 1])
        """
        return self._sizes[self._checked(level)]

    def between(self, fine: int, coarse: int) -> Codes:
        """Return, for every block at the fine level, its block at the coarse one.

        >>> rows = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]
        >>> Hierarchy.from_rows(rows, name="demo").between(0, 1)
        array([0, 0, 1], dtype=int32)
        """
        if self._checked(fine) > self._checked(coarse):
            raise HierarchyError(
                f"levels only merge: blocks of level {fine} have no single block at the finer "
                f"level {coarse}; ask for between({coarse}, {fine})"
            )
        known = self._between.get((fine, coarse))
        if known is None:
            known = sealed_codes(self.levels[coarse][self._starts[fine]])
            self._between[fine, coarse] = known
        return known

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every value, -1 where it lies outside the domain."""
        return self.domain.locate(values)

    def with_missing(self, label: str) -> Hierarchy:
        """Return this hierarchy with a last leaf for missing values.

        It is a block of its own at every level but the top one.

        >>> rows = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]
        >>> Hierarchy.from_rows(rows, name="demo").with_missing("?").labels
        (('a', 'b', 'c', '?'), ('x', 'y', '?'), ('*',))
        """
        inner = self.labels[:-1] if self.height else self.labels
        kept = self.levels[: len(inner)]
        taken = [level for level, names in enumerate(inner) if label in names]
        if taken:
            raise HierarchyError(
                f"the label {label!r} for missing values is already a label of level {taken[0]}; "
                "choose one that the hierarchy does not use"
            )
        grown = [np.append(level, len(names)) for level, names in zip(kept, inner, strict=True)]
        top = self.labels[-1] if self.height else (TOP,)
        return Hierarchy(
            domain=MissingDomain(known=self.domain, label=label),
            levels=(*map(sealed_codes, grown), sealed_codes(np.zeros(self.leaf_count + 1))),
            labels=(*((*names, label) for names in inner), top),
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Hierarchy):
            return NotImplemented
        same_names = self.domain == other.domain and self.labels == other.labels
        return same_names and all(map(np.array_equal, self.levels, other.levels))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        blocks = " → ".join(str(len(names)) for names in self.labels)
        return f"<Hierarchy of {type(self.domain).__name__}, blocks {blocks}>"

    def __getstate__(self) -> dict[str, object]:
        # Neither the hash, which differs between processes, nor other derived values travel.
        return {"domain": self.domain, "levels": self.levels, "labels": self.labels}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def _checked(self, level: int) -> int:
        if not 0 <= level <= self.height:
            raise HierarchyError(f"a level is a number from 0 to {self.height}, not {level}")
        return level

    @cached_property
    def _hash(self) -> int:
        return hash((self.domain, self.labels))

    @cached_property
    def _starts(self) -> tuple[Codes, ...]:
        return tuple(
            sealed_codes(np.flatnonzero(np.diff(level, prepend=-1))) for level in self.levels
        )

    @cached_property
    def _sizes(self) -> tuple[Counts, ...]:
        return tuple(sealed_counts(np.bincount(level)) for level in self.levels)

    @cached_property
    def _between(self) -> dict[tuple[int, int], Codes]:
        return {}


def _is_sealed(level: Codes) -> bool:
    return level.dtype == np.int32 and not level.flags.writeable
