"""What the three figures of the PBG paper have in common: fronts, and how often they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.pbg.runs import PbgRuns, anytime_run, mean, pbg_runs
from sfumato.papers.plot_axes import Axis
from sfumato.papers.reproduced import Plot, Reproduced, ReproducedTable
from sfumato.papers.scatter_plot import Mark, Panel, scatter_svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Cell, Conditions

AXES = {
    "k": Axis(name="k", logarithmic=True),
    "loss": Axis(name="loss (cells)"),
    "s-k": Axis(name="S_k", logarithmic=True),
    "s-l": Axis(name="S_ℓ"),
    "cm": Axis(name="CM"),
    "distinct-l": Axis(name="ℓ"),
}

COLUMNS = (
    ("objectives", ""),
    ("exact front", ","),
    ("found in every run", ","),
    ("found in no run", ","),
    ("RR", ".3f"),
    ("RR, paper", ".2f"),
    ("anytime: RR", ".3f"),
    ("evaluations, paper", ","),
)


def pbg_figure(
    name: str, title: str, asked: Sequence[tuple[PaperSet, str, str]], conditions: Conditions
) -> Reproduced:
    """Return a figure with a panel for each set, given with the figures of its two axes.

    A third figure is the colour. Rings are the exact front; they are filled by the share of the
    runs of PBG-EA that found the solution's figures.
    """
    # A set that has several panels is run once.
    measured = {each.objectives: pbg_runs(each, conditions) for each, _, _ in asked}
    panels = [_panel(measured[each.objectives], x, y) for each, x, y in asked]
    heading = f"{title}: exact (rings), found by PBG-EA in {conditions.runs} runs (filled)"
    return Reproduced(
        tables=(
            ReproducedTable(
                title=title,
                columns=COLUMNS,
                rows=tuple(_row(runs, conditions) for runs in measured.values()),
            ),
        ),
        plots=(Plot(name=name, svg=scatter_svg(heading, panels)),),
        remarks=(
            "The paper's plots have no numbers to compare with; ours show the exact front as "
            "rings, filled as strongly as the share of runs that found them.",
        ),
    )


def _shares(runs: PbgRuns) -> dict[tuple[float, ...], float]:
    """Return the figures of the exact front, with the share of runs that found each."""
    found = [{tuple(s.values.values()) for s in result.front} for result in runs.results]
    figures = dict.fromkeys(tuple(solution.values.values()) for solution in runs.true)
    return {point: sum(point in run for run in found) / len(found) for point in figures}


def _panel(runs: PbgRuns, x: str, y: str) -> Panel:
    names = list(runs.true.objectives)
    third = next((name for name in names if name not in (x, y)), None)
    marks = tuple(
        Mark(
            x=point[names.index(x)],
            y=point[names.index(y)],
            shade=None if third is None else point[names.index(third)],
            found=share,
        )
        for point, share in _shares(runs).items()
    )
    return Panel(
        title=f"{', '.join(AXES[name].name for name in names)}",
        x=AXES[x],
        y=AXES[y],
        marks=marks,
        shade=None if third is None else AXES[third].name,
    )


def _row(runs: PbgRuns, conditions: Conditions) -> tuple[Cell, ...]:
    shares = list(_shares(runs).values())
    return (
        runs.asked.text,
        len(runs.true),
        sum(share == 1 for share in shares),
        sum(share == 0 for share in shares),
        mean(runs.ratios),
        runs.asked.ratio,
        runs.ratio(anytime_run(runs, conditions).front),
        runs.asked.evaluations,
    )
