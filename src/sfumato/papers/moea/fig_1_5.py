"""MOEA fig. 1.5: weighted-k against GL without suppression, and the classes of two solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.papers.catalogue import reproduction
from sfumato.papers.moea.runs import REMARKS, RUNS, draw_fronts, moea_runs, tables_of
from sfumato.papers.plot import INK, Plot, scale_axes
from sfumato.papers.reproduced import Reproduced, ReproducedTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sfumato.arrays import Counts
    from sfumato.front.front import Front, Solution
    from sfumato.papers.moea.runs import Points
    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.study.study import Study

TITLE = "MOEA fig. 1.5: weighted-k against GL, without suppression"
SHARES = {"A": 1 / 3, "B": 2 / 3}
"""Two solutions are looked at: those nearest to these shares of the greatest GL."""


@reproduction("moea-fig-1.5", TITLE, runs=RUNS)
def moea_fig_1_5(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    runs = moea_runs(("weighted-k", "gl"), NO_SUPPRESSION, conditions)
    front = runs.shown
    chosen = {letter: at_share(front, share) for letter, share in SHARES.items()}
    sizes = {letter: class_sizes(runs.study, solution) for letter, solution in chosen.items()}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        draw_fronts(axes, _points(front), _points(runs.lattice.front), legend="upper left")
        axes.set(xlabel="weighted-k (rows)", ylabel="GL (cells)")
        axes.set_title("solutions; inside, the rows in classes of at most k rows")
        for (letter, solution), left in zip(chosen.items(), (0.34, 0.71), strict=True):
            place = (solution.values["weighted-k"], solution.values["gl"])
            axes.plot(*place, "o", color=INK, fillstyle="none", markersize=9)
            axes.annotate(letter, place, (7, -13), textcoords="offset points", weight="bold")
            _draw_distribution(axes.inset_axes((left, 0.1, 0.27, 0.32)), letter, sizes[letter])

    return Reproduced(
        tables=(*tables_of(runs), sizes_table(chosen, sizes)),
        plots=(Plot(name="moea-fig-1.5", title=TITLE, draw=draw, size=(9.5, 6.2)),),
        remarks=REMARKS,
    )


def at_share(front: Front, share: float) -> Solution:
    """Return the solution whose GL is nearest to a share of the greatest, the first of several."""
    greatest = max(solution.values["gl"] for solution in front)
    return min(front, key=lambda s: (abs(s.values["gl"] - share * greatest), s.id))


def class_sizes(study: Study, solution: Solution) -> Counts:
    """Return the sizes of the classes of a solution, ascending."""
    problem = study.problem
    string = problem.partitions.of_recoding(solution.recoding)
    books, choices = problem.partitions.books(string[None, :])
    return np.sort(problem.tables.group(choices, books=books).sizes)


def cumulative(sizes: Counts) -> tuple[list[int], list[int]]:
    """Return the class sizes k that occur, and the rows in classes of at most k: Σ |E_i|, i ≤ k.

    >>> cumulative(np.array([1, 1, 3, 5]))
    ([1, 3, 5], [2, 5, 10])
    """
    different, classes = np.unique(sizes, return_counts=True)
    return different.tolist(), np.cumsum(different * classes).tolist()


def _points(front: Front) -> Points:
    return tuple(sorted({(s.values["weighted-k"], s.values["gl"]) for s in front}))


def _draw_distribution(axes: Axes, letter: str, sizes: Counts) -> None:
    k, rows = cumulative(sizes)
    axes.step((0, *k), (0, *rows), where="post", color=INK, linewidth=1.2)
    scale_axes(axes)
    axes.set_title(f"{letter}: rows in classes of at most k", fontsize=9)
    axes.tick_params(labelsize=8)


def sizes_table(chosen: dict[str, Solution], sizes: dict[str, Counts]) -> ReproducedTable:
    """Return what tells the distributions of two solutions apart."""
    rows: list[tuple[Cell, ...]] = []
    for letter, solution in chosen.items():
        found = sizes[letter]
        total = int(found.sum())
        rows.append(
            (
                letter,
                solution.values["weighted-k"],
                solution.values["gl"],
                len(found),
                int(found[0]),
                _size_of_row(found, 0.5),
                int(found[-1]),
                *(float(found[found < k].sum() / total) for k in (5, 50, 500)),
            )
        )
    return ReproducedTable(
        title="The two solutions of the insets",
        columns=(
            ("solution", ""),
            ("weighted-k", ",.1f"),
            ("GL", ",.0f"),
            ("classes", ","),
            ("least class", ","),
            ("class of the median row", ","),
            ("greatest class", ","),
            ("rows in classes below 5", ".1%"),
            ("below 50", ".1%"),
            ("below 500", ".1%"),
        ),
        rows=tuple(rows),
    )


def _size_of_row(sizes: Counts, share: float) -> int:
    """Return the size of the class in which the rows so far first reach a share of all."""
    reached = np.cumsum(sizes)
    return int(sizes[int(np.searchsorted(reached, share * reached[-1]))])
