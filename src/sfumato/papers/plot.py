"""Plots of reproductions: what to draw is known at once, and drawn by matplotlib when asked."""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


INSTALL = "pip install 'sfumato[papers]'"


def installed(package: Literal["matplotlib", "scipy"]) -> bool:
    """Return whether a package of the extra can be imported."""
    return find_spec(package) is not None


def require(package: Literal["matplotlib", "scipy"], *, purpose: str) -> None:
    """Refuse to begin where a package of the extra is missing.

    >>> require("scipy", purpose="The rank tests")
    """
    if not installed(package):
        raise SettingsError(
            f"{purpose} need {package}, which is not installed",
            code="not-installed",
            found=repr(package),
            remedy=INSTALL,
        )


BLUE, ORANGE, PURPLE, GREEN, INK = "#1f6feb", "#d1571f", "#7a3fb8", "#2a8f5b", "#24292f"

STYLE = {
    "svg.hashsalt": "sfumato",
    "svg.fonttype": "none",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": "#9ca3af",
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e5e7eb",
    "grid.linewidth": 0.8,
    "xtick.color": "#6b7280",
    "ytick.color": "#6b7280",
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.titlesize": 12,
    "figure.titleweight": "bold",
    "figure.constrained_layout.h_pad": 0.1,
    "figure.constrained_layout.w_pad": 0.1,
}


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture: the name of its file without the ending, its title, and how it is drawn.

    ``size`` is its width and height in inches.
    """

    name: str
    title: str
    draw: Callable[[Figure], None]
    size: tuple[float, float] = (9.5, 4.2)

    def svg(self) -> str:
        """Return the picture as SVG; the same plot gives the same text.

        >>> def diagonal(figure: Figure) -> None:
        ...     figure.subplots().plot([0, 1], [0, 1])
        >>> plot = Plot(name="diagonal", title="a diagonal", draw=diagonal)
        >>> plot.svg() == plot.svg()
        True
        """
        require("matplotlib", purpose="Plots")
        from matplotlib import style
        from matplotlib.figure import Figure

        with style.context(STYLE):
            figure = Figure(figsize=self.size, layout="constrained")
            figure.suptitle(self.title)
            self.draw(figure)
            text = io.StringIO()
            figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        return text.getvalue()


def scale_axes(axes: Axes, *, logarithmic: Literal["", "x", "y"] = "") -> None:
    """Write the numbers of both axes in full, with commas, one of them on a logarithmic scale."""
    if logarithmic == "x":
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter("")
    elif logarithmic == "y":
        axes.set_yscale("log")
        axes.yaxis.set_minor_formatter("")
    axes.xaxis.set_major_formatter("{x:,.10g}")
    axes.yaxis.set_major_formatter("{x:,.10g}")
