"""The Numba kernels: the only compiled code of the package.

All of them release the GIL and have one signature (two where a value may be whole or real), so
that they are compiled once, together, and then loaded from the disk cache (`compilation`).
"""

from sfumato.classes.kernels.grouping import group_tables, sweep_sublattice
from sfumato.classes.kernels.people import people_by_code, people_with
from sfumato.classes.kernels.thresholds import (
    extents_below,
    extremes_kept,
    largest_thresholds,
    sums_below,
)

__all__ = [
    "extents_below",
    "extremes_kept",
    "group_tables",
    "largest_thresholds",
    "people_by_code",
    "people_with",
    "sums_below",
    "sweep_sublattice",
]
