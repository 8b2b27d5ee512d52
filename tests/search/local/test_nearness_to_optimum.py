"""How near every method comes to the optimum, on tables whose assignments can all be enumerated."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tests.search.local.local_problems import (
    distance_to_table,
    least_loss,
    value_counts,
)
from tests.search.local.local_searches import (
    METHODS,
    NAMES,
    OUTPUTS,
    numeric_problem,
    settings_of,
)

from sfumato.search.catalogue import search_methods
from sfumato.search.local.loss_bound import loss_bounds

CRITERIA = (None, "distinct-l>=2", "t<=0.3")
SIZES = (2, 3)
TABLES = tuple(itertools.product(OUTPUTS, CRITERIA, SIZES, range(5)))


class Nearness(NamedTuple):
    """The loss, in shares of the least possible one: the mean of all tables, and the worst."""

    mean: float
    worst: float


NEARNESS = {
    "bottom-up": Nearness(1.36, 3.38),
    "mdav": Nearness(2.18, 8.00),
    "mondrian": Nearness(1.59, 7.12),
    "peeling": Nearness(1.16, 2.37),
    "ruin-and-recreate": Nearness(1.01, 1.10),
    "top-down": Nearness(1.28, 2.95),
}
"""What docs/local-recoding.md says; rounded up."""
BOUND = Nearness(0.60, 0.33)
"""The bound, in shares of the least possible loss without criteria; rounded down."""


@cache
def optimum(output: str, criterion: str | None, k: int, seed: int) -> float:
    """Return the least loss of all assignments of cells to classes that meet k and a criterion."""
    table = numeric_problem(output, criterion, seed).table

    def meets(cells: list[int]) -> bool:
        if criterion == "distinct-l>=2":
            return sum(count > 0 for count in value_counts(table, cells)) >= 2
        return criterion is None or distance_to_table(table, cells) * 10 <= 3

    least = least_loss(table, k, meets=meets)
    assert least is not None
    return float(least)


@METHODS
def test_how_near_it_comes_to_the_optimum(name: str) -> None:
    ratios = []
    for output, criterion, k, seed in TABLES:
        problem = numeric_problem(output, criterion, seed)
        front = search_methods()[name].run(problem, settings=settings_of(name, k, k)).front
        loss = min(each.values["loss"] for each in front)
        least = optimum(output, criterion, k, seed)
        assert loss >= least * (1 - 1e-9)
        ratios.append(loss / least)
    assert np.mean(ratios) <= NEARNESS[name].mean
    assert max(ratios) <= NEARNESS[name].worst + 1e-9


def test_the_bound_never_exceeds_the_optimum() -> None:
    ratios = []
    for output, criterion, k, seed in TABLES:
        bound = loss_bounds(numeric_problem(output, criterion, seed), k).loss[k]
        least = optimum(output, criterion, k, seed)
        assert bound <= least
        if criterion is None:
            ratios.append(bound / least)
    assert np.mean(ratios) >= BOUND.mean
    assert min(ratios) >= BOUND.worst


def test_the_documentation_has_these_numbers() -> None:
    text = (Path(__file__).parents[3] / "docs" / "local-recoding.md").read_text()
    stated = {
        name: Nearness(float(mean), float(worst))
        for name, mean, worst in re.findall(
            r"^\| `([a-z-]+)` \| ([\d.]+) \| ([\d.]+) \|$", text, re.M
        )
    }
    assert stated == NEARNESS
    assert sorted(stated) == NAMES
    bound = re.search(
        r"bound is (\d\.\d+) of the optimum in the mean, and at least (\d\.\d+)", text
    )
    assert bound is not None
    assert Nearness(*map(float, bound.groups())) == BOUND
