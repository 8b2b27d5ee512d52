"""MOEA fig. 1.6: k against the loss with at most 10 % suppressed, magnified three times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import limited
from sfumato.front.decisions.flat_regions import flat_regions
from sfumato.papers.catalogue import reproduction
from sfumato.papers.moea.runs import REMARKS, RUNS, fronts_table, moea_runs
from sfumato.papers.plot_axes import Axis
from sfumato.papers.plot_grid import grid_svg
from sfumato.papers.reproduced import Plot, Reproduced, ReproducedTable
from sfumato.papers.series_plot import Series, SeriesPanel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.front.front import Front
    from sfumato.papers.reproduced import Conditions

TITLE = "MOEA fig. 1.6: k against the loss, with at most 10 % suppressed"
SUPPRESSED = 0.1
PANELS = (
    "all solutions",
    "the steepest part of these, magnified",
    "the steepest part of that",
    "the steepest part of that",
)
STEEPEST = 0.75
"""The steepest part of a panel: from its least k to where it has three quarters of its loss."""

Points = tuple[tuple[float, float], ...]


@reproduction("moea-fig-1.6", TITLE, runs=RUNS)
def moea_fig_1_6(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    runs = moea_runs(("k", "loss"), limited(SUPPRESSED), conditions)
    svg = grid_svg(
        TITLE,
        _rows(_points(runs.shown), _points(runs.lattice.front)),
        legend=_series((), ()),
    )
    return Reproduced(
        tables=(fronts_table(runs), regions_table(runs.shown)),
        plots=(Plot(name="moea-fig-1.6", svg=svg),),
        remarks=REMARKS,
    )


def _points(front: Front) -> Points:
    return tuple(sorted({(s.values["k"], s.values["loss"]) for s in front}))


def magnified(points: Points) -> Points:
    """Return the steepest part of a front, by rising k: up to three quarters of its loss.

    >>> magnified(((1.0, 0.0), (2.0, 50.0), (3.0, 70.0), (90.0, 100.0)))
    ((1.0, 0.0), (2.0, 50.0), (3.0, 70.0))
    """
    least, greatest = points[0][1], points[-1][1]
    until = least + STEEPEST * (greatest - least)
    return tuple(point for point in points if point[1] <= until)


def _rows(found: Points, lattice: Points) -> list[list[SeriesPanel]]:
    """Return the panels, two in a row, each with the next one's region as a box."""
    parts = [found]
    while len(parts) < len(PANELS):
        parts.append(magnified(parts[-1]))
    panels = []
    for place, (part, title) in enumerate(zip(parts, PANELS, strict=True)):
        left, right = part[0][0], part[-1][0]
        inside = tuple(point for point in lattice if left <= point[0] <= right)
        # The lattice's front lies above: of it, what fits into the panel.
        inside = tuple(point for point in inside if point[1] <= part[-1][1])
        box = None
        if place + 1 < len(parts):
            inner = parts[place + 1]
            box = (inner[0][0], inner[0][1], inner[-1][0], inner[-1][1])
        panels.append(
            SeriesPanel(
                title=title,
                x=Axis(name="k"),
                y=Axis(name="loss (cells)"),
                series=_series(part, inside),
                box=box,
            )
        )
    return [panels[:2], panels[2:]]


def _series(found: Sequence[tuple[float, float]], lattice: Points) -> tuple[Series, Series]:
    return (
        Series(
            name="exact front of the lattice",
            colour="#d1571f",
            drawn="rings",
            x=tuple(k for k, _ in lattice),
            y=tuple(loss for _, loss in lattice),
        ),
        Series(
            name="NSGA-II, partitions",
            colour="#1f6feb",
            drawn="dots",
            x=tuple(k for k, _ in found),
            y=tuple(loss for _, loss in found),
        ),
    )


def regions_table(front: Front) -> ReproducedTable:
    """Return the flat regions of a front, by rising k."""
    regions = sorted(flat_regions(front), key=lambda region: region.start.values["k"])
    return ReproducedTable(
        title="Flat regions of the front that is shown",
        columns=(
            ("k from", ","),
            ("to", ","),
            ("loss from", ",.0f"),
            ("to ", ",.0f"),
            ("k times", ".2f"),
            ("loss times", ".3f"),
            ("solutions", ","),
        ),
        rows=tuple(
            (
                int(region.start.values["k"]),
                int(region.end.values["k"]),
                region.start.values["loss"],
                region.end.values["loss"],
                region.end.values["k"] / region.start.values["k"],
                region.end.values["loss"] / max(1.0, region.start.values["loss"]),
                len(region.solutions),
            )
            for region in regions
        ),
    )
