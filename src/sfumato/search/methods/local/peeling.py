"""Peeling: local recodings that take classes from the nodes of the lattice, one after another.

The nodes are visited by rising mean loss. Every class of a node that meets the criteria is taken,
and the search goes on with the cells that are left. This is the iterative local recoding of ARX
(Prasser, Eicher, Spengler, Bild, Kuhn, *Flexible data anonymization using ARX*, Softw. Pract.
Exper. 50, 2020), over all nodes instead of one optimum after another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.local.asked_sizes import AskedSizes
from sfumato.search.local.each_size import recode_for_each_size
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.local.solver import LocalSolver
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


@dataclass(frozen=True, kw_only=True)
class PeelingSettings(AskedSizes):
    """For which k recodings are made."""


DEFAULT_SETTINGS = PeelingSettings()


def peeling(
    problem: Problem,
    *,
    settings: PeelingSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the recodings that peeling makes for every k."""
    return recode_for_each_size(
        problem,
        _peeled,
        method=METHOD.name,
        way="by peeling over the lattice",
        asked=settings,
        control=control,
    )


def _peeled(solver: LocalSolver, k: int) -> Counts:
    every = np.iinfo(np.int64).max
    classes: Counts = solver.kernels.peel(*solver.order, solver.arrays, solver.rules(k), every)[0]
    return classes


METHOD = SearchMethod(
    name="peeling",
    summary="local recodings for every k: classes are taken from the lattice by rising loss",
    search=peeling,
    settings=PeelingSettings,
    capabilities=SearchCapabilities(spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT),
)
