"""Draws docs/pictures/adult-front.svg: Adult's exact k-loss fronts at three suppression limits.

Run from the repository's root: ``python -m docs.pictures.adult_front``. Needs only sfumato.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.classes.suppression import limited
from sfumato.datasets.adult import adult

if TYPE_CHECKING:
    from sfumato.front.front import Front

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 78, 24, 56, 58
SERIES = (
    (0.0, "#9aa5b1", "none suppressed"),
    (0.01, "#1f6feb", "up to 1 %"),
    (0.1, "#d97706", "up to 10 %"),
)
MOST_K = 30_162


def x_of(k: float) -> float:
    """Place k on a logarithmic axis."""
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(k) / math.log(MOST_K)


def y_of(loss: float) -> float:
    """Place a normalized loss from 0 to 1."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - loss)


def staircase(front: Front) -> str:
    """Return the outline of what is reachable: the least loss for every k."""
    points = [(s.values["k"], s.values["normalized-loss"]) for s in front]
    path = []
    reached = 1.0
    for k, loss in points:
        path += [(x_of(reached), y_of(loss)), (x_of(k), y_of(loss))]
        reached = k
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in path)


def text(x: float, y: float, words: str, *, anchor: str = "middle", style: str = "") -> str:
    """Return a text element."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {style}>{words}</text>'


def main() -> None:
    """Search three times and write the picture."""
    study = adult(objectives=("k", "normalized-loss"))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#24292f">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(
            LEFT,
            26,
            "Every full-domain recoding of Adult that no other one beats",
            anchor="start",
            style='font-size="16" font-weight="600"',
        ),
    ]
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        y = y_of(tick)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5e7eb"/>'
        )
        parts.append(text(LEFT - 10, y + 4, f"{tick:.0%}", anchor="end"))
    for k in (1, 2, 5, 10, 20, 50, 100, 1000, 10_000):
        parts.append(
            f'<line x1="{x_of(k):.1f}" x2="{x_of(k):.1f}" y1="{HEIGHT - BOTTOM}" '
            f'y2="{HEIGHT - BOTTOM + 5}" stroke="#6b7280"/>'
        )
        parts.append(text(x_of(k), HEIGHT - BOTTOM + 20, f"{k:,}"))
    parts.append(
        text(
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14,
            "k: the smallest group a person hides in (logarithmic)",
        )
    )
    parts.append(
        f'<g transform="rotate(-90 20 {(TOP + HEIGHT - BOTTOM) / 2})">'
        + text(20, (TOP + HEIGHT - BOTTOM) / 2, "loss (share of all cells)")
        + "</g>"
    )
    for position, (limit, colour, label) in enumerate(SERIES):
        asked = adult(objectives=("k", "normalized-loss"), suppression=limited(limit))
        asked.__dict__["count_table"] = study.count_table
        result = asked.search()
        assert result.exact
        parts.append(
            f'<polyline points="{staircase(result.front)}" fill="none" stroke="{colour}" '
            'stroke-width="2" opacity="0.55"/>'
        )
        parts += [
            f'<circle cx="{x_of(s.values["k"]):.1f}" '
            f'cy="{y_of(s.values["normalized-loss"]):.1f}" r="3.4" fill="{colour}"/>'
            for s in result.front
        ]
        y = HEIGHT - BOTTOM - 66 + 22 * position
        parts.append(f'<circle cx="{WIDTH - RIGHT - 236}" cy="{y}" r="4.5" fill="{colour}"/>')
        parts.append(
            text(
                WIDTH - RIGHT - 224,
                y + 4.5,
                f"{label}: {len(result.front)} solutions",
                anchor="start",
            )
        )
    parts.append("</svg>")
    Path(__file__).with_name("adult-front.svg").write_text(
        "\n".join(parts) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
