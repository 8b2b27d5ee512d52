"""What the labels of a column are in a local recoding."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain

FLAT = 1
"""The height of a hierarchy that has values and everything, and nothing between."""


class Output(enum.StrEnum):
    """What the labels of a column are in a local recoding."""

    HIERARCHY = "hierarchy"
    """The lowest node of the hierarchy that covers the values of a class."""
    INTERVAL = "interval"
    """From the least to the greatest value of a class, for ordered columns."""
    SET = "set"
    """The values of a class. Such a label tells that each of them occurs in the class."""


def default_output(hierarchy: PartitionedDomain) -> Output:
    """Return intervals for what is ordered, else nodes of a hierarchy, else sets."""
    if hierarchy.domain.ordered:
        return Output.INTERVAL
    return Output.SET if hierarchy.height <= FLAT else Output.HIERARCHY
