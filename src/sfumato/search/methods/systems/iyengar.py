"""Iyengar's genetic algorithm.

Iyengar, *Transforming data to satisfy privacy constraints*, KDD 2002: GENITOR with a crossover
that knows nothing of the trees and repairs what it makes, and a population of 5,000. It is the
operator TRAD of the Crossover paper, so that it is run by `genitor` (Crossover §3.1, §5).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.methods.genitor.genitor import genitor
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.setting_checks import check_whole
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


@dataclass(frozen=True, kw_only=True)
class IyengarSettings:
    """The population, and how many strings are compared in all.

    >>> IyengarSettings().population
    5000
    """

    population: Annotated[int, "How many strings live at once."] = 5_000
    evaluations: Annotated[int, "How many strings are evaluated, those of the start included."] = (
        500_000
    )

    def __post_init__(self) -> None:
        check_whole("population", self.population, least=2)
        check_whole("evaluations", self.evaluations, least=self.population)


DEFAULT_SETTINGS = IyengarSettings()


def iyengar(
    problem: Problem,
    *,
    settings: IyengarSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of all that the genetic algorithm evaluated; it minimizes the loss at k."""
    found = genitor(
        problem,
        settings=GenitorSettings(
            operator="trad", population=settings.population, evaluations=settings.evaluations
        ),
        control=control,
    )
    reason = found.reason.replace("GENITOR", "Iyengar's genetic algorithm")
    return dataclasses.replace(found, method=METHOD.name, reason=reason)


METHOD = SearchMethod(
    name="iyengar",
    summary="Iyengar's genetic algorithm for the partition with the least loss at a given k",
    search=iyengar,
    settings=IyengarSettings,
    capabilities=SearchCapabilities(
        spaces=(Space.PARTITIONS,), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
