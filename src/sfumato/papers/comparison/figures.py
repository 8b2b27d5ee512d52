"""Comparison figs 2 to 4 drawn from real recodings: those of the paper's ten people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.hypervolume import Hypervolume
from sfumato.compare.indices.rank import Rank
from sfumato.compare.indices.spread import Spread
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.papers.catalogue import reproduction
from sfumato.papers.comparison.numbers import CLASS_SIZES, sizes
from sfumato.papers.comparison.people import PEOPLE, by_person
from sfumato.papers.plot import BLUE, GREEN, INK, ORANGE, Plot
from sfumato.papers.reproduced import Reproduced, ReproducedTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sfumato.papers.reproduced import Cell, Conditions

TITLE = "Comparison figs 2-4 from real recodings: rank, coverage and spread, hypervolume"
TWO = (3, 8)
"""Whom the planes of figs 2 and 4 show: person 3 prefers T3b to T4, person 8 T4 to T3b (§2)."""

FIRST, SECOND = "T3b", "T4"
COLOURS = {"T3a": GREEN, "T3b": BLUE, "T4": ORANGE}
DESIRED = len(PEOPLE)
"""D_max: all ten people in one class."""


@reproduction("comparison-figs-2-4", TITLE, runs=1)
def comparison_figures(conditions: Conditions) -> Reproduced:  # noqa: ARG001 - nothing is random
    """Return the three figures, and the indices of all ten people."""
    return Reproduced(
        tables=(ranks_table(), pair_table()),
        plots=(
            Plot(
                name="comparison-fig-2",
                title="Comparison fig. 2: ranks of three recodings, for two of ten people",
                draw=_draw_ranks,
                size=(5.6, 5.4),
            ),
            Plot(
                name="comparison-fig-3",
                title=f"Comparison fig. 3: coverage and spread of {FIRST} and {SECOND}",
                draw=_draw_spread,
                size=(8.0, 3.8),
            ),
            Plot(
                name="comparison-fig-4",
                title=f"Comparison fig. 4: hypervolumes of {FIRST} and {SECOND}, for two people",
                draw=_draw_volumes,
                size=(6.4, 4.4),
            ),
        ),
        remarks=(
            "The paper draws figs 2 to 4 for made-up vectors. These are the class sizes of its "
            f"own recodings; the planes of figs 2 and 4 show persons {TWO[0]} and {TWO[1]}, the "
            "tables all ten.",
        ),
    )


def of_two(label: str) -> tuple[float, float]:
    """Return the class sizes of the two people that the planes show."""
    everybody = by_person(sizes(label))
    return everybody[TWO[0] - 1], everybody[TWO[1] - 1]


def ranks_table() -> ReproducedTable:
    """Return the distance from the most desired vector, of two and of all people."""
    rows: list[tuple[Cell, ...]] = []
    for label in CLASS_SIZES:
        near = math.dist(of_two(label), (DESIRED, DESIRED))
        rows.append((label, *of_two(label), near, Rank().value(sizes(label))))
    return ReproducedTable(
        title=f"Fig. 2: the rank is the distance from D_max, everybody in a class of {DESIRED}",
        columns=(
            ("recoding", ""),
            (f"class size, person {TWO[0]}", ",.0f"),
            (f"person {TWO[1]}", ",.0f"),
            ("rank of the two", ".3f"),
            ("P_rank, all ten", ".3f"),
        ),
        rows=tuple(rows),
    )


def pair_table() -> ReproducedTable:
    """Return the indices of figs 3 and 4, either way round."""
    pair = CommonRefinement.of(sizes(FIRST), sizes(SECOND))
    one, other = of_two(FIRST), of_two(SECOND)
    shared = math.prod(map(min, one, other))
    everybody = [by_person(sizes(label)) for label in (FIRST, SECOND)]
    common = math.prod(map(min, *everybody))
    rows: list[tuple[Cell, ...]] = [
        ("P_cov, all ten", *Coverage().values(pair)),
        ("P_spr, all ten", *Spread().values(pair)),
        ("P_hv, the two", math.prod(one) - shared, math.prod(other) - shared),
        ("P_hv, all ten", *(math.prod(each) - common for each in everybody)),
        ("log Π, all ten", *Hypervolume().values(pair)),
    ]
    return ReproducedTable(
        title=f"Figs 3 and 4: {FIRST} against {SECOND}, and {SECOND} against {FIRST}",
        columns=(("index", ""), (FIRST, ",.4g"), (SECOND, ",.4g")),
        rows=tuple(rows),
    )


def _draw_ranks(figure: Figure) -> None:
    from matplotlib.patches import Arc

    axes = figure.subplots()
    axes.plot(DESIRED, DESIRED, "*", color=INK, markersize=12, clip_on=False)
    axes.annotate("D_max", (DESIRED, DESIRED), (-34, -14), textcoords="offset points")
    for label, colour in COLOURS.items():
        point = of_two(label)
        width = 2 * math.dist(point, (DESIRED, DESIRED))
        arc = Arc(
            (DESIRED, DESIRED), width, width, theta1=180, theta2=270, color=colour, linestyle="--"
        )
        axes.add_patch(arc)
        axes.plot(*point, "o", color=colour)
        axes.annotate(
            f"{label}: {width / 2:.2f}", point, (7, 5), textcoords="offset points", color=colour
        )
    axes.set(xlim=(0, DESIRED), ylim=(0, DESIRED), aspect="equal")
    axes.set(xlabel=f"class size of person {TWO[0]}", ylabel=f"class size of person {TWO[1]}")


def _draw_spread(figure: Figure) -> None:
    axes = figure.subplots()
    one, other = (by_person(sizes(label)) for label in (FIRST, SECOND))
    people = range(1, len(PEOPLE) + 1)
    for person, first, second in zip(people, one, other, strict=True):
        ahead = FIRST if first > second else SECOND
        axes.plot((person, person), (first, second), color=COLOURS[ahead], linewidth=5, alpha=0.3)
    for label, values, marker in ((FIRST, one, "o"), (SECOND, other, "s")):
        axes.plot(people, values, marker, color=COLOURS[label], label=label, clip_on=False)
    axes.set(xlabel="person", ylabel="class size", xticks=people, ylim=(0, 8))
    axes.set_title("a bar in the colour of the one that is ahead; P_spr is the length of its bars")
    axes.legend(loc="lower right", ncols=2)


def _draw_volumes(figure: Figure) -> None:
    from matplotlib.patches import Rectangle

    axes = figure.subplots()
    one, other = of_two(FIRST), of_two(SECOND)
    shared = (min(one[0], other[0]), min(one[1], other[1]))
    for label, point in ((FIRST, one), (SECOND, other)):
        colour = COLOURS[label]
        axes.add_patch(Rectangle((0, 0), *point, facecolor=colour, alpha=0.25, edgecolor=colour))
        axes.plot(*point, "o", color=colour)
        alone = math.prod(point) - math.prod(shared)
        text = f"{label}: {alone:.0f} more"
        axes.annotate(text, point, (6, 4), textcoords="offset points", color=colour)
    axes.text(shared[0] / 2, shared[1] / 2, f"both: {math.prod(shared):.0f}", ha="center")
    axes.set(xlim=(0, 9), ylim=(0, 6))
    axes.set(xlabel=f"class size of person {TWO[0]}", ylabel=f"class size of person {TWO[1]}")
