"""The settings of GENITOR (Crossover §3-4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from sfumato.arrays import plain_numbers
from sfumato.errors import SettingsError
from sfumato.search.setting_checks import (
    check_choice,
    check_probability,
    check_whole,
    is_number,
)

Operator = Literal["new", "trad"]

DEFAULT_MUTATION = 0.1


@dataclass(frozen=True, kw_only=True)
class GenitorSettings:
    """The settings of GENITOR; those of the paper (§4) where it states them.

    ``operator`` is ``new``, the validity-preserving crossover, or ``trad``, the two-point reduced
    surrogate with repair. ``evaluations`` is how many strings are compared in all, those of the
    first population among them. The paper states neither the ``bias`` of the selection, which is
    how much likelier the best is to be a parent than the one in the middle, nor how often it
    mutates. ``mutation`` is, with ``new``, the probability that a child is crossed with a random
    individual (0.1 if None), with ``trad`` that of every bit to be flipped (1 / bits if None).

    >>> GenitorSettings().operator, GenitorSettings().evaluations
    ('new', 30000)
    """

    operator: Annotated[Operator, "The crossover: new keeps strings valid, trad repairs them."] = (
        "new"
    )
    population: Annotated[int, "Strings in the population."] = 200
    evaluations: Annotated[int, "Strings that are compared in all."] = 30_000
    bias: Annotated[
        float, "How much likelier the best is to be a parent than the one in the middle."
    ] = 1.5
    mutation: Annotated[
        float | None,
        "With new, the probability that a child is crossed with a random string; with trad, that "
        "a bit is turned.",
    ] = None
    duplicates: Annotated[bool, "Whether a string may live more than once."] = False

    def __post_init__(self) -> None:
        plain_numbers(self)
        check_choice("operator", self.operator, get_args(Operator))
        for name, least in (("population", 2), ("evaluations", 1)):
            check_whole(name, getattr(self, name), least=least)
        if self.evaluations < self.population:
            raise SettingsError(
                f"{self.evaluations} evaluations are fewer than the population of "
                f"{self.population}",
                code="conflicting-settings",
                key="evaluations",
                found=str(self.evaluations),
                expected=f"at least {self.population}",
                remedy="allow more evaluations, or set a smaller population",
            )
        if not is_number(self.bias) or not 1 < self.bias <= 2:
            raise SettingsError.wrong_setting(
                "bias", self.bias, "a number above 1 (no bias) and at most 2", code="out-of-range"
            )
        if self.mutation is not None:
            check_probability("mutation", self.mutation)
        if not isinstance(self.duplicates, bool):
            raise SettingsError.wrong_setting(
                "duplicates", self.duplicates, "true or false", code="wrong-type"
            )


DEFAULT_SETTINGS = GenitorSettings()
