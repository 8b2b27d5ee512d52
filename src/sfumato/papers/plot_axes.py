"""What all plots share: axes with round figures, a frame for a coordinate system, SVG text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INK, GRID, PALE = "#24292f", "#e5e7eb", "#6b7280"


@dataclass(frozen=True, kw_only=True)
class Axis:
    """What a figure is called, if anything, and whether its axis is logarithmic."""

    name: str
    logarithmic: bool = False

    @property
    def named(self) -> str:
        """What is written along the axis."""
        return f"{self.name} (logarithmic)" if self.logarithmic else self.name


@dataclass(frozen=True, kw_only=True)
class Area:
    """Where a coordinate system lies in a picture: the sides of its frame."""

    left: float
    right: float
    top: float
    bottom: float


class Scale:
    """Places a figure between two coordinates, with a little room beyond the extremes.

    >>> Scale([0.0, 100.0], Axis(name="k"), 0, 108)(50.0)
    54.0
    """

    def __init__(self, figures: Sequence[float], axis: Axis, start: float, end: float) -> None:
        self._axis = axis
        least, greatest = self._on(min(figures)), self._on(max(figures))
        room = 0.04 * (greatest - least) or 1.0
        self._least, self._width = least - room, greatest - least + 2 * room
        self._start, self._end = start, end

    def _on(self, figure: float) -> float:
        return math.log10(figure) if self._axis.logarithmic else figure

    def __call__(self, figure: float) -> float:
        """Return the coordinate of a figure."""
        share = (self._on(figure) - self._least) / self._width
        return self._start + share * (self._end - self._start)


def vertical_axis(area: Area, axis: Axis, figures: Sequence[float]) -> tuple[list[str], Scale]:
    """Return lines across the area with their figures and the name, and the scale."""
    place = Scale(figures, axis, area.bottom, area.top)
    parts = []
    for tick in ticks(figures, axis):
        y = place(tick)
        parts.append(
            f'<line x1="{area.left:g}" x2="{area.right:g}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{GRID}"/>'
        )
        parts.append(text(area.left - 8, y + 4, short(tick), anchor="end"))
    middle, x = (area.top + area.bottom) / 2, area.left - 60
    if axis.name:
        parts.append(
            f'<g transform="rotate(-90 {x:g} {middle:.1f})">' + text(x, middle, axis.named) + "</g>"
        )
    return parts, place


def horizontal_axis(area: Area, axis: Axis, figures: Sequence[float]) -> tuple[list[str], Scale]:
    """Return short lines below the area with their figures and the name, and the scale."""
    place = Scale(figures, axis, area.left, area.right)
    parts = []
    for tick in ticks(figures, axis):
        x = place(tick)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{area.bottom:g}" y2="{area.bottom + 5:g}" '
            f'stroke="{PALE}"/>'
        )
        parts.append(text(x, area.bottom + 19, short(tick)))
    if axis.name:
        parts.append(text((area.left + area.right) / 2, area.bottom + 38, axis.named))
    return parts, place


def text(x: float, y: float, words: str, *, anchor: str = "middle", more: str = "") -> str:
    """Return words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def picture(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    """Return a whole SVG with a title above its parts."""
    return (
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
                f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
                f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
                text(16, 24, title, anchor="start", more='font-size="15" font-weight="600"'),
                *parts,
                "</svg>",
            ]
        )
        + "\n"
    )


def ticks(figures: Sequence[float], axis: Axis) -> list[float]:
    """Return round figures along an axis.

    >>> ticks([0.0, 9.0], Axis(name="loss"))
    [0.0, 2.0, 4.0, 6.0, 8.0]
    >>> ticks([1.0, 30162.0], Axis(name="k", logarithmic=True))
    [1.0, 10.0, 100.0, 1000.0, 10000.0]
    """
    least, greatest = min(figures), max(figures)
    if least == greatest:
        return [least]
    if axis.logarithmic:
        powers = range(math.floor(math.log10(least)), math.ceil(math.log10(greatest)) + 1)
        round_figures = [m * 10.0**p for p in powers for m in (1, 2, 5)]
        inside = [figure for figure in round_figures if least <= figure <= greatest]
        tens = [figure for figure in inside if math.log10(figure).is_integer()]
        return tens if len(tens) >= 3 else inside
    rough = (greatest - least) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    return [i * step for i in range(math.ceil(least / step), math.floor(greatest / step) + 1)]


def short(figure: float) -> str:
    """Return a figure for an axis.

    >>> short(200_000), short(0.25), short(9.1e8)
    ('200 k', '0.25', '910 M')
    """
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if abs(figure) >= unit:
            return f"{figure / unit:.4g}{name}"
    return f"{figure:.4g}"
