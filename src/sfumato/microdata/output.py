"""What the labels of a column are in a local recoding."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from sfumato.hierarchies.domains.domain import CategoryDomain, MissingDomain

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
    """Return intervals for numbers and dates, nodes for categories with a hierarchy, else sets.

    Codes made of digits are categories: their hierarchy says which of them are near.
    """
    domain = hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if isinstance(known, CategoryDomain) and hierarchy.height > FLAT:
        return Output.HIERARCHY
    return Output.INTERVAL if domain.ordered else Output.SET
