"""Solutions of a front as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.levels_text import write_levels
from sfumato.cli.tables import text_table
from sfumato.views.texts import metric_text, share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.views.run.column_view import ColumnView
    from sfumato.views.run.freedoms_view import FreedomsView
    from sfumato.views.run.solution_view import SolutionView


def show_solutions(
    output: Output,
    solutions: Sequence[SolutionView],
    metrics: Sequence[str],
    *,
    thresholds: bool = False,
) -> None:
    """Show a row for each solution: id, the named metrics, suppressed rows, levels or labels.

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
    several = len({solution.freedom for solution in solutions}) > 1
    local = any(solution.counted == "labels" for solution in solutions)
    bounds = any(solution.bound is not None for solution in solutions)
    numbers = (
        "id",
        *metrics,
        *(("least possible",) if bounds else ()),
        "suppressed",
        *(("threshold",) if thresholds else ()),
        *(("classes",) if local else ()),
    )
    return text_table(
        (*numbers, *(("freedom",) if several else ()), _recoded(solutions)),
        [
            (
                str(solution.id),
                *(metric_text(solution.metrics[name]) for name in metrics),
                *((_bound(solution),) if bounds else ()),
                f"{solution.suppressed:,}",
                *((f"{solution.threshold:,}",) if thresholds else ()),
                *((f"{solution.classes:,}",) if local else ()),
                *((solution.freedom,) if several else ()),
                write_levels(solution.coarseness)
                if named
                else " ".join(map(str, solution.coarseness.values())),
            )
            for solution in solutions
        ],
        right=numbers,
    )


def _bound(solution: SolutionView) -> str:
    """Return the least normalized loss that a local recoding can have at this k."""
    return "" if solution.bound is None else share_text(solution.bound.least, 1)


def show_freedoms(output: Output, view: FreedomsView | None) -> None:
    """Show the least loss at the same k by freedom, where there are several."""
    if view is None:
        return
    marks = tuple(f"k ≥ {mark:,}" for mark in view.marks)
    rows = [
        (each.freedom, "yes" if each.exact else "no", *map(_share, each.losses))
        for each in view.freedoms
    ]
    if view.bounds is not None:
        rows.append(("no local recoding below", "", *map(_share, view.bounds)))
    output.show("Least normalized loss by freedom:")
    output.show(text_table(("freedom", "exact", *marks), rows, right=marks))
    output.show(view.text)


def _share(loss: float | None) -> str:
    return "–" if loss is None else share_text(loss, 1)


def _recoded(solutions: Sequence[SolutionView]) -> str:
    """Return what the numbers of a recoding are: levels, or numbers of blocks or labels."""
    words = dict.fromkeys(solution.counted for solution in solutions)
    return "/".join("levels" if word == "level" else word for word in words) or "levels"


def column_table(columns: Iterable[ColumnView]) -> Table:
    """Return what a recoding makes of every quasi-identifier."""
    return text_table(
        ("column", "level", "values become"),
        [(column.name, column.level, column.values_become) for column in columns],
    )
