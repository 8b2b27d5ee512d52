"""What every builder of hierarchies offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sfumato.errors import HierarchyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


class HierarchyBuilder(Protocol):
    """Makes the hierarchy, or the admissible partitions, of a column.

    It does so from settings and the values that occur.

    A declared domain counts, not only the values that occur; a value outside it is an error.
    """

    def build(self, values: Sequence[str], *, column: str) -> PartitionedDomain:
        """Return the partitions of a column; ``values`` are its distinct texts, none missing."""


def domain_values(
    declared: Sequence[str] | None, values: Sequence[str], *, column: str
) -> Sequence[str]:
    """Return the declared values, or else those that occur, sorted.

    >>> domain_values(None, ["b", "a"], column="letter")
    ['a', 'b']
    """
    chosen = declared if declared is not None else sorted(set(values))
    if not chosen:
        raise HierarchyError(
            f"column {column!r} has no values to build a hierarchy of; declare values=(…)"
        )
    return chosen
