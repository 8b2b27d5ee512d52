"""What a reproduction gives: our values beside those of the paper, in tables and plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import SettingsError, shown
from sfumato.search.control import check_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sfumato.papers.plot import Plot

Cell: TypeAlias = str | int | float | None

DEFAULT_RUNS = 20


@dataclass(frozen=True, kw_only=True)
class ReproducedTable:
    """A table: ``columns`` have a name and how its numbers are written (a format of Python).

    A cell that is None is one that the paper, or our run, has no value for.
    """

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {self.title!r} has {len(row)} cells")

    def records(self) -> list[dict[str, Cell]]:
        """Return the rows by the names of the columns."""
        names = [name for name, _ in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def written(self) -> list[list[str]]:
        """Return the cells as they are shown.

        >>> columns = (("RR", ".2f"), ("n", ","))
        >>> table = ReproducedTable(title="", columns=columns, rows=((1, None),))
        >>> table.written()
        [['1.00', '-']]
        """
        return [
            [_written(cell, form) for cell, (_, form) in zip(row, self.columns, strict=True)]
            for row in self.rows
        ]


def _written(cell: Cell, form: str) -> str:
    if cell is None:
        return "-"
    return cell if isinstance(cell, str) else format(cell, form)


@dataclass(frozen=True, kw_only=True)
class Reproduced:
    """What came out: tables, plots, and remarks on what differs from the paper and why."""

    tables: tuple[ReproducedTable, ...]
    plots: tuple[Plot, ...] = ()
    remarks: tuple[str, ...] = ()


def silent_stage(name: str) -> None:
    """Ignore what is being done."""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Under which conditions to reproduce: ``runs`` runs with seeds from ``seed`` up.

    ``adult`` is the path of the Adult file, None to find it (`sfumato.datasets.adult_file`).
    ``stage`` hears what is being done. ``keep`` is a folder where long runs are kept as each
    finishes, and found again; None for none.
    """

    runs: int = DEFAULT_RUNS
    seed: int = 1
    adult: Path | None = None
    stage: Callable[[str], None] = silent_stage
    keep: Path | None = None

    def __post_init__(self) -> None:
        if isinstance(self.runs, bool) or not isinstance(self.runs, int) or self.runs < 1:
            raise SettingsError(
                code="out-of-range",
                key="runs",
                found=shown(self.runs),
                expected="a whole number from 1 up",
            )
        check_seed(self.seed)

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds of the runs."""
        return range(self.seed, self.seed + self.runs)
