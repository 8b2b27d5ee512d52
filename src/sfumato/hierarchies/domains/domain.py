"""A domain: the ordered leaves of a column, and how a raw value finds its leaf.

The declared domain counts, not only the values that occur: Adult's age has 74 leaves (17 to 90),
of which 72 occur in the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import HierarchyError
from sfumato.hierarchies.domains.category_domain import CategoryDomain
from sfumato.hierarchies.domains.date_domain import DateDomain
from sfumato.hierarchies.domains.number_domain import NumberDomain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes

__all__ = ["CategoryDomain", "DateDomain", "Domain", "MissingDomain", "NumberDomain"]


class Domain(Protocol):
    """What every domain offers. Each leaf is found by its own label."""

    @property
    def leaves(self) -> tuple[str, ...]:
        """The labels of the leaves, in order."""

    @property
    def ordered(self) -> bool:
        """Whether the order is that of numbers or dates, so that distances make sense."""

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every value, -1 where it lies outside."""


@dataclass(frozen=True, kw_only=True)
class MissingDomain:
    """Another domain and, after its leaves, one for the missing values.

    The leaf is found by its label; a reader that meets a missing value takes the last leaf.

    >>> domain = MissingDomain(known=NumberDomain(low=0, count=3), label="unknown")
    >>> domain.leaves
    ('0', '1', '2', 'unknown')
    >>> domain.locate(["2", "unknown", "3"])
    array([ 2,  3, -1], dtype=int32)
    """

    known: Domain
    label: str

    def __post_init__(self) -> None:
        if isinstance(self.known, MissingDomain):
            raise HierarchyError(
                f"the domain already has the leaf {self.known.label!r} for missing values",
                code="duplicate",
                key="label",
                found=repr(self.label),
            )
        if self.known.locate([self.label])[0] >= 0:
            raise HierarchyError(
                f"the label {self.label!r} for missing values is already a value of the domain",
                code="taken-label",
                key="label",
                found=repr(self.label),
                remedy="choose a label that no value has",
            )

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The labels of the leaves, the one for missing values last."""
        return (*self.known.leaves, self.label)

    @property
    def ordered(self) -> bool:
        """Whether the known leaves are ordered; the last leaf has no distance to any."""
        return self.known.ordered

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every value, -1 where it lies outside."""
        missing = np.fromiter((value == self.label for value in values), np.bool_, len(values))
        codes = self.known.locate(values)
        codes[missing] = len(self.known.leaves)
        return codes
