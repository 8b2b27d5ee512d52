"""Solutions of a front as a table for people, and as JSON for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sfumato.classes.suppression import Threshold
from sfumato.cli.levels_text import write_levels
from sfumato.cli.metric_text import metric_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run

Thing = TypeVar("Thing")


def show_solutions(
    output: Output, run: Run, solutions: Sequence[Solution], columns: Sequence[str]
) -> None:
    """Show a row for each solution: id, the chosen metrics, suppressed rows, levels.

    The levels are written as ``sfumato evaluate --levels`` takes them; where the terminal is too
    narrow for that, as bare numbers.
    """
    table = _table(run, solutions, columns, named=True)
    if output.fits(table):
        output.show(table)
        return
    output.show(_table(run, solutions, columns, named=False))
    output.show(f"{_recoded(solutions)} of {', '.join(column.name for column in run.columns)}")


def _table(
    run: Run, solutions: Sequence[Solution], columns: Sequence[str], *, named: bool
) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    thresholds = run.study_file.study.suppression.threshold is Threshold.EVERY
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("id", *columns, "suppressed", *(("threshold",) if thresholds else ())):
        table.add_column(Text(head), justify="right")
    table.add_column(_recoded(solutions))
    for solution in solutions:
        metrics = run.details[solution.id].metrics
        cells = [str(solution.id), *(metric_text(metrics[name]) for name in columns)]
        cells.append(f"{solution.suppressed:,}")
        if thresholds:
            cells.append(f"{solution.threshold:,}")
        chosen = dict(solution.levels)
        if solution.cuts is not None:
            chosen = {name: len(leaves) + 1 for name, leaves in solution.cuts.items()}
        cells.append(write_levels(chosen) if named else " ".join(map(str, chosen.values())))
        table.add_row(*map(Text, cells))
    return table


def _recoded(solutions: Sequence[Solution]) -> str:
    """Return what the numbers of a recoding are: levels, or numbers of blocks if it has none."""
    return "blocks" if any(solution.cuts is not None for solution in solutions) else "levels"


def solution_record(solution: Solution) -> dict[str, object]:
    """Return a solution as ``--json`` shows it."""
    return {
        "id": solution.id,
        **({"levels": dict(solution.levels)} if solution.cuts is None else {"cuts": solution.cuts}),
        "values": dict(solution.values),
        "suppressed": solution.suppressed,
        "threshold": solution.threshold,
    }


def spread(things: Sequence[Thing], most: int) -> Sequence[Thing]:
    """Return at most ``most`` of several things, the first and the last among them, evenly spread.

    >>> spread(range(100), 4)
    [0, 33, 66, 99]
    """
    if len(things) <= most:
        return things
    last = len(things) - 1
    return [things[round(place * last / (most - 1))] for place in range(most)]
