"""MOEA problem 3: weighted-k, GL and SL where all classes below weighted-k are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import BELOW_WEIGHTED_K
from sfumato.papers.catalogue import reproduction
from sfumato.papers.moea.runs import REMARKS, RUNS, moea_runs, tables_of
from sfumato.papers.plot import Plot, scale_axes
from sfumato.papers.reproduced import Reproduced, ReproducedTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sfumato.arrays import Floats
    from sfumato.front.front import Front
    from sfumato.papers.reproduced import Cell, Conditions

TITLE = "MOEA problem 3 (§1.4.1.3): weighted-k, GL and SL, suppressing below weighted-k"
OBJECTIVES = ("weighted-k", "gl", "sl")
SHARES = ("0 to 10 %", "10 to 30 %", "30 to 50 %", "above 50 %")
LIMITS = (0.1, 0.3, 0.5)

OWN_REMARKS = (
    "The chapter states this problem and has no figure of it. The colour is the logarithm of "
    "weighted-k, which is also the least class that is kept: all smaller ones are suppressed.",
    "Suppression is unlimited here, so that solutions that suppress nearly everything are on the "
    "front too: they have a greater weighted-k for the same GL.",
)


@reproduction("moea-problem-3", TITLE, runs=RUNS)
def moea_problem_3(conditions: Conditions) -> Reproduced:
    """Return the fronts, and the one from the chapter's start drawn."""
    runs = moea_runs(OBJECTIVES, BELOW_WEIGHTED_K, conditions)
    table = runs.study.problem.table
    cells = table.rows * len(table.names)

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, sharex=True, sharey=True)
        _draw(left, values(runs.shown), "NSGA-II, random start")
        _draw(right, values(runs.lattice.front), "exact front of the lattice")
        left.set_ylabel("SL (cells)")

    return Reproduced(
        tables=(*tables_of(runs), shares_table(runs.shown, runs.lattice.front, cells=cells)),
        plots=(Plot(name="moea-problem-3", title=TITLE, draw=draw, size=(10.5, 4.6)),),
        remarks=(*REMARKS, *OWN_REMARKS),
    )


def values(front: Front) -> Floats:
    """Return the different points of a front, by rising weighted-k."""
    points = {tuple(solution.values[name] for name in OBJECTIVES) for solution in front}
    return np.array(sorted(points), dtype=np.float64).reshape(-1, len(OBJECTIVES))


def _draw(axes: Axes, points: Floats, title: str) -> None:
    """Draw GL against SL, coloured by weighted-k."""
    k, gl, sl = points.T
    filled = axes.scatter(gl, sl, s=9, c=np.log10(np.maximum(k, 1)), linewidths=0)
    if axes.figure is not None:
        axes.figure.colorbar(filled, ax=axes, label="log10 of weighted-k")
    scale_axes(axes)
    axes.locator_params(axis="x", nbins=5)
    axes.set(title=f"{title}: {len(points):,} points", xlabel="GL (cells)")


def shares_table(found: Front, exact: Front, *, cells: int) -> ReproducedTable:
    """Return what weighted-k costs where little is suppressed, and where much is."""
    rows: list[tuple[Cell, ...]] = []
    for name, front in (("NSGA-II, random start", found), ("the lattice, exact", exact)):
        points = values(front)
        part = np.searchsorted(LIMITS, points[:, 2] / cells)
        for number, share in enumerate(SHARES):
            inside = points[part == number]
            some = len(inside) > 0
            rows.append(
                (
                    name,
                    share,
                    len(inside),
                    float(inside[:, 0].min()) if some else None,
                    float(np.median(inside[:, 0])) if some else None,
                    float(inside[:, 0].max()) if some else None,
                    float(inside[:, 1].min()) if some else None,
                    float(inside[:, 1].max()) if some else None,
                )
            )
    return ReproducedTable(
        title="The points by the share of the rows that they suppress",
        columns=(
            ("front", ""),
            ("suppressed", ""),
            ("points", ","),
            ("weighted-k from", ",.1f"),
            ("median", ",.1f"),
            ("to", ",.1f"),
            ("GL from", ",.0f"),
            ("to ", ",.0f"),
        ),
        rows=tuple(rows),
    )
