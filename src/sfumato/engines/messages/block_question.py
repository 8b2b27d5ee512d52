"""What an engine is asked to recompute of a microaggregated release, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engines.messages.statistic import Statistic


class ValuePlace(NamedTuple):
    """The block of a value, and its rank among the values of the column; None if missing."""

    block: int
    rank: int | None


@dataclass(frozen=True, kw_only=True, eq=False)
class PlacedColumn:
    """A quasi-identifier whose values are ranked; ``numbers`` has the number of every rank."""

    name: str
    statistic: Statistic
    places: Mapping[str | None, ValuePlace]
    numbers: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockQuestion:
    """The statistic of every block over the rows whose class has at least ``threshold`` rows.

    Rows with a missing value in a column of ``complete``, null or one of ``markers``, are left
    out before anything is counted.
    """

    columns: tuple[PlacedColumn, ...]
    threshold: int
    complete: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()


class FoundStatistic(NamedTuple):
    """The kept rows of a block, and its statistic as a number; None if all are missing."""

    rows: int
    number: float | None
