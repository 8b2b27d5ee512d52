"""The Numba kernels: the only compiled code of the package.

All of them release the GIL and have one signature (two where a value may be whole or real). Each
is compiled when it is first called, and then loaded from the disk cache (`lazily`).
"""

from sfumato.classes.kernels.grouping import group_tables, sweep_sublattice
from sfumato.classes.kernels.people import people_by_code, people_with
from sfumato.classes.kernels.thresholds import (
    every_threshold,
    extents_below,
    extremes_kept,
    largest_thresholds,
    leaving,
    sums_by_candidate,
)

__all__ = [
    "every_threshold",
    "extents_below",
    "extremes_kept",
    "group_tables",
    "largest_thresholds",
    "leaving",
    "people_by_code",
    "people_with",
    "sums_by_candidate",
    "sweep_sublattice",
]
