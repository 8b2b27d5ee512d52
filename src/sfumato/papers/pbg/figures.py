"""PBG Figures 1 to 3: exact fronts, and how often PBG-EA finds their solutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.paper import SETS
from sfumato.papers.pbg.runs import PbgRuns, anytime_run, mean, pbg_runs
from sfumato.papers.plot import BLUE, Plot, scale_axes
from sfumato.papers.reproduced import Reproduced, ReproducedTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Cell, Conditions

NAMES = {
    "k": "k",
    "loss": "loss (cells)",
    "s-k": "S_k",
    "s-l": "S_ℓ",
    "cm": "CM",
    "distinct-l": "ℓ",
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


Panel = tuple["PaperSet", str, str]
"""A set of objectives, and which of them are on the axes."""

FIGURES: Mapping[str, tuple[str, tuple[Panel, ...]]] = {
    "pbg-fig-1": (
        "PBG Figure 1: k and ℓ against the loss",
        ((SETS[0], "loss", "k"), (SETS[1], "loss", "k")),
    ),
    "pbg-fig-2": (
        "PBG Figure 2: S_k and S_ℓ against the loss",
        ((SETS[2], "loss", "s-k"), (SETS[3], "loss", "s-k")),
    ),
    "pbg-fig-3": (
        "PBG Figure 3: k against two losses, GLM and CM",
        ((SETS[4], "loss", "k"), (SETS[4], "cm", "k")),
    ),
}


def _reproduced(
    name: str, title: str, panels: Sequence[Panel], conditions: Conditions
) -> Reproduced:
    """Return a figure; a set of objectives with several panels is run once."""
    measured = {each.objectives: pbg_runs(each, conditions) for each, _, _ in panels}

    def draw(figure: Figure) -> None:
        systems = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (asked, x, y) in zip(systems, panels, strict=True):
            _draw_front(axes, measured[asked.objectives], x, y)

    return Reproduced(
        tables=(
            ReproducedTable(
                title=title,
                columns=COLUMNS,
                rows=tuple(_row(runs, conditions) for runs in measured.values()),
            ),
        ),
        plots=(
            Plot(
                name=name,
                title=f"{title}: exact (rings), found by PBG-EA in {conditions.runs} runs (filled)",
                draw=draw,
            ),
        ),
        remarks=(
            "The paper's plots have no numbers to compare with; ours show the exact front as "
            "rings, filled as strongly as the share of runs that found them.",
        ),
    )


for _name, (_title, _panels) in FIGURES.items():
    reproduction(_name, _title)(partial(_reproduced, _name, _title, _panels))


def _shares(runs: PbgRuns) -> dict[tuple[float, ...], float]:
    """Return the points of the exact front, with the share of runs that found each."""
    found = [{tuple(s.values.values()) for s in result.front} for result in runs.results]
    points = dict.fromkeys(tuple(solution.values.values()) for solution in runs.true)
    return {point: sum(point in run for run in found) / len(found) for point in points}


def _draw_front(axes: Axes, runs: PbgRuns, x: str, y: str) -> None:
    """Draw the exact front as rings, filled by the share of runs; a third objective is a colour."""
    names = list(runs.true.objectives)
    found = _shares(runs)
    values = dict(zip(names, zip(*found, strict=True), strict=True))
    third = next((name for name in names if name not in (x, y)), None)
    filled = axes.scatter(
        values[x], values[y], s=28, linewidths=0, c=BLUE if third is None else values[third]
    )
    rings = BLUE if third is None else filled.to_rgba(np.array(values[third])).tolist()
    axes.scatter(values[x], values[y], s=28, facecolors="none", edgecolors=rings, linewidths=1.1)
    if third is not None and axes.figure is not None:
        axes.figure.colorbar(filled, ax=axes, label=NAMES[third], format="{x:,.10g}")
    filled.set_alpha(list(found.values()))
    scale_axes(axes, logarithmic="y")
    axes.locator_params(axis="x", nbins=5)
    axes.set(title=", ".join(NAMES[name] for name in names), xlabel=NAMES[x])
    axes.set_ylabel(f"{NAMES[y]} (logarithmic)")


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
