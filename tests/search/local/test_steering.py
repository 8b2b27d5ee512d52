"""Objectives of the whole table steer local recodings: a cost of classes in place of the loss."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search.local.local_problems import small_problems
from tests.search.local.local_searches import numbers

from sfumato.measures.catalogue import measure
from sfumato.search.local.found_recodings import FoundRecodings
from sfumato.search.local.solver import LocalSolver
from sfumato.search.local.steering import STEERINGS, Steering
from sfumato.search.methods.local.ruin_and_recreate import (
    RuinAndRecreateSettings,
    ruin_and_recreate,
)

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.problem import Problem


def cost(solver: LocalSolver, classes: Counts, steering: Steering, mean: float, k: int) -> float:
    """The cost of a recoding from its definition."""
    losses, sizes = solver.kernels.class_losses(classes, int(classes.max()) + 1, solver.arrays)
    kept = sizes > 0
    losses, sizes = losses[kept], sizes[kept]
    mean = max(mean, 1e-6)
    squares = steering.losses / mean * losses**2
    return float((sizes * (losses + squares + steering.sizes * mean / k * sizes)).sum())


@pytest.mark.parametrize("steering", STEERINGS, ids=lambda each: each.name)
@given(problem=small_problems(), k=st.integers(2, 4), seed=st.integers(0, 9))
def test_improvement_never_raises_the_cost(
    steering: Steering, problem: Problem, k: int, seed: int
) -> None:
    solver, k = LocalSolver(problem=problem), min(k, problem.table.rows)
    start = solver.top_down(k)
    mean = solver.loss(start) / problem.table.rows
    steered = solver.steered(steering, start, k)
    rng = np.random.default_rng(seed)
    found = steered.improved(start, k, rng=rng, steps=20)
    before, after = (cost(solver, each, steering, mean, k) for each in (start, found))
    assert after <= before * (1 + 1e-9) + 1e-9
    rows = np.bincount(found, weights=problem.table.cell_sizes)
    assert rows[rows > 0].min() >= k


@pytest.mark.parametrize(
    ("objective", "steering"),
    [("row-loss-gini", "losses"), ("row-loss-worst-tenth", "losses"), ("dm", "sizes")],
)
def test_what_is_steered_is_better_in_its_objective(objective: str, steering: str) -> None:
    """In the mean of several tables: a single one may leave nothing to gain."""
    gains = []
    for rows in (150, 250, 350, 450):
        problem = replace(
            numbers(rows=rows), objectives=(measure("normalized-loss"), measure(objective))
        )
        solver = LocalSolver(problem=problem)
        rng = np.random.default_rng(1)
        plain = solver.improved(solver.top_down(4), 4, rng=rng, steps=400)
        strong = Steering(name="strong", **{steering: 64.0})
        other = solver.steered(strong, plain, 4).improved(plain, 4, rng=rng, steps=400)
        values = [
            FoundRecodings(problem=problem).add(solver.recoding(classes, 4)).values[objective]
            for classes in (plain, other)
        ]
        gains.append(values[0] - values[1])
    assert np.mean(gains) > 0


def test_the_front_has_recodings_that_were_steered() -> None:
    """Of two losses both are followed: the front has more than the least of one of them."""
    problem = replace(
        numbers(rows=400), objectives=(measure("normalized-loss"), measure("row-loss-gini"))
    )
    settings = RuinAndRecreateSettings(least_k=4, largest_k=4, bound=False)
    front = ruin_and_recreate(problem, settings=settings).front
    assert len(front) > 1
    best = min(front, key=lambda each: each.values["normalized-loss"])
    assert min(each.values["row-loss-gini"] for each in front) < best.values["row-loss-gini"]


def test_objectives_that_gain_by_larger_classes_are_searched_at_all_sizes() -> None:
    problem = replace(numbers(rows=300), objectives=(measure("s-k"), measure("normalized-loss")))
    settings = RuinAndRecreateSettings(least_k=2, largest_k=30, bound=False)
    front = ruin_and_recreate(problem, settings=settings).front
    assert max(each.values["s-k"] for each in front) > 3 * min(each.values["s-k"] for each in front)
