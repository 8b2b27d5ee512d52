"""What a plot draws, as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from sfumato.papers.plot import Plot


def drawn(plot: Plot) -> Figure:
    """The figure of a plot."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    plot.draw(figure)
    return figure


def points_of(line: Line2D) -> list[tuple[float, float]]:
    """The points of a line, or of markers."""
    return [(x, y) for x, y in np.asarray(line.get_xydata()).tolist()]
