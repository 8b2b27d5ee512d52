"""Who gains and who loses, and by how much: in all, and by the values of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.compare.curves.column_values import column_values, table_of
from sfumato.compare.vectors.common_refinement import CommonRefinement, gains_of
from sfumato.compare.vectors.exact_sum import exact_sum

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class Gainers:
    """How many rows of a group are better or worse off in the first of two anonymizations.

    ``gained`` and ``lost`` are sums of how much, in the unit of the property. ``value`` is what
    the group has in common, empty for all rows together.
    """

    value: str
    rows: int
    better_off: int
    worse_off: int
    gained: float
    lost: float

    @property
    def unchanged(self) -> int:
        """The rows whose value is the same in both."""
        return self.rows - self.better_off - self.worse_off


def gainers(first: PropertyVector, second: PropertyVector) -> Gainers:
    """Return who gains and who loses if the first replaces the second.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> a = PropertyVector.of_rows([4, 6, 4, 3], name="class-size")
    >>> b = PropertyVector.of_rows([3, 7, 7, 3], name="class-size")
    >>> found = gainers(a, b)
    >>> found.better_off, found.worse_off, found.gained, found.lost
    (1, 2, 1, 4)
    """
    pair = CommonRefinement.of(first, second)
    return _of_group(pair.gains, pair.counts, "")


def gainers_by_value(
    first: PropertyVector, second: PropertyVector, column: str
) -> tuple[Gainers, ...]:
    """Return the same for every value of a column that occurs, to see on whom a loss falls.

    The column is a quasi-identifier, with its original values, or a sensitive column or label.
    """
    CommonRefinement.of(first, second)
    labels, codes = column_values(table_of(first, column), column)
    gains = gains_of(first.by_individual, second.by_individual, first.direction)
    rows = first.individuals.counts
    return tuple(
        _of_group(gains[codes == code], rows[codes == code], labels[code])
        for code in np.unique(codes)
    )


def _of_group(gains: Counts | Floats, counts: Counts, value: str) -> Gainers:
    up, down = gains > 0, gains < 0
    return Gainers(
        value=value,
        rows=int(counts.sum()),
        better_off=int(counts[up].sum()),
        worse_off=int(counts[down].sum()),
        gained=exact_sum((gains[up], counts[up])),
        lost=exact_sum((-gains[down], counts[down])),
    )
