"""The plots of figs 4 and 5 of the Crossover paper: loss by evaluations, and final losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.papers.crossover.tables import name_of
from sfumato.papers.plot import scale_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sfumato.papers.crossover.trials import Trials


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The trials of a setting, and how they are drawn."""

    trials: Trials
    name: str
    colour: str
    dashed: bool = False


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Curves in one coordinate system."""

    title: str
    curves: tuple[Curve, ...]


def draw_trials(figure: Figure, panels: Sequence[Panel], finals: Sequence[Curve]) -> None:
    """Draw the panels of curves side by side, and below them the box plots of the final losses."""
    grid = figure.add_gridspec(2, len(panels), height_ratios=(1.1, 1))
    first: Axes | None = None
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(grid[0, place], sharey=first)
        for curve in panel.curves:
            draw_curve(axes, curve)
        scale_axes(axes, logarithmic="x")
        axes.set(title=panel.title, xlabel="evaluations (logarithmic)")
        if first is None:
            first = axes
            axes.set_ylabel("least loss so far (cells)")
        else:
            axes.tick_params(labelleft=False)
    axes.legend(loc="upper right")
    _draw_boxes(figure.add_subplot(grid[1, :]), finals)


def draw_curve(axes: Axes, curve: Curve) -> None:
    """Draw the median of the least losses so far, and a band between the quartiles."""
    x = curve.trials.evaluations
    low, median, high = np.quantile(curve.trials.best, (0.25, 0.5, 0.75), axis=0)
    axes.fill_between(x, low, high, color=curve.colour, alpha=0.18, linewidth=0)
    style = "dashed" if curve.dashed else "solid"
    axes.plot(x, median, color=curve.colour, linestyle=style, label=curve.name)


def _draw_boxes(axes: Axes, finals: Sequence[Curve]) -> None:
    """Draw quartiles and extremes, and every trial as a dot beside its box."""
    places = range(len(finals))
    boxes = axes.boxplot(
        [curve.trials.final for curve in finals],
        positions=places,
        widths=0.42,
        whis=(0, 100),
        patch_artist=True,
        showfliers=False,
    )
    for place, curve in zip(places, finals, strict=True):
        colour = curve.colour
        boxes["boxes"][place].set(facecolor=f"{colour}40", edgecolor=colour)
        boxes["medians"][place].set(color=colour, linewidth=2.4)
        final = curve.trials.final
        axes.plot(np.full(len(final), place + 0.3), final, ".", color=colour, alpha=0.6)
    for part in ("whiskers", "caps"):
        for place, line in enumerate(boxes[part]):
            line.set(color=finals[place // 2].colour)
    scale_axes(axes)
    axes.set_xticks(places, [name_of(curve.trials) for curve in finals])
    axes.set(title=f"the best of each of {len(finals[0].trials.final)} trials")
    axes.set_ylabel("final loss (cells)")
