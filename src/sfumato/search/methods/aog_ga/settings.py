"""The settings of the genetic algorithm on AOG codes (Granulation §4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from sfumato.errors import SettingsError, shown

Points = Literal["one", "two", "either"]


@dataclass(frozen=True, kw_only=True)
class AogGaSettings:
    """The settings of the genetic algorithm; the paper names none of the numbers.

    ``fitness`` is the objective that is raised. ``crossover`` is the probability that a pair is
    crossed, at ``points``: one, two, or either with equal chances. ``mutation`` is that of a bit to
    be turned.

    >>> AogGaSettings(fitness="k").population
    40
    """

    fitness: Annotated[str, "The objective that is raised."] = "sf-ql"
    population: Annotated[int, "Recodings in a generation."] = 40
    generations: Annotated[int, "Generations, with the first."] = 60
    crossover: Annotated[float, "Probability that a pair is crossed."] = 0.8
    mutation: Annotated[float, "Probability that a bit is turned."] = 0.03
    points: Annotated[Points, "At how many points a pair is crossed."] = "either"

    def __post_init__(self) -> None:
        if not isinstance(self.fitness, str):
            raise SettingsError(f"fitness is {shown(self.fitness)}; name an objective: 'sf-ql'")
        for name, least in (("population", 2), ("generations", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise SettingsError(f"{name} is {shown(value)}; use a whole number from {least} up")
        for name in ("crossover", "mutation"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not (number and 0 <= value <= 1):
                raise SettingsError(f"{name} is {shown(value)}; use a probability from 0 to 1")
        if self.points not in get_args(Points):
            raise SettingsError(
                f"points is {shown(self.points)}; choose one of {', '.join(get_args(Points))}"
            )


DEFAULT_SETTINGS = AogGaSettings()
