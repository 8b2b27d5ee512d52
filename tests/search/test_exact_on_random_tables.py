"""Sweep, branch and bound and brute force from the rows find the same front, ties included."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import find, given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises
from tests.search.brute_force import Point, all_points, best, levels_of

from sfumato.classes.suppression import BELOW_WEIGHTED_K, Threshold, given_k, limited
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import every_measure, measure
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.methods.anytime.anytime import anytime
from sfumato.search.methods.branch_and_bound import branch_and_bound, unbounded_objectives
from sfumato.search.methods.exact import exact
from sfumato.search.methods.sweep import sweep
from sfumato.search.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.search.result import Progress, SearchResult

OBJECTIVES = (
    ("k", "loss"),
    ("k", "distinct-l", "loss"),
    ("s-k", "loss"),
    ("s-k", "s-l", "loss"),
    ("weighted-k", "k", "distinct-l", "loss"),
    ("k",),
)


def points_of(result: SearchResult, table: RandomTable, objectives: Sequence[str]) -> list[Point]:
    return sorted(
        Point(
            levels_of(solution.levels, table.naive),
            solution.threshold,
            solution.suppressed,
            tuple(solution.values[name] for name in objectives),
        )
        for solution in result.front
    )


@settings(max_examples=examples(60))
@given(
    table=random_tables(most_rows=30, most_identifiers=3),
    objectives=st.sampled_from(OBJECTIVES),
    limit=st.sampled_from([0, 0.1, 0.35, 2, 1000]),
    threshold=st.sampled_from(list(Threshold)),
)
def test_three_ways_agree(
    table: RandomTable, objectives: tuple[str, ...], limit: float | int, threshold: Threshold
) -> None:
    # The brute force knows one sensitive column: the metrics of ℓ must mean that one.
    if len(table.naive.sensitive) > 1:
        objectives = tuple(name for name in objectives if name not in ("distinct-l", "s-l"))
    suppression = limited(limit, threshold=threshold)
    problem = Problem(
        table=table.counted,
        objectives=tuple(measure(name) for name in objectives),
        suppression=suppression,
    )
    budget = suppression.budget(len(table.naive.rows))
    assert budget is not None
    candidates = list(
        all_points(table.naive, objectives, budget=budget, every=threshold is Threshold.EVERY)
    )
    expected = best(candidates, objectives)
    swept = sweep(problem)
    assert points_of(swept, table, objectives) == expected
    bounded = branch_and_bound(problem)
    assert points_of(bounded, table, objectives) == expected
    assert swept.front == bounded.front
    assert swept.exact
    assert bounded.exact
    assert bounded.evaluated <= bounded.nodes == swept.evaluated


@settings(max_examples=examples(60))
@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_branch_and_bound_agrees_with_the_sweep_for_all_measures(
    table: RandomTable, data: st.DataObject
) -> None:
    measures = [*every_measure(table.counted), measure("recursive-l(c=2)")]
    objectives = data.draw(
        st.lists(st.sampled_from(measures), min_size=1, max_size=4, unique_by=str)
    )
    suppression = data.draw(
        st.sampled_from(
            [
                limited(0),
                limited(0.2),
                limited(3),
                limited(0.2, threshold=Threshold.EVERY),
                given_k(2),
                given_k(100),
                BELOW_WEIGHTED_K,
            ]
        )
    )
    problem = Problem(table=table.counted, objectives=tuple(objectives), suppression=suppression)
    swept = sweep(problem)
    if unbounded_objectives(problem):
        with raises(SettingsError, code="no-bound", key="objectives"):
            branch_and_bound(problem)
    else:
        assert branch_and_bound(problem).front == swept.front
    assert exact(problem, control=SearchControl(threads=1)).front == swept.front


CRITERIA = ("k>=2", "k>=5", "distinct-l>=2", "t<=0.4", "frequency-l>=1.5")


@settings(max_examples=examples(60))
@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_bounds_hold_under_criteria(table: RandomTable, data: st.DataObject) -> None:
    measures = every_measure(table.counted)
    able = [text for text in CRITERIA if table.naive.sensitive or text.startswith("k")]
    criteria = data.draw(st.lists(st.sampled_from(able), min_size=1, max_size=3, unique=True))
    limit, threshold, failing = data.draw(
        st.sampled_from(
            [
                (0, Threshold.LARGEST, False),
                (0.2, Threshold.LARGEST, False),
                (3, Threshold.LARGEST, True),
                (0.3, Threshold.EVERY, False),
            ]
        )
    )
    problem = Problem(
        table=table.counted,
        objectives=tuple(
            data.draw(st.lists(st.sampled_from(measures), min_size=1, max_size=3, unique_by=str))
        ),
        suppression=replace(
            limited(limit, threshold=threshold, failing=failing),
            criteria=tuple(map(read_criterion, criteria)),
        ),
    )
    searches = [sweep, exact]
    if not unbounded_objectives(problem):
        searches += [branch_and_bound, anytime]
    every = problem.points(problem.tables.sweep_batch(()))
    if not len(every):
        for search in searches:
            with raises(UnmetError, code="criteria-unmet", key="criteria"):
                search(problem)
        return
    expected = every.front(problem.table.names, problem.names, problem.directions)
    for search in searches:
        found = search(problem)
        assert found.front == expected
        assert found.exact


def test_an_anytime_search_that_is_stopped_may_have_found_nothing_that_meets_them() -> None:
    """{a} at both ends of the lattice fails; the guarantee says that nothing is proved."""
    tables = random_tables(most_rows=30, most_identifiers=3)
    table = find(tables, lambda each: bool(each.naive.sensitive) and nothing_at_the_ends(each))
    problem = diverse(table)
    found = anytime(problem, control=SearchControl(should_stop=after_evaluations(1)))
    assert not found.finished
    assert len(found.front) == 0
    assert found.guarantee is not None
    assert math.isinf(found.guarantee.epsilon)
    assert "nothing is proved" in found.reason
    assert found.state is not None
    resumed = anytime(problem, control=SearchControl(resume=found.state))
    assert resumed.front == sweep(problem).front


def diverse(table: RandomTable) -> Problem:
    return Problem(
        table=table.counted,
        objectives=(measure("k"), measure("loss")),
        suppression=replace(limited(0.6), criteria=(read_criterion("frequency-l>=2"),)),
    )


def nothing_at_the_ends(table: RandomTable) -> bool:
    problem = diverse(table)
    ends = problem.tables.lattice.bottom, problem.tables.lattice.top
    at_ends = problem.points(problem.tables.group(np.array(ends, dtype=np.int64)))
    return not len(at_ends) and bool(len(problem.points(problem.tables.sweep_batch(()))))


@settings(max_examples=examples(15))
@given(table=random_tables(most_rows=40))
def test_the_number_of_threads_changes_nothing(table: RandomTable) -> None:
    objectives = tuple(measure(name) for name in ("k", "entropy-loss", "t"))
    problem = Problem(table=table.counted, objectives=objectives, suppression=limited(0.1))
    fronts = [sweep(problem, control=SearchControl(threads=n)).front for n in (1, 2, 5)]
    assert fronts[0] == fronts[1] == fronts[2]


@given(table=random_tables(most_rows=20, most_identifiers=3))
@settings(max_examples=examples(15))
def test_progress_ends_with_the_whole_lattice_settled(table: RandomTable) -> None:
    problem = Problem(
        table=table.counted,
        objectives=(measure("k"), measure("loss")),
        suppression=limited(0.1),
    )
    for search in (sweep, branch_and_bound):
        heard: list[Progress] = []
        result = search(problem, control=SearchControl(listener=heard.append))
        assert [p.settled for p in heard] == sorted(p.settled for p in heard)
        assert heard[-1].settled == heard[-1].nodes == result.nodes
        assert heard[-1].evaluated == result.evaluated
