"""The ground distance of the values of a sensitive column (Li et al., 2007, §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import SettingsError
from sfumato.errors.listing import listed

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, kw_only=True)
class EqualDistance:
    """Any two different values are at distance 1."""


@dataclass(frozen=True, kw_only=True)
class OrderedDistance:
    """Values i and j of an ordered domain of m are at distance |i - j| / (m - 1).

    ``order`` declares the domain, lowest first; without it the values that occur are taken in
    their numerical order, and all of them must be numbers.

    >>> OrderedDistance(order=("low", "middle", "high")).order
    ('low', 'middle', 'high')
    """

    order: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.order is None:
            return
        if isinstance(self.order, str):
            raise SettingsError.wrong_setting(
                "order", self.order, "a list of the values, lowest first", code="not-a-list"
            )
        object.__setattr__(self, "order", tuple(self.order))
        twice = sorted({value for value in self.order if self.order.count(value) > 1})
        if twice:
            raise SettingsError(
                f"the order has {listed(twice)} more than once",
                code="duplicate",
                key="order",
                found=listed(twice),
                remedy="list every value once",
            )
        if not self.order:
            raise SettingsError(
                code="no-values",
                key="order",
                found="empty",
                expected="a list of the values, lowest first",
            )


@dataclass(frozen=True, kw_only=True)
class HierarchicalDistance:
    """Two values are at distance (level of their lowest common block) / (height of the tree)."""

    hierarchy: Hierarchy


GroundDistance: TypeAlias = EqualDistance | OrderedDistance | HierarchicalDistance
