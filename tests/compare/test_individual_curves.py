"""Curves over individuals: exact where they can be, few steps, nobody told of alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.compare.catalogue import property_named
from sfumato.compare.curves.individual_curve import individual_curve
from sfumato.compare.curves.sorted_curve import sorted_curve, spread_metrics
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.papers.comparison.people import generalized

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE = property_named("class-size")
VALUES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=60)
WAYS = st.sampled_from(["higher", "lower"])


def vectors(rows: list[tuple[int, int]], way: str) -> tuple[PropertyVector, PropertyVector]:
    first, second = zip(*rows, strict=True)
    return (
        PropertyVector.of_rows(list(first), name="made", direction=way),
        PropertyVector.of_rows(list(second), name="made", direction=way),
    )


def worst_first(values: Sequence[float], way: str) -> list[float]:
    return sorted(values, reverse=way == "lower")


@given(VALUES, WAYS)
def test_a_curve_of_few_values_is_exact(rows: list[tuple[int, int]], way: str) -> None:
    vector, _ = vectors(rows, way)
    curve = sorted_curve(vector)
    counts = np.diff([0, *(round(share * len(rows)) for share in curve.shares)])
    expanded = np.repeat(curve.values, counts).tolist()
    assert expanded == worst_first([a for a, _ in rows], way)
    assert len(set(curve.values)) == len(curve.values)


@given(VALUES, WAYS, st.integers(2, 8))
def test_a_long_curve_keeps_its_ends(rows: list[tuple[int, int]], way: str, most: int) -> None:
    vector, _ = vectors(rows, way)
    curve = sorted_curve(vector, most=most)
    ordered = worst_first([a for a, _ in rows], way)
    assert len(curve.values) <= most
    assert (curve.values[0], curve.values[-1]) == (ordered[0], ordered[-1])
    assert curve.shares[-1] == 1
    assert list(curve.values) == worst_first(curve.values, way)


@given(VALUES, WAYS)
def test_six_numbers_of_the_expanded_rows(rows: list[tuple[int, int]], way: str) -> None:
    vector, _ = vectors(rows, way)
    found = spread_metrics(vector)
    ordered = worst_first([a for a, _ in rows], way)
    n = len(ordered)
    assert (found.worst, found.best) == (ordered[0], ordered[-1])
    assert found.median == ordered[(n + 1) // 2 - 1]
    assert found.mean == pytest.approx(sum(ordered) / n)
    worst = ordered[: -(-n // 10)]
    assert found.worst_tenth == pytest.approx(sum(worst) / len(worst))
    differences = sum(abs(a - b) for a in ordered for b in ordered)
    total = sum(ordered)
    assert found.gini == pytest.approx(differences / (2 * n * total) if total else 0, abs=1e-12)


@given(VALUES, WAYS, st.integers(1, 9), st.integers(1, 12))
def test_parts_of_individuals(
    rows: list[tuple[int, int]], way: str, fewest: int, most: int
) -> None:
    curve = individual_curve(CommonRefinement.of(*vectors(rows, way)), fewest=fewest, most=most)
    turn = 1 if way == "higher" else -1
    ordered = sorted(rows, key=lambda row: (turn * row[0], turn * row[1]))
    ends = [round(share * len(rows)) for share in curve.shares]
    assert ends[-1] == len(rows)
    assert len(ends) <= most
    for part, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        assert end - start >= min(fewest, len(rows))
        others = sorted(b for _, b in ordered[start:end])
        assert curve.median[part] == others[(len(others) - 1) // 2]
        assert curve.low[part] == others[(len(others) - 1) // 10]
        assert curve.high[part] == others[(len(others) - 1) * 9 // 10]
        assert curve.ordered[part] == ordered[(start + end - 1) // 2][0]


def test_fig_1() -> None:
    sizes = {table.label: SIZE.vector(table) for table in map(generalized, ("T3a", "T3b", "T4"))}
    curve = individual_curve(CommonRefinement.of(sizes["T3a"], sizes["T3b"]))
    assert curve.ordered == (3, 3, 3, 3, 3, 3, 4, 4, 4, 4)
    assert curve.median == (3, 3, 3, 7, 7, 7, 7, 7, 7, 7)
    assert sorted_curve(sizes["T4"]).values == (4, 6)
    together = individual_curve(CommonRefinement.of(sizes["T3a"], sizes["T4"]), fewest=4)
    assert together.shares == (0.5, 1.0)
