"""Scatter plots of fronts as SVG, written by hand: no drawing library is needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PANEL_WIDTH, PANEL_HEIGHT = 470, 380
LEFT, RIGHT, TOP, BOTTOM = 76, 22, 74, 96
INK, GRID, PALE = "#24292f", "#e5e7eb", "#6b7280"
RAMP = ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725")
"""The stops of viridis, which is also told apart without colour vision."""
ONE_COLOUR = "#1f6feb"


@dataclass(frozen=True, kw_only=True)
class Axis:
    """What a figure is called, and whether its axis is logarithmic."""

    name: str
    logarithmic: bool = False


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
    width = PANEL_WIDTH * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {PANEL_HEIGHT + 24}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{width}" height="{PANEL_HEIGHT + 24}" fill="#ffffff"/>',
        _text(16, 24, title, anchor="start", more='font-size="15" font-weight="600"'),
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({PANEL_WIDTH * place} 24)">')
        parts += _panel(panel)
        parts.append("</g>")
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _panel(panel: Panel) -> list[str]:
    right, bottom = PANEL_WIDTH - RIGHT, PANEL_HEIGHT - BOTTOM
    x_of = _scale([mark.x for mark in panel.marks], panel.x, LEFT, right)
    y_of = _scale([mark.y for mark in panel.marks], panel.y, bottom, TOP)
    parts = [_text((LEFT + right) / 2, TOP - 20, panel.title, more='font-weight="600"')]
    for tick in _ticks([mark.y for mark in panel.marks], panel.y):
        y = y_of(tick)
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
        parts.append(_text(LEFT - 8, y + 4, _short(tick), anchor="end"))
    for tick in _ticks([mark.x for mark in panel.marks], panel.x):
        x = x_of(tick)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 5}" stroke="{PALE}"/>'
        )
        parts.append(_text(x, bottom + 19, _short(tick)))
    parts.append(_text((LEFT + right) / 2, bottom + 38, _named(panel.x)))
    middle = (TOP + bottom) / 2
    parts.append(
        f'<g transform="rotate(-90 16 {middle:.1f})">' + _text(16, middle, _named(panel.y)) + "</g>"
    )
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
        _text(142, y + 9, f"{name}: {_short(min(shades))}", anchor="end"),
        _text(154 + 4 * steps, y + 9, _short(max(shades)), anchor="start"),
    ]


def _text(x: float, y: float, words: str, *, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def _named(axis: Axis) -> str:
    return f"{axis.name} (logarithmic)" if axis.logarithmic else axis.name


class _scale:  # noqa: N801 - used as a function
    """Places a figure between two coordinates."""

    def __init__(self, figures: Sequence[float], axis: Axis, start: float, end: float) -> None:
        self._axis = axis
        least, greatest = self._on(min(figures)), self._on(max(figures))
        room = 0.04 * (greatest - least) or 1.0
        self._least, self._width = least - room, greatest - least + 2 * room
        self._start, self._end = start, end

    def _on(self, figure: float) -> float:
        return math.log10(figure) if self._axis.logarithmic else figure

    def __call__(self, figure: float) -> float:
        share = (self._on(figure) - self._least) / self._width
        return self._start + share * (self._end - self._start)


def _ticks(figures: Sequence[float], axis: Axis) -> list[float]:
    """Return round figures along an axis.

    >>> _ticks([0.0, 9.0], Axis(name="loss"))
    [0.0, 2.0, 4.0, 6.0, 8.0]
    >>> _ticks([1.0, 30162.0], Axis(name="k", logarithmic=True))
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


def _short(figure: float) -> str:
    """Return a figure for an axis.

    >>> _short(200_000), _short(0.25), _short(9.1e8)
    ('200 k', '0.25', '910 M')
    """
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if abs(figure) >= unit:
            return f"{figure / unit:.4g}{name}"
    return f"{figure:.4g}"


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
