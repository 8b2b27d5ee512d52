"""The population that the people of a source were drawn from, as far as a publisher knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, shown
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.sources.source import ColumnarTable, Source


@dataclass(frozen=True, kw_only=True, eq=False)
class Population:
    """A table of the population, or its size, or the share of it in the source, or weights.

    Every row of the ``table`` is a person, with the quasi-identifiers of the study. With
    ``includes_sample`` the people of the source are among them; otherwise they are counted in
    addition. ``size`` is the number of people, ``fraction`` the share of them in the source, and
    ``weights`` the column of the source with sampling weights: how many people each row stands
    for. At most one of the four is given.

    >>> Population(fraction=0.05).fraction
    0.05
    """

    table: Source | ColumnarTable | str | Path | None = None
    includes_sample: bool = True
    size: int | None = None
    fraction: float | None = None
    weights: str | None = None

    def __post_init__(self) -> None:
        given = [
            key
            for key in ("table", "size", "fraction", "weights")
            if getattr(self, key) is not None
        ]
        if len(given) != 1:
            raise SettingsError(
                "a population is given by one of its table, its size, the sampling fraction or a "
                f"column of weights, and {'none' if not given else ' and '.join(given)} "
                f"{'is' if len(given) < 2 else 'are'} given",
                code="conflicting-settings" if given else "missing-setting",
                key="population",
                found=", ".join(given),
                expected=("path", "size", "fraction", "weights"),
            )
        if self.table is not None:
            object.__setattr__(self, "table", source_of(self.table))
        elif not self.includes_sample:
            raise SettingsError(
                "it is about a table of the population, and none is given",
                code="conflicting-settings",
                key="includes-sample",
                remedy="leave it out, or name the table by path",
            )
        if self.size is not None and (not isinstance(self.size, int) or self.size < 1):
            raise SettingsError(
                code="out-of-range",
                key="size",
                found=shown(self.size),
                expected="the number of people of the population, a whole number from 1 up",
            )
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise SettingsError(
                code="out-of-range",
                key="fraction",
                found=shown(self.fraction),
                expected="the share of the population in the source, above 0 and up to 1",
            )

    def fraction_of(self, units: int) -> float:
        """Return the sampling fraction of a source of so many people.

        >>> Population(size=1000).fraction_of(50)
        0.05
        """
        if self.fraction is not None:
            return self.fraction
        if self.size is None:
            raise SettingsError(
                "the size of the population is not known",
                code="missing-setting",
                key="population",
                expected=("size", "fraction"),
            )
        if self.size < units:
            raise SettingsError(
                f"the population has {self.size:,} people and the source {units:,}",
                code="population-too-small",
                key="size",
                found=str(self.size),
                expected=f"at least {units}",
            )
        return units / self.size
