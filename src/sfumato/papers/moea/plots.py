"""What both plots of the MOEA chapter draw: the front of NSGA-II above that of the lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from sfumato.papers.plot import BLUE, ORANGE, scale_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Points: TypeAlias = tuple[tuple[float, float], ...]


def draw_fronts(
    axes: Axes,
    found: Points,
    lattice: Points,
    *,
    legend: Literal["upper left", "lower right"] | None = None,
) -> None:
    """Draw the points of NSGA-II as dots, those of the exact front of the lattice as rings."""
    for points, marker, colour, size, name in (
        (lattice, "o", ORANGE, 6.5, "exact front of the lattice"),
        (found, ".", BLUE, 5, "NSGA-II, partitions"),
    ):
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            marker,
            color=colour,
            markersize=size,
            fillstyle="none" if marker == "o" else "full",
            label=name,
        )
    scale_axes(axes)
    if legend is not None:
        axes.legend(loc=legend)
