"""The front: evaluated recodings that are mutually non-dominated."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import SettingsError, shown
from sfumato.errors.listing import counted
from sfumato.pages.notebook import notebook_table
from sfumato.recoding.levels import Levels
from sfumato.recoding.recoding import FREEDOMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas
    import polars
    from matplotlib.axes import Axes

    from sfumato.measures.measure import Direction
    from sfumato.recoding.recoding import Recoding


Column: TypeAlias = list[int] | list[float] | list[str] | list[int | None]
"""A column of a front; None where a recoding has no such number."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Solution:
    """A recoding of a front, the least class size that it keeps, and its objective values."""

    id: int
    recoding: Recoding
    values: Mapping[str, float]
    suppressed: int
    threshold: int

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of every quasi-identifier; empty if the recoding has none."""
        return self.recoding.levels

    @property
    def freedom(self) -> str:
        """How freely the recoding chooses: ``global``, ``partitions`` or ``local``."""
        return self.recoding.freedom

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {text}" for name, text in _texts(self.values).items())
        return f"<Solution {self.id}: {values}; {self.suppressed:,} suppressed; {self.recoding}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        rows = [*_texts(self.values).items(), ("suppressed", f"{self.suppressed:,}")]
        if self.levels:
            rows += [(f"level of {name}", str(level)) for name, level in self.levels.items()]
        else:
            rows.append(("recoding", str(self.recoding)))
        return notebook_table(f"Solution {self.id}", ("", ""), rows, most=None)


@dataclass(frozen=True, kw_only=True, repr=False)
class Front:
    """Mutually non-dominated solutions, ties included, each once.

    A recoding that chooses more freely costs the analyst something. In a front of several spaces it
    therefore does not dominate one with less freedom: of each freedom there is what no other one
    with as little freedom dominates.

    Solutions are ordered by their objective values (first objective first, lowest first), then
    by their levels, and numbered in that order: the same search gives the same ids.
    """

    objectives: Mapping[str, Direction]
    solutions: tuple[Solution, ...]

    @classmethod
    def of_values(
        cls, objectives: Mapping[str, Direction], rows: Iterable[Sequence[float]]
    ) -> Front:
        """Return a front that has objective values and no recodings, to be compared with others.

        >>> from sfumato.measures.measure import Direction
        >>> len(Front.of_values({"k": Direction.HIGHER, "loss": Direction.LOWER}, [(1, 0), (2, 5)]))
        2
        """
        return cls(
            objectives=dict(objectives),
            solutions=tuple(
                Solution(
                    id=number,
                    recoding=Levels.of({}),
                    values=dict(zip(objectives, row, strict=True)),
                    suppressed=0,
                    threshold=1,
                )
                for number, row in enumerate(rows)
            ),
        )

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __getitem__(self, id: int | float) -> Solution:  # noqa: A002
        if isinstance(id, float) and id.is_integer():
            id = int(id)  # noqa: A001 - a row of a pandas table turns its id into a float
        whole = isinstance(id, Integral) and not isinstance(id, bool)
        # Of a part of a front the ids are not the places.
        if whole and 0 <= id < len(self.solutions) and self.solutions[int(id)].id == id:
            return self.solutions[int(id)]
        for solution in self.solutions if whole else ():
            if solution.id == id:
                return solution
        raise SettingsError(
            f"the front has no solution {shown(id)}",
            code="unknown-solution",
            key="id",
            found=shown(id),
            expected=f"an id from {self.solutions[0].id} to {self.solutions[-1].id}"
            if self.solutions
            else None,
            remedy=None if self.solutions else "the front is empty",
        )

    def __repr__(self) -> str:
        size = counted(len(self.solutions), "solution")
        if not self.solutions:
            return f"<Front of {size} in {', '.join(self.objectives)}>"
        ends = []
        for name in self.objectives:
            values = [solution.values[name] for solution in self.solutions]
            texts = dict.fromkeys(_texts({name: end})[name] for end in (min(values), max(values)))
            ends.append(f"{name} {' to '.join(texts)}")
        return f"<Front of {size}: {', '.join(ends)}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        several = len(self.freedoms) > 1
        heads = ("id", *self.objectives, "suppressed", *(["freedom"] if several else []))
        rows = [
            (
                str(each.id),
                *_texts({name: each.values[name] for name in self.objectives}).values(),
                f"{each.suppressed:,}",
                *([each.freedom] if several else []),
                str(each.recoding),
            )
            for each in self.solutions
        ]
        return notebook_table(
            f"Front of {counted(len(self.solutions), 'solution')}", (*heads, "recoding"), rows
        )

    def plot(self, x: str | None = None, y: str | None = None, *, axes: Axes | None = None) -> Axes:
        """Draw two objectives of the front with matplotlib, and return the axes.

        Unless ``x`` and ``y`` name others, these are the first objective of privacy and the first
        of loss. It is drawn into a new figure if no ``axes`` are given.
        """
        from sfumato.front.front_plot import PlottedFront, plotted_axes

        x, y = plotted_axes(self.objectives, x, y)
        return PlottedFront(
            x=x,
            y=y,
            better=(self.objectives[x], self.objectives[y]),
            whole=len(self.objectives) == 2,
            points={
                freedom: [(s.values[x], s.values[y]) for s in self.with_freedom(freedom)]
                for freedom in self.freedoms
            },
        ).draw(axes)

    @property
    def freedoms(self) -> tuple[str, ...]:
        """The freedoms that its recodings use, the least first."""
        used = {solution.freedom for solution in self.solutions}
        return tuple(freedom for freedom in FREEDOMS if freedom in used)

    def with_freedom(self, freedom: str) -> Front:
        """Return the solutions of one freedom, with the ids that they have here."""
        chosen = tuple(solution for solution in self.solutions if solution.freedom == freedom)
        return Front(objectives=self.objectives, solutions=chosen)

    def columns(self) -> dict[str, Column]:
        """Return the front as columns: id, objective values, suppressed rows, threshold, recoding.

        Of a recoding there is the level of every quasi-identifier, or its number of blocks; of a
        local one neither. Fronts of several spaces have the freedom of every solution too.
        """
        columns: dict[str, Column] = {"id": [s.id for s in self.solutions]}
        for name in self.objectives:
            columns[name] = [s.values[name] for s in self.solutions]
        columns["suppressed"] = [s.suppressed for s in self.solutions]
        columns["threshold"] = [s.threshold for s in self.solutions]
        if len(self.freedoms) > 1:
            columns["freedom"] = [s.freedom for s in self.solutions]
        for heading in dict.fromkeys(s.recoding.heading for s in self.solutions):
            numbers = [s.recoding.numbers() if s.recoding.heading == heading else {} for s in self]
            for name in dict.fromkeys(name for each in numbers for name in each):
                columns[f"{heading}:{name}"] = [each.get(name) for each in numbers]
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


def _texts(values: Mapping[str, float]) -> dict[str, str]:
    """Return the values of measures as people read them."""
    from sfumato.measures.value_text import measured_text

    return {name: measured_text(name, value) for name, value in values.items()}


def _not_installed(package: str) -> SettingsError:
    return SettingsError(
        f"{package} is not installed",
        code="not-installed",
        found=package,
        remedy=f"install it with pip install 'sfumato[{package}]', or use the plain lists of "
        "front.columns()",
    )
