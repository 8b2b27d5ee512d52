"""Scatter plots of fronts as SVG, written by hand: no drawing library is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.papers.plot_axes import (
    Area,
    Axis,
    horizontal_axis,
    picture,
    short,
    text,
    vertical_axis,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

PANEL_WIDTH, PANEL_HEIGHT = 470, 380
LEFT, RIGHT, TOP, BOTTOM = 76, 22, 74, 96
RAMP = ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725")
"""The stops of viridis, which is also told apart without colour vision."""
ONE_COLOUR = "#1f6feb"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A solution: its place, its third figure if there is one, and the share of runs with it."""

    x: float
    y: float
    shade: float | None
    found: float


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A coordinate system with marks; ``shade`` names the third figure."""

    title: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    shade: str | None = None


def scatter_svg(title: str, panels: Sequence[Panel]) -> str:
    """Return a picture of panels side by side.

    Every mark is a ring, filled as strongly as the share of runs that found the solution.
    """
    parts = []
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({PANEL_WIDTH * place} 24)">')
        parts += _panel(panel)
        parts.append("</g>")
    return picture(title, PANEL_WIDTH * len(panels), PANEL_HEIGHT + 24, parts)


def _panel(panel: Panel) -> list[str]:
    right, bottom = PANEL_WIDTH - RIGHT, PANEL_HEIGHT - BOTTOM
    area = Area(left=LEFT, right=right, top=TOP, bottom=bottom)
    upward, y_of = vertical_axis(area, panel.y, [mark.y for mark in panel.marks])
    along, x_of = horizontal_axis(area, panel.x, [mark.x for mark in panel.marks])
    title = text((LEFT + right) / 2, TOP - 20, panel.title, more='font-weight="600"')
    parts = [title, *upward, *along]
    shades = [mark.shade for mark in panel.marks if mark.shade is not None]
    for mark in panel.marks:
        colour = ONE_COLOUR if mark.shade is None else _colour(_share(mark.shade, shades))
        parts.append(
            f'<circle cx="{x_of(mark.x):.1f}" cy="{y_of(mark.y):.1f}" r="3.6" fill="{colour}" '
            f'fill-opacity="{mark.found:.2f}" stroke="{colour}" stroke-width="1.2"/>'
        )
    if panel.shade is not None and shades:
        parts += _shade_legend(panel.shade, shades, PANEL_HEIGHT - 34)
    return parts


def _shade_legend(name: str, shades: Sequence[float], y: float) -> list[str]:
    steps = 40
    cells = [
        f'<rect x="{150 + 4 * i}" y="{y}" width="4.2" height="9" '
        f'fill="{_colour(i / (steps - 1))}"/>'
        for i in range(steps)
    ]
    return [
        *cells,
        text(142, y + 9, f"{name}: {short(min(shades))}", anchor="end"),
        text(154 + 4 * steps, y + 9, short(max(shades)), anchor="start"),
    ]


def _share(figure: float, figures: Sequence[float]) -> float:
    least, greatest = min(figures), max(figures)
    return (figure - least) / (greatest - least) if greatest > least else 0.0


def _colour(share: float) -> str:
    """Return the colour of a share from 0 to 1.

    >>> _colour(0.0), _colour(1.0)
    ('#440154', '#fde725')
    """
    place = share * (len(RAMP) - 1)
    first = min(int(place), len(RAMP) - 2)
    low, high = (
        [int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in (RAMP[first], RAMP[first + 1])
    )
    mixed = [round(a + (b - a) * (place - first)) for a, b in zip(low, high, strict=True)]
    return "#" + "".join(f"{each:02x}" for each in mixed)
