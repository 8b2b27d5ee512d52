"""A hierarchy: a tree over an ordered domain, given as levels that only ever merge blocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.errors import HierarchyError
from sfumato.hierarchies.domains.domain import CategoryDomain
from sfumato.hierarchies.hierarchy_check import check_hierarchy
from sfumato.hierarchies.hierarchy_rows import arrange_rows
from sfumato.hierarchies.partitioned_domain import TOP, PartitionedDomain
from sfumato.hierarchies.refinement_order import RefinementOrder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags

__all__ = ["TOP", "Hierarchy"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Hierarchy(PartitionedDomain):
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
    >>> marital.block_sizes(1), marital.between(0, 1)
    (array([2, 1]), array([0, 0, 1], dtype=int32))
    """

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Sequence[str]],
        *,
        name: str | None = None,
        line_numbers: Sequence[int] | None = None,
    ) -> Self:
        """Make a hierarchy of rows (value, level 1, …, top), as ARX files have them.

        Errors name the file that the rows are from, and the line.
        Leaves that are all numbers or all ISO dates come in natural order if that keeps every
        block together; others in preorder of the tree, children in order of first appearance.

        >>> Hierarchy.from_rows([("10", "*"), ("9", "*")], name="age").domain.leaves
        ('9', '10')
        """
        arranged = arrange_rows(rows, name=name, line_numbers=line_numbers)
        domain = CategoryDomain(values=arranged.labels[0], ordered=arranged.ordered)
        return cls(domain=domain, levels=arranged.levels, labels=arranged.labels)

    @cached_property
    def order(self) -> RefinementOrder:
        """The chain of the levels; levels with as many blocks are equal."""
        blocks = np.array([len(names) for names in self.labels])
        refines: Flags = blocks[:, None] >= blocks[None, :]
        refines.flags.writeable = False
        return RefinementOrder(refines=refines)

    def with_missing(self, label: str) -> Self:
        """Return this hierarchy with a last leaf for missing values.

        It is a block of its own at every level but the top one, which is ``*``.

        >>> rows = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]
        >>> Hierarchy.from_rows(rows, name="demo").with_missing("?").labels
        (('a', 'b', 'c', '?'), ('x', 'y', '?'), ('*',))
        >>> Hierarchy.from_rows([("a", "x"), ("b", "x")], name="demo").with_missing("?").labels
        (('a', 'b', '?'), ('x', '?'), ('*',))
        """
        domain, levels, labels = self._grown(label)
        return type(self)(domain=domain, levels=levels, labels=tuple(labels))

    def _check(self) -> None:
        check_hierarchy(leaves=self.domain.leaves, levels=self.levels, labels=self.labels)

    def _no_refinement(self, fine: int, coarse: int) -> HierarchyError:
        return HierarchyError(
            f"blocks of level {fine} have no single block at the finer level {coarse}",
            code="no-refinement",
            found=f"between({fine}, {coarse})",
            suggestion=f"between({coarse}, {fine})",
        )


def tree_of(partitions: PartitionedDomain, *, column: str) -> Hierarchy:
    """Return partitions as a hierarchy, or refuse those that are not a tree of neighbours."""
    if isinstance(partitions, Hierarchy):
        return partitions
    raise HierarchyError(
        f"column {column!r} has admissible partitions, which are not a tree over neighbouring "
        "values",
        code="not-a-hierarchy",
        column=column,
        remedy="only the space 'admissible' has recodings by them; give the column a hierarchy for "
        "others",
    )
