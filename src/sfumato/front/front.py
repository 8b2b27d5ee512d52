"""The front: evaluated recodings, none of which beats another."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.recoding.recoding import Recoding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas
    import polars

    from sfumato.measures.measure import Direction


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A recoding of a front: its levels, where suppression starts, and its objective values.

    A solution of a search in the space of partitions has no levels but ``cuts``: for every
    quasi-identifier the leaves at which a new block begins.
    """

    id: int
    levels: Mapping[str, int]
    values: Mapping[str, float]
    suppressed: int
    threshold: int
    cuts: Mapping[str, tuple[int, ...]] | None = None

    @property
    def recoding(self) -> Recoding:
        """The recoding, of either kind."""
        if self.cuts is not None:
            return Recoding.of_cuts(self.cuts)
        return Recoding.of_levels(self.levels)


@dataclass(frozen=True, kw_only=True)
class Front:
    """Mutually non-dominated solutions, ties included, each once.

    Solutions are ordered by their objective values (first objective first, lowest first), then
    by their levels, and numbered in that order: the same search gives the same ids.
    """

    objectives: Mapping[str, Direction]
    solutions: tuple[Solution, ...]

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __getitem__(self, id: int | float) -> Solution:  # noqa: A002
        if isinstance(id, float) and id.is_integer():
            id = int(id)  # noqa: A001 - a row of a pandas table turns its id into a float
        whole = isinstance(id, Integral) and not isinstance(id, bool)
        if not whole or not 0 <= id < len(self.solutions):
            known = f"its solutions are 0 to {len(self) - 1}" if self.solutions else "it is empty"
            raise SettingsError(f"the front has no solution {id!r}; {known}")
        return self.solutions[int(id)]

    def columns(self) -> dict[str, list[int] | list[float]]:
        """Return the front as columns: id, objective values, suppressed rows, threshold, levels.

        Where recodings have cuts and no levels, the number of blocks of every quasi-identifier.
        """
        columns: dict[str, list[int] | list[float]] = {"id": [s.id for s in self.solutions]}
        for name in self.objectives:
            columns[name] = [s.values[name] for s in self.solutions]
        columns["suppressed"] = [s.suppressed for s in self.solutions]
        columns["threshold"] = [s.threshold for s in self.solutions]
        for name in self.solutions[0].levels if self.solutions else ():
            columns[f"level:{name}"] = [s.levels[name] for s in self.solutions]
        for name in (self.solutions[0].cuts or ()) if self.solutions else ():
            columns[f"blocks:{name}"] = [len((s.cuts or {})[name]) + 1 for s in self.solutions]
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """Return the front as a pandas table, a row for each solution."""
        try:
            import pandas
        except ImportError:
            raise _not_installed("pandas") from None
        return pandas.DataFrame(self.columns())

    def to_polars(self) -> polars.DataFrame:
        """Return the front as a polars table, a row for each solution."""
        try:
            import polars
        except ImportError:
            raise _not_installed("polars") from None
        return polars.DataFrame(self.columns())


def _not_installed(package: str) -> SettingsError:
    return SettingsError(
        f"{package} is not installed; install it with pip install 'sfumato[{package}]', or take "
        "the plain lists of front.columns()"
    )
