"""Distinction and separation: how well columns tell rows apart (Motwani & Xu 2007)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk.identifying.counted_cells import CountedCells


@dataclass(frozen=True, kw_only=True)
class IdentifyingSubset:
    """How identifying a combination of columns is.

    ``distinction`` is the number of distinct combinations / rows, ``separation`` the share of pairs
    of rows that it tells apart, ``unique`` the share of rows that it singles out.
    """

    columns: tuple[str, ...]
    distinct: int
    distinction: float
    separation: float
    unique: float


def identifying_subsets(
    cells: CountedCells, *, largest: int = 3, threads: int | None = None
) -> tuple[IdentifyingSubset, ...]:
    """Return all combinations of up to ``largest`` columns, smaller ones first."""
    rows = cells.rows
    pairs = rows * (rows - 1)
    return tuple(
        IdentifyingSubset(
            columns=tuple(cells.names[place] for place in found.columns),
            distinct=found.distinct,
            distinction=found.distinct / rows,
            separation=(rows * rows - found.squares) / pairs if pairs else 0.0,
            unique=found.unique / rows,
        )
        for found in cells.tallies(largest, threads=threads)
    )


MOST_COUNTS = 200_000_000
"""So many looks at a cell take about a second."""


def most_identifying(
    cells: CountedCells, *, largest: int = 3, most: int = 12
) -> tuple[IdentifyingSubset, ...]:
    """Return the single columns, then the combinations that single out most rows.

    Combinations are of up to ``largest`` columns, of fewer where that would take long.
    """
    columns, count = len(cells.names), cells.sizes.shape[0]
    size = min(largest, columns)
    while size > 1 and sum(math.comb(columns, s) for s in range(1, size + 1)) * count > MOST_COUNTS:
        size -= 1
    return ranked(identifying_subsets(cells, largest=size), most=most)


def ranked(
    subsets: Sequence[IdentifyingSubset], *, most: int = 12
) -> tuple[IdentifyingSubset, ...]:
    """Return the single columns and so many combinations, those that single out most rows first."""

    def rank(each: IdentifyingSubset) -> tuple[float, float, int, tuple[str, ...]]:
        return -each.unique, -each.separation, len(each.columns), each.columns

    single = sorted((each for each in subsets if len(each.columns) == 1), key=rank)
    several = sorted((each for each in subsets if len(each.columns) > 1), key=rank)
    return (*single, *several[:most])
