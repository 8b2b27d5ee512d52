"""The front: evaluated recodings, none of which beats another."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas
    import polars

    from sfumato.measures.measure import Direction


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A recoding of a front: its levels, where suppression starts, and its objective values."""

    id: int
    levels: Mapping[str, int]
    values: Mapping[str, float]
    suppressed: int
    threshold: int


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

    def __getitem__(self, id: int) -> Solution:  # noqa: A002
        whole = isinstance(id, Integral) and not isinstance(id, bool)
        if not whole or not 0 <= id < len(self.solutions):
            known = f"its solutions are 0 to {len(self) - 1}" if self.solutions else "it is empty"
            raise SettingsError(f"the front has no solution {id!r}; {known}")
        return self.solutions[id]

    def columns(self) -> dict[str, list[int] | list[float]]:
        """Return the front as columns: id, objective values, suppressed rows, threshold, levels."""
        columns: dict[str, list[int] | list[float]] = {"id": [s.id for s in self.solutions]}
        for name in self.objectives:
            columns[name] = [s.values[name] for s in self.solutions]
        columns["suppressed"] = [s.suppressed for s in self.solutions]
        columns["threshold"] = [s.threshold for s in self.solutions]
        for name in self.solutions[0].levels if self.solutions else ():
            columns[f"level:{name}"] = [s.levels[name] for s in self.solutions]
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """Return the front as a pandas table, a row for each solution."""
        import pandas

        return pandas.DataFrame(self.columns())

    def to_polars(self) -> polars.DataFrame:
        """Return the front as a polars table, a row for each solution."""
        import polars

        return polars.DataFrame(self.columns())
