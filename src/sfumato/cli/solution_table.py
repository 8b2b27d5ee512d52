"""Solutions of a front as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.levels_text import write_levels
from sfumato.cli.tables import text_table
from sfumato.views.texts import metric_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.views.run.column_view import ColumnView
    from sfumato.views.run.solution_view import SolutionView


def show_solutions(
    output: Output,
    solutions: Sequence[SolutionView],
    metrics: Sequence[str],
    *,
    thresholds: bool = False,
) -> None:
    """Show a row for each solution: id, the named metrics, suppressed rows, levels.

    The levels are written as ``sfumato evaluate --levels`` takes them; where the terminal is too
    narrow for that, as bare numbers. ``thresholds`` shows the thresholds too.
    """
    table = _table(solutions, metrics, thresholds=thresholds, named=True)
    if output.fits(table):
        output.show(table)
        return
    output.show(_table(solutions, metrics, thresholds=thresholds, named=False))
    columns = solutions[0].coarseness if solutions else ()
    output.show(f"{_recoded(solutions)} of {', '.join(columns)}")


def _table(
    solutions: Sequence[SolutionView], metrics: Sequence[str], *, thresholds: bool, named: bool
) -> Table:
    numbers = ("id", *metrics, "suppressed", *(("threshold",) if thresholds else ()))
    return text_table(
        (*numbers, _recoded(solutions)),
        [
            (
                str(solution.id),
                *(metric_text(solution.metrics[name]) for name in metrics),
                f"{solution.suppressed:,}",
                *((f"{solution.threshold:,}",) if thresholds else ()),
                write_levels(solution.coarseness)
                if named
                else " ".join(map(str, solution.coarseness.values())),
            )
            for solution in solutions
        ],
        right=numbers,
    )


def _recoded(solutions: Sequence[SolutionView]) -> str:
    """Return what the numbers of a recoding are: levels, or numbers of blocks."""
    words = dict.fromkeys(solution.counted for solution in solutions)
    return "/".join("levels" if word == "level" else word for word in words) or "levels"


def column_table(columns: Iterable[ColumnView]) -> Table:
    """Return what a recoding makes of every quasi-identifier."""
    return text_table(
        ("column", "level", "values become"),
        [(column.name, column.level, column.values_become) for column in columns],
    )
