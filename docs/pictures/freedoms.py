"""Draws docs/pictures/freedoms.svg: the demo's k-loss fronts, from global to local recoding.

Run from the repository's root: ``python -m docs.pictures.freedoms``. It needs the extra
``papers``, and takes some minutes.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.datasets.hospital import write_hospital
from sfumato.papers.plot import BLUE, Plot, scale_axes
from sfumato.search.methods.local.ruin_and_recreate import RuinAndRecreateSettings
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sfumato.search.result import SearchResult

LARGEST = 100
FREEDOMS = (
    ("global", BLUE, "o", "global recoding, exact"),
    ("partitions", "#8a3f82", "D", "partitions of the columns, best found"),
    ("local", "#2f7a4c", "^", "local recoding, best found"),
)
TICKS = (1, 2, 5, 10, 20, 50, 100)


def searched() -> SearchResult:
    """Search the three spaces of the demo's hospital."""
    with tempfile.TemporaryDirectory() as folder:
        study = read_study_file(write_hospital(folder).study).study
        three = replace(
            study, space=["lattice", "partitions", "local"], objectives=("k", "normalized-loss")
        )
        settings = RuinAndRecreateSettings(largest_k=LARGEST)
        return three.search(settings={"ruin-and-recreate": settings})


def draw(figure: Figure) -> None:
    """Draw the fronts: dots, and the least loss for every k as a line; and the proved bound."""
    axes = figure.subplots()
    scale_axes(axes, logarithmic="x")
    result = searched()
    for freedom, colour, marker, name in FREEDOMS:
        front = result.front.with_freedom(freedom)
        points = [(s.values["k"], s.values["normalized-loss"]) for s in front]
        shown = [(k, loss) for k, loss in points if k <= LARGEST]
        beyond = min((p for p in points if p[0] > LARGEST), default=None)
        k, loss = ([p[place] for p in shown] for place in (0, 1))
        ends = [*shown, *([] if beyond is None else [beyond])]
        axes.step(
            [1, *(p[0] for p in ends)],
            [ends[0][1], *(p[1] for p in ends)],
            where="pre",
            color=colour,
            alpha=0.55,
        )
        axes.plot(k, loss, marker, color=colour, markersize=4.5, label=name)
    assert result.loss_bounds is not None
    bounds = {k: loss for k, loss in result.loss_bounds.items() if k <= LARGEST}
    axes.plot(
        list(bounds),
        list(bounds.values()),
        ":",
        color="#6b7280",
        label="proved bound: no recoding loses less",
    )
    axes.legend(loc="upper left")
    axes.set(xlim=(0.95, LARGEST * 1.1), xticks=TICKS, ylim=(0, 0.6))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("k: the size of the smallest equivalence class (logarithmic)")
    axes.set_ylabel("information loss (share of all cells)")


def main() -> None:
    """Write the picture."""
    plot = Plot(
        name="freedoms",
        title="20,000 hospital patients: what freedom of recoding buys",
        draw=draw,
        size=(7.9, 4.5),
    )
    Path(__file__).with_name(f"{plot.name}.svg").write_text(plot.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
