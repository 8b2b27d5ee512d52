"""Top-down: local recodings by splitting the table where that loses least.

A split puts a range of neighbouring values of one column against all others: a threshold, one
value, or a node of the hierarchy. Of all splits whose two sides meet the criteria, the one after
which the rows lose least is made, as long as there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.local.asked_sizes import AskedSizes
from sfumato.search.local.each_size import recode_for_each_size
from sfumato.search.local.solver import LocalSolver
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


@dataclass(frozen=True, kw_only=True)
class TopDownSettings(AskedSizes):
    """For which k recodings are made."""


DEFAULT_SETTINGS = TopDownSettings()


def top_down(
    problem: Problem,
    *,
    settings: TopDownSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the recodings that splitting makes for every k."""
    return recode_for_each_size(
        problem,
        LocalSolver.top_down,
        method=METHOD.name,
        way="by the splits that lose least",
        asked=settings,
        control=control,
    )


METHOD = SearchMethod(
    name="top-down",
    summary="local recodings for every k: the table is split where that loses least",
    search=top_down,
    settings=TopDownSettings,
    capabilities=SearchCapabilities(spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT),
)
