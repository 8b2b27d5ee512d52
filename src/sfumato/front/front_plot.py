"""A front as a picture, drawn by matplotlib."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction, Kind, Scale
from sfumato.measures.value_text import scale_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

MARKS = {"global": "o", "partitions": "D", "local": "^"}
"""The mark of every freedom of recoding, as in the report."""


@dataclass(frozen=True, kw_only=True)
class PlottedFront:
    """Two objectives, privacy on the horizontal axis, and the points of every freedom.

    Points are joined by steps if ``whole`` says that these are all objectives: then nothing that
    was found lies on the better side of the line.
    """

    x: str
    y: str
    better: tuple[Direction, Direction]
    whole: bool
    points: Mapping[str, Sequence[tuple[float, float]]]

    def draw(self, axes: Axes | None = None) -> Axes:
        """Draw it into the given axes, or into those of a new figure."""
        try:
            import matplotlib.pyplot as plt
            from matplotlib.ticker import FuncFormatter, PercentFormatter
        except ImportError:
            raise SettingsError(
                "matplotlib is not installed",
                code="not-installed",
                found="matplotlib",
                remedy="install it with pip install 'sfumato[plot]', or use the plain lists of "
                "front.columns()",
            ) from None
        if axes is None:
            _, axes = plt.subplots(layout="constrained")
        for freedom, points in self.points.items():
            ordered = sorted(points)
            horizontal, vertical = ([point[side] for point in ordered] for side in (0, 1))
            (drawn,) = axes.plot(horizontal, vertical, MARKS[freedom], markersize=5, label=freedom)
            if self.whole:
                # Up to the next solution the loss is that of the one with enough privacy.
                steps = "steps-pre" if self.better[0] is Direction.HIGHER else "steps-post"
                axes.plot(horizontal, vertical, drawstyle=steps, color=drawn.get_color(), alpha=0.5)
        if len(self.points) > 1:
            axes.legend()
        for name, axis, values in (
            (self.x, axes.xaxis, [x for each in self.points.values() for x, _ in each]),
            (self.y, axes.yaxis, [y for each in self.points.values() for _, y in each]),
        ):
            scale = scale_of(name)
            if scale is Scale.SHARE:
                axis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
            elif scale is Scale.LOGARITHMIC and values and min(values) > 0:
                (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        for name, better, say in (
            (self.x, self.better[0], axes.set_xlabel),
            (self.y, self.better[1], axes.set_ylabel),
        ):
            say(f"{name} ({better.value} is better)")
        axes.grid(visible=True, alpha=0.3)
        axes.set_axisbelow(True)
        return axes


def plotted_axes(
    objectives: Mapping[str, Direction], x: str | None, y: str | None
) -> tuple[str, str]:
    """Return the objectives of the two axes: unless named, the first of privacy, then of loss.

    >>> ways = {"normalized-loss": Direction.LOWER, "k": Direction.HIGHER}
    >>> plotted_axes(ways, None, None)
    ('k', 'normalized-loss')
    """
    if len(objectives) < 2:
        raise SettingsError(
            "a front of one objective is a single value, and has no picture",
            code="too-few",
            key="objectives",
            expected="at least two, like ['k', 'normalized-loss']",
        )
    for key, name in (("x", x), ("y", y)):
        if name is not None and name not in objectives:
            raise SettingsError.unknown_choice(key, name, tuple(objectives))
    if x is None:
        others = [name for name in objectives if name != y]
        x = next((name for name in others if _is_privacy(name, objectives[name])), others[0])
    if y is None:
        others = [name for name in objectives if name != x]
        y = next((name for name in others if not _is_privacy(name, objectives[name])), others[0])
    return x, y


def _is_privacy(name: str, way: Direction) -> bool:
    from sfumato.measures.catalogue import measure

    try:
        return measure(name).kind is Kind.PRIVACY
    except SettingsError:
        # Of a measure of another package only the direction is known.
        return way is Direction.HIGHER
