"""A front as a small plot of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.cli.output import Output
    from sfumato.views.run.front_chart import FrontChart

MARKS = {"global": "●", "partitions": "◆", "local": "▲"}
PICKED = "◎"
HEIGHT = 12
WIDEST = 76
NARROWEST = 30


def show_plot(output: Output, chart: FrontChart | None, *, asked: bool) -> None:
    """Show a front in a terminal, or wherever it was asked for."""
    if chart is not None and (asked or output.out.is_terminal):
        for line in plot_lines(chart, width=min(WIDEST, output.out.width)):
            output.show(line)


def plot_lines(chart: FrontChart, *, width: int, height: int = HEIGHT) -> list[str]:
    """Return the lines of a plot; what is picked is drawn last, so that nothing covers it."""
    low, high = chart.y.ends
    margin = max(len(low), len(high))
    columns = max(NARROWEST, width) - margin - 2
    grid = [[" "] * columns for _ in range(height)]
    for point in sorted(chart.points, key=lambda point: (point.picked, point.y)):
        column = round(chart.x.place(point.x) * (columns - 1))
        row = height - 1 - round(chart.y.place(point.y) * (height - 1))
        grid[row][column] = PICKED if point.picked else MARKS[point.freedom]
    label = {0: high, height - 1: low}
    lines = [f"{chart.y.name} ({chart.y.better} is better)"]
    for number, marks in enumerate(grid):
        edge = f"{label[number]:>{margin}} ┤" if number in label else f"{'':>{margin}} │"
        lines.append(f"{edge}{''.join(marks)}".rstrip())
    start, end = chart.x.ends
    scale = ", logarithmic" if chart.x.logarithmic else ""
    name = f"{chart.x.name} ({chart.x.better} is better{scale})"
    lines.append(f"{'':>{margin}} └{'─' * columns}")
    between = columns - len(start) - len(end)
    middle = f"{name:^{between}}" if len(name) + 2 <= between else " " * max(1, between)
    lines.append(f"{'':>{margin}}  {start}{middle}{end}")
    freedoms = dict.fromkeys(point.freedom for point in chart.points)
    key = [f"{MARKS[freedom]} {freedom}" for freedom in freedoms] if len(freedoms) > 1 else []
    if any(point.picked for point in chart.points):
        key.append(f"{PICKED} picked")
    if key:
        lines.append(f"{'':>{margin}}  {'   '.join(key)}")
    return lines
