"""Distinction and separation: how well columns tell rows apart (Motwani & Xu 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
