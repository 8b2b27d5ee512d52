"""The anytime search on Adult, stopped: its guarantee against every node, and what it has found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.search.test_anytime import check_guarantee

from sfumato.datasets.adult import adult
from sfumato.front.dominance import as_costs
from sfumato.front.indicators.representation_ratio import representation_ratio
from sfumato.search.bounds.discretization import discretization
from sfumato.search.control import after_evaluations
from sfumato.search.points import Points

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.arrays import Floats
    from sfumato.search.problem import Problem

# The paper's objectives with the number of nodes that PBG-EA evaluated there (Table 2(b)).
SETS = (
    (("k", "loss"), 916),
    (("k", "distinct-l", "loss"), 946),
    (("s-k", "loss"), 1136),
    (("s-k", "s-l", "loss"), 1197),
)


def every_candidate(problem: Problem) -> Floats:
    tables = problem.tables
    parts = [
        problem.points(batch)
        for outer in tables.outer_nodes(0)
        for batch in tables.sweep_batches(outer)
    ]
    return as_costs(Points.together(parts).values, problem.directions)


@pytest.mark.parametrize(
    ("objectives", "evaluations"),
    SETS,
    ids=lambda x: "-".join(x) if isinstance(x, tuple) else str(x),
)
def test_it_represents_the_whole_front_with_the_evaluations_of_the_paper(
    adult_path: Path, objectives: tuple[str, ...], evaluations: int
) -> None:
    study = adult(adult_path, objectives=objectives)
    problem = study.problem
    everything = every_candidate(problem)
    assert everything.shape[0] == 17_920
    epsilons = []
    for count in (2, 50, 200, 600):
        stopped = study.search(method="anytime", should_stop=after_evaluations(count))
        assert stopped.evaluated == count
        epsilons.append(check_guarantee(problem, stopped, everything).epsilon)
    assert epsilons == sorted(epsilons, reverse=True)
    assert epsilons[-1] < 0.15
    found = study.search(method="anytime", should_stop=after_evaluations(evaluations))
    check_guarantee(problem, found, everything)
    true = study.search(method="sweep").front
    assert representation_ratio(found.front, true, epsilon=discretization(problem)) == 1.0
    whole = study.search(method="anytime", resume=found.state)
    assert whole.exact
    assert whole.front == true
    assert np.isfinite(everything).all()
