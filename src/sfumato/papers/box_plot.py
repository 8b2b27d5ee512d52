"""Box plots as SVG: the median, the quartiles and the extremes of groups of figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.papers.plot_axes import Area, Axis, text, vertical_axis

if TYPE_CHECKING:
    from sfumato.papers.plot_axes import Scale

BOX_WIDTH = 36


@dataclass(frozen=True, kw_only=True)
class Box:
    """A group of figures; its box goes from the first to the third quartile."""

    name: str
    colour: str
    figures: tuple[float, ...]

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """The first quartile, the median and the third quartile, by linear interpolation.

        >>> Box(name="a", colour="", figures=(1, 2, 3, 4, 10)).quartiles
        (2.0, 3.0, 4.0)
        """
        first, median, third = np.quantile(self.figures, (0.25, 0.5, 0.75)).tolist()
        return first, median, third


@dataclass(frozen=True, kw_only=True)
class BoxPanel:
    """Boxes side by side; lines go on to the least and the greatest, dots are the figures."""

    title: str
    y: Axis
    boxes: tuple[Box, ...]

    def draw(self, area: Area) -> list[str]:
        """Return the parts of the picture."""
        upward, y_of = vertical_axis(area, self.y, [f for box in self.boxes for f in box.figures])
        middle = (area.left + area.right) / 2
        parts = [text(middle, area.top - 12, self.title, more='font-weight="600"'), *upward]
        step = (area.right - area.left) / len(self.boxes)
        for place, box in enumerate(self.boxes):
            x = area.left + (place + 0.5) * step
            parts += _box(box, x, y_of)
            parts.append(text(x, area.bottom + 19, box.name))
        return parts


def _box(box: Box, x: float, y_of: Scale) -> list[str]:
    first, median, third = map(y_of, box.quartiles)
    least, greatest = y_of(min(box.figures)), y_of(max(box.figures))
    left, right, half = x - BOX_WIDTH / 2, x + BOX_WIDTH / 2, BOX_WIDTH / 4
    strokes = (
        f"M {x:.1f} {greatest:.1f} V {third:.1f} M {x:.1f} {first:.1f} V {least:.1f} "
        f"M {x - half:.1f} {greatest:.1f} h {2 * half:g} "
        f"M {x - half:.1f} {least:.1f} h {2 * half:g}"
    )
    return [
        f'<path d="{strokes}" fill="none" stroke="{box.colour}" stroke-width="1.3"/>',
        f'<rect x="{left:.1f}" y="{third:.1f}" width="{BOX_WIDTH}" '
        f'height="{max(0.5, first - third):.1f}" fill="{box.colour}" fill-opacity="0.25" '
        f'stroke="{box.colour}" stroke-width="1.3"/>',
        f'<path d="M {left:.1f} {median:.1f} H {right:.1f}" stroke="{box.colour}" '
        'stroke-width="2.6"/>',
        *(
            f'<circle cx="{right + 9:.1f}" cy="{y_of(figure):.1f}" r="2" fill="{box.colour}" '
            'fill-opacity="0.6"/>'
            for figure in box.figures
        ),
    ]
