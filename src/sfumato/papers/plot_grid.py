"""Panels of any kind in rows, under one title and above one legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sfumato.papers.plot_axes import GRID, Area, picture
from sfumato.papers.series_plot import key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.papers.series_plot import Series

PANEL_WIDTH, PANEL_HEIGHT = 400, 330
LEFT, RIGHT, TOP, BOTTOM = 84, 16, 40, 56
HEADING, LEGEND = 32, 30


class Panel(Protocol):
    """What can be drawn into an area."""

    def draw(self, area: Area) -> list[str]:
        """Return the parts of the picture."""


@dataclass(frozen=True, kw_only=True)
class Inset:
    """A small panel inside another: its sides as shares of the other's width and height."""

    panel: Panel
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True, kw_only=True)
class WithInsets:
    """A panel with small ones where it is empty."""

    panel: Panel
    insets: tuple[Inset, ...]

    def draw(self, area: Area) -> list[str]:
        """Return the parts of the picture."""
        parts = self.panel.draw(area)
        width, height = area.right - area.left, area.bottom - area.top
        for inset in self.insets:
            inside = Area(
                left=area.left + inset.left * width,
                right=area.left + inset.right * width,
                top=area.top + inset.top * height,
                bottom=area.top + inset.bottom * height,
            )
            parts.append(
                f'<rect x="{inside.left - 44:.1f}" y="{inside.top - 28:.1f}" '
                f'width="{inside.right - inside.left + 58:.1f}" '
                f'height="{inside.bottom - inside.top + 54:.1f}" fill="#ffffff" stroke="{GRID}"/>'
            )
            parts += ['<g font-size="10.5">', *inset.panel.draw(inside), "</g>"]
        return parts


def grid_svg(
    title: str,
    rows: Sequence[Sequence[Panel]],
    *,
    legend: Sequence[Series] = (),
    panel_width: float = PANEL_WIDTH,
    panel_height: float = PANEL_HEIGHT,
) -> str:
    """Return a picture of rows of panels; a row with fewer panels than another has wider ones."""
    width = panel_width * max(map(len, rows))
    parts: list[str] = []
    for down, row in enumerate(rows):
        across = width / len(row)
        for place, panel in enumerate(row):
            area = Area(
                left=across * place + LEFT,
                right=across * (place + 1) - RIGHT,
                top=HEADING + panel_height * down + TOP,
                bottom=HEADING + panel_height * (down + 1) - BOTTOM,
            )
            parts += panel.draw(area)
    height = HEADING + panel_height * len(rows) + (LEGEND if legend else 0)
    x = float(LEFT)
    for series in legend:
        parts += key(series, x, height - LEGEND / 2)
        x += 62 + 6.6 * len(series.name)
    return picture(title, width, height, parts)
