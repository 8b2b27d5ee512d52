"""Random property vectors for laws of comparators, drawn by Hypothesis."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.measures.measure import Direction

Pair: TypeAlias = tuple[PropertyVector, PropertyVector]
Sides: TypeAlias = tuple[list[PropertyVector], list[PropertyVector]]

WORST = 50
"""No drawn value is beyond it."""

DIRECTIONS = st.sampled_from(Direction)


def vector(
    values: list[int] | list[float],
    *,
    direction: str = "higher",
    name: str = "p",
    label: str = "",
) -> PropertyVector:
    """Return a vector of rows whose best and worst possible values are known."""
    best, worst = (WORST, 0) if direction == "higher" else (0, WORST)
    return PropertyVector.of_rows(
        values, name=name, direction=direction, best=best, worst=worst, label=label
    )


@st.composite
def values_of(draw: st.DrawFn, rows: int, *, least: int = 0) -> list[int] | list[float]:
    """Draw values: whole ones, quarters that are exact in binary, or any floats."""
    kind = draw(st.sampled_from(["whole", "quarters", "floats"]))
    if kind == "whole":
        return draw(st.lists(st.integers(least, 8), min_size=rows, max_size=rows))
    if kind == "quarters":
        quarters = draw(st.lists(st.integers(4 * least, 32), min_size=rows, max_size=rows))
        return [quarter / 4 for quarter in quarters]
    floats = st.floats(max(least, 0.0), 10.0, allow_subnormal=False)
    return draw(st.lists(floats.filter(lambda x: x == 0 or x > 1e-9), min_size=rows, max_size=rows))


@st.composite
def sides(draw: st.DrawFn, *, properties: int, least: int = 0) -> Sides:
    """Draw the vectors of two anonymizations, A and B, of the same rows and properties."""
    rows = draw(st.integers(1, 8))
    both: Sides = ([], [])
    for number in range(properties):
        direction = draw(DIRECTIONS)
        for side, label in zip(both, "AB", strict=True):
            values = draw(values_of(rows, least=least))
            side.append(vector(values, direction=direction, name=f"p{number}", label=label))
    return both


@st.composite
def pairs(draw: st.DrawFn, *, least: int = 0) -> Pair:
    """Draw two vectors of one property over the same rows."""
    (first,), (second,) = draw(sides(properties=1, least=least))
    return first, second


@st.composite
def dominated(draw: st.DrawFn, *, least: int = 0) -> Pair:
    """Draw two vectors of which the first strongly dominates the second."""
    rows = draw(st.integers(1, 8))
    direction = draw(DIRECTIONS)
    first, second = (np.array(draw(values_of(rows, least=least))) for _ in range(2))
    upper, lower = np.maximum(first, second), np.minimum(first, second)
    if (upper == lower).all():
        upper[draw(st.integers(0, rows - 1))] += 1
    better, worse = (upper, lower) if direction == "higher" else (lower, upper)
    return vector(better.tolist(), direction=direction), vector(worse.tolist(), direction=direction)
