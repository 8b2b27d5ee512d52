"""The settings of the genetic algorithm on AOG codes (Granulation §4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from sfumato.errors import SettingsError, shown
from sfumato.search.setting_checks import check_choice, check_probability, check_whole

Points = Literal["one", "two", "either"]


@dataclass(frozen=True, kw_only=True)
class AogGaSettings:
    """The settings of the genetic algorithm; the paper gives no numbers.

    ``fitness`` is the objective that is maximized. ``crossover`` is the probability that a pair is
    crossed, at ``points``: one, two, or either with equal chances. ``mutation`` is that of a bit to
    be flipped.

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
            raise SettingsError(
                code="wrong-type",
                key="fitness",
                found=shown(self.fitness),
                expected="the name of an objective, like 'sf-ql'",
            )
        for name, least in (("population", 2), ("generations", 1)):
            check_whole(name, getattr(self, name), least=least)
        for name in ("crossover", "mutation"):
            check_probability(name, getattr(self, name))
        check_choice("points", self.points, get_args(Points))


DEFAULT_SETTINGS = AogGaSettings()
