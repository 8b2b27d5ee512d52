"""Bottom-up: utility-based local recoding.

Xu, Wang, Pei, Wang, Shi, Fu, *Utility-based anonymization using local recoding*, KDD 2006, pages
785 to 790. Every cell is a group at first. In a round, every group below k is merged with the group
for which the weighted certainty penalty of the union is least, which is the loss of its rows with
the weights of the columns; then groups of 2k rows or more are split. Rounds go on until no group is
below k.

The paper leaves open how a group is split; here it is split where that loses least, as in the
method ``top-down``. A group that fails another criterion is treated as one below k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.local.asked_sizes import AskedSizes
from sfumato.search.local.each_size import recode_for_each_size
from sfumato.search.local.loading import load_method_kernels
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.local.cell_arrays import CellArrays
    from sfumato.search.local.solver import LocalSolver
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


@dataclass(frozen=True, kw_only=True)
class BottomUpSettings(AskedSizes):
    """For which k recodings are made."""


BUCKETS = 4
"""How many buckets there are at most, in shares of the square root of the number of cells."""
DEFAULT_SETTINGS = BottomUpSettings()


def bottom_up(
    problem: Problem,
    *,
    settings: BottomUpSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the recodings that merging makes for every k."""
    return recode_for_each_size(
        problem,
        _merged,
        method=METHOD.name,
        way="by merging groups below it",
        asked=settings,
        control=control,
    )


def _merged(solver: LocalSolver, k: int) -> Counts:
    kernels = load_method_kernels()
    classes: Counts = kernels.bottom_up(
        solver.arrays, first_columns(solver.arrays), solver.rules(k), kernels.BUILT_ON
    )
    return classes


def first_columns(arrays: CellArrays) -> CellArrays:
    """Return cells with the columns alone by which groups are put into buckets.

    There is one column at least, and more while there are few combinations of their values: each
    of them is looked at for every group that is merged.
    """
    most = BUCKETS * math.isqrt(arrays.codes.shape[0])
    count = 1
    while count < arrays.columns.shape[0]:
        values = np.unique(arrays.codes[:, : count + 1], axis=0)
        if values.shape[0] > most:
            break
        count += 1
    return arrays._replace(columns=arrays.columns[:count])


METHOD = SearchMethod(
    name="bottom-up",
    summary="local recodings for every k: small groups are merged where that loses least",
    search=bottom_up,
    settings=BottomUpSettings,
    capabilities=SearchCapabilities(spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT),
)
