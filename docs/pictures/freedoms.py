"""Draws docs/pictures/freedoms.svg: Adult's k-loss fronts, from global to local recoding.

Run from the repository's root: ``python -m docs.pictures.freedoms``. It needs the extra
``papers``, and takes a minute.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.datasets.adult import adult
from sfumato.microdata.output import Output
from sfumato.microdata.roles import Role
from sfumato.papers.plot import BLUE, Plot, scale_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sfumato.front.front import Front

LARGEST = 100
GREEN = "#2f7a4c"
TICKS = (1, 2, 5, 10, 20, 50, 100)
FREEDOMS = (
    ("global", BLUE, "o", "global recodings, exact"),
    ("partitions", "#8a3f82", "D", "partitions of columns, best found"),
    ("local", "#d97706", "^", "local recodings, nodes of hierarchies, best found"),
)


def draw(figure: Figure) -> None:
    """Search, and draw the fronts and the bounds that are proven for local recodings."""
    axes = figure.subplots()
    scale_axes(axes, logarithmic="x")
    study = adult(objectives=("k", "normalized-loss"))
    free = [
        replace(each, constrained=False) if each.role is Role.QUASI_IDENTIFYING else each
        for each in study.attributes
    ]
    found = replace(study, attributes=free, space=["lattice", "partitions", "local"]).search()
    for freedom, colour, marker, name in FREEDOMS:
        _draw_front(axes, found.front.with_freedom(freedom), colour, marker, name)
    attributes = [
        replace(each, output=Output.SET) if each.role is Role.QUASI_IDENTIFYING else each
        for each in study.attributes
    ]
    sets = replace(study, space="local", attributes=attributes).search()
    _draw_front(axes, sets.front, GREEN, "s", "local recodings, sets of values, best found")
    for result, colour in ((found, FREEDOMS[-1][1]), (sets, GREEN)):
        assert result.loss_bounds is not None
        axes.plot(*zip(*result.loss_bounds.items(), strict=True), ":", color=colour)
    axes.plot([], [], ":", color="#6b7280", label="proven: no local recoding loses less")
    axes.legend(loc="upper left")
    axes.set(xlim=(0.95, LARGEST * 1.1), xticks=TICKS, ylim=(0, 0.62))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("k: the size of the smallest equivalence class (logarithmic)")
    axes.set_ylabel("information loss (share of all cells)")


def _draw_front(axes: Axes, front: Front, colour: str, marker: str, name: str) -> None:
    """Draw solutions as dots, and the least loss for every k as a line."""
    points = [(each.values["k"], each.values["normalized-loss"]) for each in front]
    k, loss = zip(*points, strict=True)
    axes.step((1, *k), (loss[0], *loss), where="pre", color=colour, alpha=0.55)
    axes.plot(k, loss, marker, color=colour, markersize=4, label=name)


def main() -> None:
    """Write the picture."""
    plot = Plot(
        name="freedoms",
        title="30,162 people of Adult, up to 1 % suppressed: what freedom of recoding buys",
        draw=draw,
        size=(7.9, 4.5),
    )
    Path(__file__).with_name(f"{plot.name}.svg").write_text(plot.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
