"""Draw docs/pictures/architecture.svg: the way of a table from a source to its certificates."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "sfumato"
mpl.rcParams["font.family"] = "DejaVu Sans"

WIDTH, HEIGHT = 2.05, 0.92
BOXES = {
    "source": (0.0, 3.0, "Source", "CSV, Parquet, database,\ntable in memory"),
    "counts": (3.1, 3.0, "CountTable", "cells and their counts\n(microdata)"),
    "classes": (6.2, 3.0, "Classes", "equivalence classes,\nkept or suppressed"),
    "metrics": (9.3, 3.0, "Metrics", "one formula\na measure"),
    "recoding": (4.65, 4.7, "Recoding", "levels, cuts, …\n(a family)"),
    "front": (9.3, 1.3, "Front", "Pareto-optimal\nrecodings"),
    "release": (6.2, 1.3, "Release", "plan, rewrite:\na join on the cell"),
    "file": (3.1, 1.3, "Written file", "verified by SQL,\nthen certified"),
    "foreign": (0.0, 1.3, "Anybody's table", "audit: its equal rows\nare the classes"),
}
ARROWS = [
    ("source", "counts", "one\nGROUP BY", (0, 0.14)),
    ("counts", "classes", "assign\ncells", (0, 0.14)),
    ("recoding", "classes", "", (0, 0)),
    ("classes", "metrics", "measures", (0, 0.16)),
    ("metrics", "front", "search", (0.42, 0)),
    ("front", "release", "pick", (0, 0.16)),
    ("release", "file", "write", (0, 0.16)),
]


def main() -> None:
    """Draw and save the picture."""
    figure, axes = plt.subplots(figsize=(10.9, 5.4))
    axes.set_xlim(-0.2, 11.6)
    axes.set_ylim(0.2, 5.9)
    axes.axis("off")
    for key, (x, y, title, text) in BOXES.items():
        face = "#dcefe8" if key == "classes" else "#f4f6f8"
        axes.add_patch(
            FancyBboxPatch(
                (x, y),
                WIDTH,
                HEIGHT,
                boxstyle="round,pad=0.03,rounding_size=0.09",
                facecolor=face,
                edgecolor="#35505e",
                linewidth=1.3,
            )
        )
        middle = x + WIDTH / 2
        axes.text(middle, y + 0.7, title, ha="center", va="center", weight="bold", size=10.5)
        axes.text(middle, y + 0.3, text, ha="center", va="center", size=8.2, color="#35505e")
    for start, end, text, (dx, dy) in ARROWS:
        a, b = _edges(start, end)
        axes.add_patch(
            FancyArrowPatch(
                a, b, arrowstyle="-|>", mutation_scale=13, color="#35505e", linewidth=1.3
            )
        )
        axes.text(
            (a[0] + b[0]) / 2 + dx,
            (a[1] + b[1]) / 2 + dy,
            text,
            ha="center",
            size=8.2,
            style="italic",
        )
    # The written file and anybody's table are read back into the same model.
    for start, bend in (("file", 0.0), ("foreign", 0.0)):
        x, y, *_ = BOXES[start]
        cx, cy, *_ = BOXES["classes"]
        axes.add_patch(
            FancyArrowPatch(
                (x + WIDTH * 0.8, y + HEIGHT + 0.04),
                (cx + 0.5, cy - 0.05),
                connectionstyle=f"arc3,rad={bend}",
                arrowstyle="-|>",
                mutation_scale=13,
                color="#2f8f6b",
                linewidth=1.3,
                linestyle="--",
            )
        )
    axes.text(3.2, 2.72, "read back", size=8.2, style="italic", color="#2f8f6b")
    axes.text(
        5.7,
        0.55,
        "Solid: from a source to a release.  Dashed: a table that exists already.",
        ha="center",
        size=8.4,
        color="#35505e",
    )
    target = Path(__file__).with_name("architecture.svg")
    figure.savefig(target, bbox_inches="tight", metadata={"Date": None})
    print(target)


def _edges(start: str, end: str) -> tuple[tuple[float, float], tuple[float, float]]:
    x, y, *_ = BOXES[start]
    u, v, *_ = BOXES[end]
    if start == "recoding":
        return (x + WIDTH / 2 + 0.4, y - 0.04), (u + 0.35, v + HEIGHT + 0.05)
    if abs(y - v) > 1:
        return (x + WIDTH / 2, y - 0.04), (u + WIDTH / 2, v + HEIGHT + 0.05)
    if u > x:
        return (x + WIDTH + 0.04, y + HEIGHT / 2), (u - 0.05, v + HEIGHT / 2)
    return (x - 0.04, y + HEIGHT / 2), (u + WIDTH + 0.05, v + HEIGHT / 2)


if __name__ == "__main__":
    main()
