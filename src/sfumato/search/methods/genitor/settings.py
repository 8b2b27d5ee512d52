"""The settings of GENITOR (Crossover §3-4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from sfumato.errors import SettingsError, shown

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
    individual (0.1 if None), with ``trad`` that of every bit to be turned (1 / bits if None).

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
        if self.operator not in get_args(Operator):
            raise SettingsError(f"operator is {shown(self.operator)}; choose 'new' or 'trad'")
        for name, least in (("population", 2), ("evaluations", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise SettingsError(f"{name} is {shown(value)}; use a whole number from {least} up")
        if self.evaluations < self.population:
            raise SettingsError(
                f"{self.evaluations} evaluations are fewer than the population of "
                f"{self.population}; allow more, or set a smaller population"
            )
        if not _is_number(self.bias) or not 1 < self.bias <= 2:
            raise SettingsError(
                f"bias is {shown(self.bias)}; use a number above 1, which is no bias, up to 2"
            )
        if self.mutation is not None and not (
            _is_number(self.mutation) and 0 <= self.mutation <= 1
        ):
            raise SettingsError(
                f"mutation is {shown(self.mutation)}; use a probability from 0 to 1"
            )
        if not isinstance(self.duplicates, bool):
            raise SettingsError(f"duplicates is {shown(self.duplicates)}; say true or false")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


DEFAULT_SETTINGS = GenitorSettings()
