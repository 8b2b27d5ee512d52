"""Crossover fig. 4: the NEW and the TRAD operator at three population sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.catalogue import reproduction
from sfumato.papers.crossover.claims import operator_claims
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

TITLE = "Crossover fig. 4: NEW and TRAD by population size"
REMARK = (
    "In our 15 trials from seed 1, TRAD ended lower than NEW and was less scattered, against the "
    "paper; without any mutation as well. docs/reproducing.md says what may be the reason."
)
NEW_COLOUR, TRAD_COLOUR = "#1f6feb", "#d1571f"


@reproduction("crossover-fig-4", TITLE, runs=TRIALS)
def crossover_fig_4(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    settings = [
        genitor_setting(operator, population)
        for population in POPULATIONS
        for operator in ("new", "trad")
    ]
    runs = crossover_runs(settings, conditions)
    pairs = list(zip(runs.trials[::2], runs.trials[1::2], strict=True))
    panels = [
        curves(
            f"population {new.settings.population:,}",
            (
                curve(new, name="NEW", colour=NEW_COLOUR),
                curve(trad, name="TRAD", colour=TRAD_COLOUR, dashed=True),
            ),
        )
        for new, trad in pairs
    ]
    final = boxes(
        f"the best of each of {conditions.runs} trials",
        runs.trials,
        [NEW_COLOUR, TRAD_COLOUR] * len(pairs),
    )
    svg = grid_svg(
        f"{TITLE}; median of {conditions.runs} trials, and the band between the quartiles",
        (panels, (final,)),
        legend=panels[0].series,
    )
    return Reproduced(
        tables=(
            space_table(runs.problem),
            final_table(f"Final loss of {conditions.runs} trials", runs.trials),
            rank_table("NEW against TRAD: exact rank sum tests, two-sided", pairs),
            operator_claims(pairs),
        ),
        plots=(Plot(name="crossover-fig-4", svg=svg),),
        remarks=(*REMARKS, REMARK),
    )
