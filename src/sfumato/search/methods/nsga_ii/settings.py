"""The settings of NSGA-II (MOEA §1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from sfumato.search.setting_checks import check_choice, check_probability, check_whole

Start = Literal["ends", "random", "lattice"]


@dataclass(frozen=True, kw_only=True)
class NsgaIISettings:
    """The settings of NSGA-II; those of the chapter (§1.5) unless given.

    ``crossover`` is the probability that a pair is crossed, ``mutation`` that of a bit of an
    unconstrained column to be flipped, ``random_crossover`` that of a child to be crossed with a
    random individual (Crossover §3.2), which the chapter does not do. ``start`` says what the
    first population has beside random strings: its two ``ends`` (everything joined, everything
    cut apart), nothing (``random``), or the ends and the exact front of the ``lattice``.

    >>> NsgaIISettings().population, NsgaIISettings().generations
    (200, 250)
    """

    population: Annotated[int, "Strings in a population."] = 200
    generations: Annotated[int, "Generations, with the first."] = 250
    crossover: Annotated[float, "Probability that two strings are crossed."] = 0.9
    mutation: Annotated[float, "Probability that a bit of an unconstrained column is turned."] = 0.1
    random_crossover: Annotated[
        float, "Probability that a child is crossed with a random string."
    ] = 0.0
    start: Annotated[Start, "What the first population has beside random strings."] = "ends"

    def __post_init__(self) -> None:
        for name, least in (("population", 2), ("generations", 1)):
            check_whole(name, getattr(self, name), least=least)
        for name in ("crossover", "mutation", "random_crossover"):
            check_probability(name, getattr(self, name))
        check_choice("start", self.start, get_args(Start))


DEFAULT_SETTINGS = NsgaIISettings()
