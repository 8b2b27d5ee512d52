"""Mondrian: local recodings by cuts at the median.

LeFevre, DeWitt, Ramakrishnan, *Mondrian multidimensional k-anonymity*, ICDE 2006. Of the columns
with an allowable cut, the one with the widest normalized range is cut at its median, until there
is none. Categories are in the order of their domain. Here whole cells move, where the published
algorithm splits rows that are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from sfumato.errors import SettingsError
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.local.asked_sizes import AskedSizes
from sfumato.search.local.each_size import recode_for_each_size
from sfumato.search.local.loading import load_method_kernels
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.local.solver import LocalSolver
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

CUTS = ("strict", "relaxed")


@dataclass(frozen=True, kw_only=True)
class MondrianSettings(AskedSizes):
    """How cuts treat the cells that have the median, and for which k recodings are made.

    With ``cuts`` strict, all of them go to one side: to the left as published, or to the right if
    only that is allowable. Relaxed, they are spread so that the sides have similar numbers of rows.
    """

    cuts: Annotated[str, "What becomes of rows that have the median: strict or relaxed."] = "strict"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cuts not in CUTS:
            raise SettingsError.unknown_choice("cuts", self.cuts, CUTS)


DEFAULT_SETTINGS = MondrianSettings()


def mondrian(
    problem: Problem,
    *,
    settings: MondrianSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the recodings that Mondrian makes for every k."""
    relaxed = settings.cuts == "relaxed"

    def make(solver: LocalSolver, k: int) -> Counts:
        kernels = load_method_kernels()
        classes: Counts = kernels.mondrian(
            relaxed, solver.arrays, solver.rules(k), kernels.BUILT_ON
        )
        return classes

    return recode_for_each_size(
        problem,
        make,
        method=METHOD.name,
        way=f"by {settings.cuts} cuts at medians",
        asked=settings,
        control=control,
    )


METHOD = SearchMethod(
    name="mondrian",
    summary="local recodings for every k: the widest column is cut at its median",
    search=mondrian,
    settings=MondrianSettings,
    capabilities=SearchCapabilities(spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT),
)
