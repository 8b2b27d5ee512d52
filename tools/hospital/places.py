"""The region of the hospital: its districts, their ZIP codes, and how many people live where.

The region does not exist. Where a code is in use somewhere, that is chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts


@dataclass(frozen=True, kw_only=True)
class District:
    """Towns whose codes share the first three digits; the last two, the largest town first."""

    prefix: str
    population: int
    endings: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The ZIP codes of the towns."""
        return tuple(self.prefix + ending for ending in self.endings.split())


DISTRICTS = (
    District(
        prefix="002",
        population=310_000,
        endings="01 02 03 04 05 07 08 10 11 12 14 15 16 19 20 21 23 24 26 27 30 31 33",
    ),
    District(
        prefix="003",
        population=150_000,
        endings="01 02 04 05 06 11 12 13 17 18 22 25 26 29 40 41 44",
    ),
    District(
        prefix="004",
        population=90_000,
        endings="10 11 12 15 16 30 31 32 35 50 51 55 70",
    ),
    District(
        prefix="517",
        population=200_000,
        endings="01 02 03 05 06 09 10 12 13 18 20 21 22 25 28 41 42",
    ),
    District(
        prefix="518",
        population=70_000,
        endings="20 21 24 26 27 50 51 53 58 80 81",
    ),
    District(prefix="519", population=24_000, endings="00 03 07 30 34 60 66"),
)

HAMLETS = ("00298", "00371", "00379", "00488", "00496", "51774", "51793", "51868", "51992", "51997")
"""Codes of single farms and mountain valleys, from which a handful of patients come."""

HAMLET_POPULATION = 140


def _populations() -> dict[str, int]:
    """Share every district out by Zipf's law: its second town is half as large as its first."""
    found: dict[str, int] = {}
    for district in DISTRICTS:
        harmonic = sum(1 / rank for rank in range(1, len(district.codes) + 1))
        for rank, code in enumerate(district.codes, start=1):
            found[code] = round(district.population / (rank * harmonic))
    found.update(dict.fromkeys(HAMLETS, HAMLET_POPULATION))
    return dict(sorted(found.items()))


POPULATIONS = _populations()
"""How many people live under each ZIP code."""

ZIP_CODES = tuple(POPULATIONS)


def population_weights() -> Counts:
    """Return how many people live under each of `ZIP_CODES`, to draw by."""
    return np.array([POPULATIONS[code] for code in ZIP_CODES], dtype=np.int64)
