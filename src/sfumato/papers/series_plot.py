"""Lines with bands, steps and dots against two axes, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from sfumato.papers.plot_axes import INK, Area, Axis, horizontal_axis, text, vertical_axis

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.papers.plot_axes import Scale

Drawn = Literal["line", "steps", "dots", "rings"]


@dataclass(frozen=True, kw_only=True)
class Series:
    """Points that belong together, and how they are drawn; a band lies from ``low`` to ``high``."""

    name: str
    colour: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    drawn: Drawn = "line"
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    dashed: bool = False


@dataclass(frozen=True, kw_only=True)
class Sign:
    """A letter beside a point, to speak of it."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, kw_only=True)
class SeriesPanel:
    """A coordinate system with series.

    ``box`` is a region (least x, least y, greatest x, greatest y) that is drawn as a rectangle;
    what lies in it may be magnified in another panel.
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    signs: tuple[Sign, ...] = ()
    box: tuple[float, float, float, float] | None = None

    def draw(self, area: Area) -> list[str]:
        """Return the parts of the picture."""
        ys = [
            figure
            for each in self.series
            for part in (each.y, each.low, each.high)
            for figure in part
        ]
        upward, y_of = vertical_axis(area, self.y, ys)
        along, x_of = horizontal_axis(area, self.x, [x for each in self.series for x in each.x])
        title = text(
            (area.left + area.right) / 2, area.top - 12, self.title, more='font-weight="600"'
        )
        parts = [title, *upward, *along]
        for each in self.series:
            parts += _series(each, x_of, y_of)
        for sign in self.signs:
            x, y = x_of(sign.x), y_of(sign.y)
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="{INK}" '
                'stroke-width="1.5"/>'
            )
            parts.append(text(x - 10, y - 8, sign.words, more='font-weight="600"'))
        if self.box is not None:
            left, bottom, right, top = self.box
            x, y = x_of(left), y_of(top)
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{x_of(right) - x:.1f}" '
                f'height="{y_of(bottom) - y:.1f}" fill="none" stroke="{INK}" '
                'stroke-dasharray="4 3"/>'
            )
        return parts


def key(series: Series, x: float, y: float) -> list[str]:
    """Return the entry of a series in a legend that begins at a place."""
    if series.drawn in ("dots", "rings"):
        mark = _circle(x + 11, y - 4, series)
    else:
        mark = _stroke(f"M {x:.1f} {y - 4:.1f} h 22", series)
    return [mark, text(x + 28, y, series.name, anchor="start")]


def _series(series: Series, x_of: Scale, y_of: Scale) -> list[str]:
    places = [(x_of(x), y_of(y)) for x, y in zip(series.x, series.y, strict=True)]
    if series.drawn in ("dots", "rings"):
        return [_circle(x, y, series) for x, y in places]
    parts = []
    if series.low:
        upper = [(x_of(x), y_of(y)) for x, y in zip(series.x, series.high, strict=True)]
        lower = [(x_of(x), y_of(y)) for x, y in zip(series.x, series.low, strict=True)]
        around = _path([*upper, *reversed(lower)])
        parts.append(f'<path d="{around} Z" fill="{series.colour}" fill-opacity="0.18"/>')
    line = _path(places if series.drawn == "line" else _corners(places))
    return [*parts, _stroke(line, series)]


def _corners(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a staircase that stays until the next point, then rises."""
    corners = list(places[:1])
    for (_, y), (next_x, next_y) in pairwise(places):
        corners += [(next_x, y), (next_x, next_y)]
    return corners


def _path(places: Iterable[tuple[float, float]]) -> str:
    return "M " + " L ".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _stroke(path: str, series: Series) -> str:
    dashes = ' stroke-dasharray="6 3"' if series.dashed else ""
    return f'<path d="{path}" fill="none" stroke="{series.colour}" stroke-width="1.8"{dashes}/>'


def _circle(x: float, y: float, series: Series) -> str:
    if series.drawn == "rings":
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6" fill="none" stroke="{series.colour}" '
            'stroke-width="1.4"/>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{series.colour}"/>'
