"""MOEA fig. 1.6: k against the loss with at most 10 % suppressed, magnified three times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import limited
from sfumato.front.decisions.flat_regions import flat_regions
from sfumato.papers.catalogue import reproduction
from sfumato.papers.moea.runs import REMARKS, RUNS, draw_fronts, moea_runs, tables_of
from sfumato.papers.plot import INK, Plot
from sfumato.papers.reproduced import Reproduced, ReproducedTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sfumato.front.front import Front
    from sfumato.papers.moea.runs import Points
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


@reproduction("moea-fig-1.6", TITLE, runs=RUNS)
def moea_fig_1_6(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    runs = moea_runs(("k", "loss"), limited(SUPPRESSED), conditions)

    def draw(figure: Figure) -> None:
        _draw_panels(figure, _points(runs.shown), _points(runs.lattice.front))

    return Reproduced(
        tables=(*tables_of(runs), regions_table(runs.shown)),
        plots=(Plot(name="moea-fig-1.6", title=TITLE, draw=draw, size=(9.5, 7.6)),),
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


def _draw_panels(figure: Figure, found: Points, lattice: Points) -> None:
    """Draw four panels; a dashed box in each is what the next one magnifies."""
    parts = [found]
    while len(parts) < len(PANELS):
        parts.append(magnified(parts[-1]))
    systems = figure.subplots(2, 2).flat
    for place, (axes, part, title) in enumerate(zip(systems, parts, PANELS, strict=True)):
        (left, _), (right, most) = part[0], part[-1]
        # The lattice's front lies above: of it, what fits into the panel.
        inside = tuple(point for point in lattice if left <= point[0] <= right and point[1] <= most)
        draw_fronts(axes, part, inside, legend=None if place else "lower right")
        axes.set(title=title, xlabel="k", ylabel="loss (cells)")
        if place + 1 < len(parts):
            (left, least), (right, most) = parts[place + 1][0], parts[place + 1][-1]
            axes.plot(
                (left, right, right, left, left),
                (least, least, most, most, least),
                color=INK,
                linewidth=1,
                linestyle="dashed",
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
