"""Random property vectors, and comparators of every kind, for property tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from sfumato.compare.comparators.dominance import Dominance
from sfumato.compare.comparators.goal import Goal
from sfumato.compare.comparators.lexicographic import Lexicographic
from sfumato.compare.comparators.weighted import Weighted
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.hypervolume import Hypervolume
from sfumato.compare.indices.maximum import Maximum
from sfumato.compare.indices.mean import Mean
from sfumato.compare.indices.minimum import Minimum
from sfumato.compare.indices.rank import Rank
from sfumato.compare.indices.spread import Spread
from sfumato.compare.indices.strictly_better import StrictlyBetter
from sfumato.compare.indices.total import Total
from sfumato.compare.vectors.property_vector import PropertyVector

if TYPE_CHECKING:
    from sfumato.compare.comparator import Comparator
    from sfumato.compare.quality_index import QualityIndex

WORST = 50
"""No drawn value is beyond it."""

INDICES: list[QualityIndex] = [
    Minimum(),
    Maximum(),
    Mean(),
    Total(),
    StrictlyBetter(),
    Coverage(),
    Spread(),
    Rank(),
    Rank(point=3),
    Rank(point=2.5, tolerance=1.0),
    Hypervolume(),
]

ONE_PROPERTY: list[Comparator] = [*INDICES, Dominance()]

TWO_PROPERTIES: list[Comparator] = [
    Dominance(),
    Weighted(),
    Weighted(weights=(0.2, 0.7), indices=(Spread(), Rank(point=3))),
    Weighted(indices=(Minimum(), Hypervolume())),
    Weighted(indices=(Hypervolume(), Mean()), normalize=False),
    Lexicographic(),
    Lexicographic(significance=(0.1, 0.0), indices=(Coverage(), Hypervolume())),
    Lexicographic(indices=(Mean(), Total())),
    Goal(goals=(1.0, 1.0)),
    Goal(goals=(4.0, 7.5), indices=(Minimum(), Mean())),
    Goal(goals=(2.0, 3.0), indices=(Hypervolume(), Rank(point=3))),
]


def vector(
    values: list[int] | list[float], *, direction: str = "higher", name: str = "p", **more: str
) -> PropertyVector:
    best, worst = (WORST, 0) if direction == "higher" else (0, WORST)
    return PropertyVector.of_rows(
        values, name=name, direction=direction, best=best, worst=worst, **more
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
def pairs(draw: st.DrawFn, *, least: int = 0) -> tuple[PropertyVector, PropertyVector]:
    """Draw two vectors of one property over the same rows."""
    rows = draw(st.integers(1, 8))
    direction = draw(st.sampled_from(["higher", "lower"]))
    first, second = (draw(values_of(rows, least=least)) for _ in range(2))
    return (
        vector(first, direction=direction, label="A"),
        vector(second, direction=direction, label="B"),
    )


@st.composite
def dominated(draw: st.DrawFn, *, least: int = 0) -> tuple[PropertyVector, PropertyVector]:
    """Draw two vectors of which the first strongly dominates the second."""
    rows = draw(st.integers(1, 8))
    direction = draw(st.sampled_from(["higher", "lower"]))
    first, second = (np.array(draw(values_of(rows, least=least))) for _ in range(2))
    upper, lower = np.maximum(first, second), np.minimum(first, second)
    if (upper == lower).all():
        upper[draw(st.integers(0, rows - 1))] += 1
    better, worse = (upper, lower) if direction == "higher" else (lower, upper)
    return vector(better.tolist(), direction=direction), vector(worse.tolist(), direction=direction)
