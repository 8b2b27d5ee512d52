"""The settings of PBG-EA (PBG §7)."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - readers of study files resolve the types
from dataclasses import dataclass
from typing import Annotated

from sfumato.search.setting_checks import check_probability, check_whole, checked_widths


@dataclass(frozen=True, kw_only=True)
class PbgEaSettings:
    """The settings of PBG-EA; those of the paper (§7) unless given.

    ``iterations`` is the number of populations with the first. ``mutation`` is the probability of
    a step for each level, 1 / number of quasi-identifiers if None. ``epsilon`` is the width of a
    box for objectives by name; see `sfumato.search.bounds.discretization` for those it leaves out.

    >>> PbgEaSettings(epsilon={"k": 5, "loss": 100}).population
    25
    """

    population: Annotated[int, "Nodes in a population."] = 25
    iterations: Annotated[int, "Populations, with the first."] = 100
    crossover: Annotated[float, "Probability that two nodes are crossed."] = 0.8
    mutation: Annotated[float | None, "Probability that a level changes."] = None
    epsilon: Annotated[Mapping[str, float] | None, "The width of a box by objective."] = None

    def __post_init__(self) -> None:
        for name, least in (("population", 2), ("iterations", 1)):
            check_whole(name, getattr(self, name), least=least)
        check_probability("crossover", self.crossover)
        if self.mutation is not None:
            check_probability("mutation", self.mutation)
        object.__setattr__(self, "epsilon", checked_widths(self.epsilon))


DEFAULT_SETTINGS = PbgEaSettings()
