"""Draws docs/pictures/adult-front.svg: Adult's exact k-loss fronts at three suppression limits.

Run from the repository's root: ``python -m docs.pictures.adult_front``. It needs the extra
``papers``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.classes.suppression import limited
from sfumato.datasets.adult import adult
from sfumato.papers.plot import BLUE, Plot, scale_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LIMITS = (
    (0.0, "#9aa5b1", "none suppressed"),
    (0.01, BLUE, "up to 1 %"),
    (0.1, "#d97706", "up to 10 %"),
)
TICKS = (1, 2, 5, 10, 20, 50, 100, 1000, 10_000)


def draw(figure: Figure) -> None:
    """Search three times and draw the fronts: dots, and the least loss for every k as a line."""
    axes = figure.subplots()
    scale_axes(axes, logarithmic="x")
    study = adult(objectives=("k", "normalized-loss"))
    for limit, colour, name in LIMITS:
        result = replace(study, suppression=limited(limit)).search()
        assert result.exact
        k = [solution.values["k"] for solution in result.front]
        loss = [solution.values["normalized-loss"] for solution in result.front]
        axes.step((1, *k), (loss[0], *loss), where="pre", color=colour, alpha=0.55)
        label = f"{name}: {len(result.front)} solutions"
        axes.plot(k, loss, "o", color=colour, markersize=4.5, clip_on=False, label=label)
    axes.legend(loc="lower right")
    axes.set(xlim=(0.95, 32_000), xticks=TICKS, ylim=(0, 1))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("k: the size of the smallest equivalence class (logarithmic)")
    axes.set_ylabel("information loss (share of all cells)")


def main() -> None:
    """Write the picture."""
    plot = Plot(
        name="adult-front",
        title="Every Pareto-optimal global recoding of Adult",
        draw=draw,
        size=(7.9, 4.5),
    )
    Path(__file__).with_name(f"{plot.name}.svg").write_text(plot.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
