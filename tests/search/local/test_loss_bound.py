"""The lower bound of local recoding against its definition, and against the optimum."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.raised import raises
from tests.search.local.local_problems import least_loss, local_problem, row_loss, small_problems

from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.output import Output
from sfumato.search.control import SearchControl
from sfumato.search.local.loss_bound import CELLS_A_CHUNK, loss_bounds

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable
    from sfumato.search.problem import Problem


def nearest_sum(table: CountTable, k: int) -> Fraction:
    """Sum the loss of every row to its nearest other one but k - 2, by trying all pairs."""
    total = Fraction(0)
    for cell in range(table.cells):
        losses: list[Fraction] = []
        for other in range(table.cells):
            many = int(table.cell_sizes[other]) - (cell == other)
            losses += [row_loss(table, sorted({cell, other}))] * many
        total += sorted(losses)[k - 2] * int(table.cell_sizes[cell])
    return total


@given(problem=small_problems(most_cells=12, most_leaves=8), largest=st.integers(2, 12))
@settings(deadline=None)
def test_it_is_at_least_the_loss_to_the_nearest_rows(problem: Problem, largest: int) -> None:
    table = problem.table
    found = loss_bounds(problem, largest)
    assert list(found.loss) == list(range(2, min(largest, table.rows) + 1))
    for k, bound in found.loss.items():
        assert bound >= float(nearest_sum(table, k)) * (1 - 1e-8)


@given(problem=small_problems(most_cells=5), largest=st.integers(2, 12))
@settings(deadline=None)
def test_no_assignment_of_cells_loses_less(problem: Problem, largest: int) -> None:
    """Suppressed cells included."""
    table = problem.table
    for k, bound in loss_bounds(problem, largest).loss.items():
        least = least_loss(table, k, suppressing=True)
        assert least is not None
        assert bound <= least


@given(problem=small_problems(most_cells=7))
@settings(deadline=None, max_examples=15)
def test_no_partition_of_seven_cells_loses_less(problem: Problem) -> None:
    for k, bound in loss_bounds(problem, 5).loss.items():
        least = least_loss(problem.table, k)
        assert least is not None
        assert bound <= least


@pytest.fixture(scope="module")
def people() -> Problem:
    """Some three thousand people, nearly all of them with other values."""
    rng = np.random.default_rng(1)
    columns = [(40 * rng.random(3_000) ** power).astype(int).tolist() for power in (1, 2, 3)]
    tree = Intervals(widths=(5, 20), low=0, high=40).build([], column="q")
    return local_problem(
        [tree] * 3, columns, outputs=[Output.INTERVAL, Output.HIERARCHY, Output.SET]
    )


def test_threads_do_not_change_it(people: Problem) -> None:
    one = loss_bounds(people, 20, SearchControl(threads=1))
    assert one == loss_bounds(people, 20, SearchControl(threads=2))
    assert one.complete
    assert list(one.loss.values()) == sorted(one.loss.values())


def test_stopped_early_rows_that_were_not_computed_count_nothing(people: Problem) -> None:
    control = SearchControl(threads=1, should_stop=lambda progress: progress.evaluated >= 2)
    some, all_rows = loss_bounds(people, 5, control), loss_bounds(people, 5)
    assert 2 * CELLS_A_CHUNK <= some.computed < some.rows
    assert not some.complete
    assert all(0 < some.loss[k] < all_rows.loss[k] for k in some.loss)


def test_two_is_the_least_k(people: Problem) -> None:
    with raises(SettingsError, code="out-of-range", key="largest_k"):
        loss_bounds(people, 1)
