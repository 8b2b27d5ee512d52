"""The settings of PBG-EA (PBG §7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from sfumato.errors import SettingsError, shown
from sfumato.front.box_dominance import checked_epsilon


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
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise SettingsError(f"{name} is {shown(value)}; use a whole number from {least} up")
        for name in ("crossover", "mutation"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not (name == "mutation" and value is None) and not (number and 0 <= value <= 1):
                raise SettingsError(f"{name} is {shown(value)}; use a probability from 0 to 1")
        if self.epsilon is not None:
            if not isinstance(self.epsilon, Mapping):
                raise SettingsError(
                    f"epsilon is {shown(self.epsilon)}; give widths by objective: {{'k': 5}}"
                )
            object.__setattr__(self, "epsilon", dict(self.epsilon))
            checked_epsilon(tuple(self.epsilon.values()), objectives=len(self.epsilon))


DEFAULT_SETTINGS = PbgEaSettings()
