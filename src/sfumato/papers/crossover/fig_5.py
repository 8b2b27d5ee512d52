"""Crossover fig. 5: the NEW operator with and without duplicates in the population."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.catalogue import reproduction
from sfumato.papers.crossover.claims import duplicate_claims
from sfumato.papers.crossover.figure import (
    REMARKS,
    boxes,
    curve,
    curves,
    final_table,
    rank_table,
    space_table,
)
from sfumato.papers.crossover.paper import POPULATIONS, TRIALS
from sfumato.papers.crossover.runs import crossover_runs, genitor_setting
from sfumato.papers.plot_grid import grid_svg
from sfumato.papers.reproduced import Plot, Reproduced

if TYPE_CHECKING:
    from sfumato.papers.reproduced import Conditions

TITLE = "Crossover fig. 5: NEW with and without duplicates"
COLOURS = ("#1f6feb", "#7a3fb8", "#2a8f5b")


@reproduction("crossover-fig-5", TITLE, runs=TRIALS)
def crossover_fig_5(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    settings = [
        genitor_setting("new", population, duplicates=duplicates)
        for duplicates in (False, True)
        for population in POPULATIONS
    ]
    runs = crossover_runs(settings, conditions)
    without, allowed = runs.trials[: len(POPULATIONS)], runs.trials[len(POPULATIONS) :]
    panels = [
        curves(
            title,
            [
                curve(trials, name=f"population {trials.settings.population:,}", colour=colour)
                for trials, colour in zip(chosen, COLOURS, strict=True)
            ],
        )
        for title, chosen in (("without duplicates", without), ("duplicates allowed", allowed))
    ]
    final = boxes(f"the best of each of {conditions.runs} trials", runs.trials, COLOURS * 2)
    svg = grid_svg(
        f"{TITLE}; median of {conditions.runs} trials, and the band between the quartiles",
        (panels, (final,)),
        legend=panels[0].series,
        panel_width=540,
    )
    pairs = list(zip(without, allowed, strict=True))
    return Reproduced(
        tables=(
            space_table(runs.problem),
            final_table(f"Final loss of {conditions.runs} trials", runs.trials),
            rank_table("Without against with duplicates: exact rank sum tests, two-sided", pairs),
            duplicate_claims(pairs),
        ),
        plots=(Plot(name="crossover-fig-5", svg=svg),),
        remarks=REMARKS,
    )
