"""Every method of local recoding against a plain version of its own definition."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.local import naive_methods as naive
from tests.search.local.local_problems import (
    groups_of,
    local_problem,
    rows_of,
    small_problems,
)

from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.output import Output
from sfumato.search.local.loading import load_mdav_kernels, load_method_kernels
from sfumato.search.local.numeric_points import standardized_points
from sfumato.search.local.solver import LocalSolver

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

KERNELS = load_method_kernels()
SIZES = st.integers(1, 6)
ANY = small_problems(most_cells=14, most_columns=4, most_leaves=8)


def sets(groups: list[list[int]]) -> set[frozenset[int]]:
    return set(map(frozenset, groups))


@given(problem=ANY, k=SIZES)
@settings(deadline=None)
def test_peeling(problem: Problem, k: int) -> None:
    solver = LocalSolver(problem=problem)
    every = np.iinfo(np.int64).max
    classes, _ = solver.kernels.peel(*solver.order, solver.arrays, solver.rules(k), every)
    assert groups_of(classes) == sets(naive.peeled(problem.table, solver.order.nodes.tolist(), k))


@given(problem=ANY)
@settings(deadline=None)
def test_nodes_are_peeled_by_rising_mean_loss(problem: Problem) -> None:
    table = problem.table
    losses = []
    for node in LocalSolver(problem=problem).order.nodes.tolist():
        total = Fraction(0)
        for q, level in zip(naive.column_order(table), node, strict=True):
            codes = table.hierarchies[q].levels[level]
            blocks = codes[table.cell_codes[q]]
            extents = np.bincount(codes)[blocks] - 1
            width = max(1, table.hierarchies[q].leaf_count - 1)
            weight = Fraction(table.quasi_identifiers[q].weight)
            total += weight * int((extents * table.cell_sizes).sum()) / width
        losses.append(float(total))
    assert losses == pytest.approx(sorted(losses))


@given(problem=ANY, k=SIZES)
@settings(deadline=None)
def test_top_down(problem: Problem, k: int) -> None:
    table = problem.table
    k = min(k, table.rows)
    found = LocalSolver(problem=problem).top_down(k)
    assert groups_of(found) == sets(naive.top_down(table, range(table.cells), k))


@given(problem=ANY, k=SIZES, relaxed=st.booleans())
@settings(deadline=None)
def test_mondrian(problem: Problem, k: int, *, relaxed: bool) -> None:
    table, solver = problem.table, LocalSolver(problem=problem)
    found = KERNELS.mondrian(relaxed, solver.arrays, solver.rules(k), KERNELS.BUILT_ON)
    expected = naive.mondrian(table, range(table.cells), k, relaxed=relaxed)
    assert groups_of(found) == sets(expected)


@given(problem=ANY, k=SIZES)
@settings(deadline=None)
def test_bottom_up(problem: Problem, k: int) -> None:
    solver = LocalSolver(problem=problem)
    expected = sets(naive.bottom_up(problem.table, k))
    for count in range(1, 1 + len(problem.table.names)):
        # Whatever the buckets are.
        first = solver.arrays._replace(columns=solver.arrays.columns[:count])
        found = KERNELS.bottom_up(solver.arrays, first, solver.rules(k), KERNELS.BUILT_ON)
        assert groups_of(found) == expected


@st.composite
def untied_numbers(draw: st.DrawFn) -> tuple[Problem, np.ndarray]:
    """Draw records without equal values in a column, and the problem of them."""
    rows = draw(st.integers(2, 30))
    distinct = st.lists(st.integers(0, 400), min_size=rows, max_size=rows, unique=True)
    columns = [draw(distinct) for _ in range(draw(st.integers(1, 3)))]
    tree = Intervals(widths=(20, 100), low=0, high=400).build([], column="q")
    problem = local_problem(
        [tree] * len(columns), columns, outputs=[Output.INTERVAL] * len(columns)
    )
    # The cells of the table are sorted, and so are the records here.
    return problem, np.array(sorted(zip(*columns, strict=True)))


@given(drawn=untied_numbers(), k=SIZES, relaxed=st.booleans())
@settings(deadline=None)
def test_mondrian_as_published(drawn: tuple[Problem, np.ndarray], k: int, *, relaxed: bool) -> None:
    problem, records = drawn
    solver = LocalSolver(problem=problem)
    found = KERNELS.mondrian(relaxed, solver.arrays, solver.rules(k), KERNELS.BUILT_ON)
    assert groups_of(found) == sets(naive.published_mondrian(records, k))


@given(drawn=untied_numbers(), k=SIZES)
@settings(deadline=None)
def test_mdav_as_published(drawn: tuple[Problem, np.ndarray], k: int) -> None:
    problem, _ = drawn
    rng = np.random.default_rng(problem.table.cells)
    # No equal distances: the points are moved by less than a unit.
    points = standardized_points(problem.table, asker="mdav")
    points = points + rng.random(points.shape) * 1e-4
    found = load_mdav_kernels().mdav(points, problem.table.cell_sizes, k)
    assert groups_of(found) == set(map(frozenset, naive.published_mdav(points, k)))


@given(problem=small_problems(most_cells=12), k=SIZES, seed=st.integers(0, 99))
@settings(deadline=None)
def test_mdav_takes_whole_cells_until_there_are_k_rows(problem: Problem, k: int, seed: int) -> None:
    table = problem.table
    points = np.random.default_rng(seed).normal(size=(table.cells, 2))
    groups = groups_of(load_mdav_kernels().mdav(points, table.cell_sizes, k))
    assert groups == set(map(frozenset, naive.mdav_of_cells(points, table.cell_sizes, k)))
    assert sum(map(len, groups)) == table.cells
    small = [own for own in groups if rows_of(table, sorted(own)) < k]
    # Only what is left over at the end can be too small.
    assert len(small) <= 1 + (len(groups) > 1)
