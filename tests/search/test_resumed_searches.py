"""Exact searches that are stopped anywhere, any number of times, equal uninterrupted ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises
from tests.search.random_orders import RandomOrders, random_orders

from sfumato.classes.suppression import Policy, Suppression, Threshold, limited
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.methods import exact
from sfumato.search.methods.pace import Pace
from sfumato.search.problem import Problem
from sfumato.search.space import Space
from sfumato.testing.small_problems import small_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.search.result import Progress, SearchResult

STEPS = st.lists(st.integers(min_value=1, max_value=12), min_size=1, max_size=6)
"""After how many reports each part of a search is stopped; the last part runs to the end."""


def in_parts(method: str, problem: Problem, steps: Sequence[int]) -> tuple[SearchResult, int]:
    """Run a search in parts, its state kept as JSON between them; return how many there were."""
    state = None
    for part, most in enumerate(steps, start=1):
        reports = 0

        def rule(progress: Progress, most: int = most) -> bool:  # noqa: ARG001
            nonlocal reports
            reports += 1
            return reports >= most

        control = SearchControl(should_stop=rule, resume=state, threads=1 + part % 3)
        found = method_named(method).run(problem, control=control)
        if found.finished:
            return found, part
        assert found.state is not None
        state = json.loads(json.dumps(found.state))
    found = method_named(method).run(problem, control=SearchControl(resume=state))
    return found, len(steps) + 1


@pytest.mark.parametrize("method", ["sweep", "branch-and-bound", "exact", "auto"])
@settings(max_examples=examples(25))
@given(
    table=random_tables(most_rows=30, most_identifiers=3),
    objectives=st.sampled_from([("k", "loss"), ("s-k", "loss"), ("k", "distinct-l", "loss")]),
    limit=st.sampled_from([0, 0.1, 0.35]),
    threshold=st.sampled_from(list(Threshold)),
    steps=STEPS,
)
def test_fronts(
    method: str,
    table: RandomTable,
    objectives: tuple[str, ...],
    limit: float,
    threshold: Threshold,
    steps: list[int],
) -> None:
    if not table.naive.sensitive:
        objectives = ("k", "loss")
    problem = Problem(
        table=table.counted,
        objectives=tuple(map(measure, objectives)),
        suppression=limited(limit, threshold=threshold),
    )
    assert in_parts(method, problem, steps)[0] == method_named(method).run(problem)


@pytest.mark.parametrize("method", ["breadth-first", "incognito", "sweep"])
@settings(max_examples=examples(25))
@given(orders=random_orders(), steps=STEPS, k=st.integers(min_value=2, max_value=4))
def test_partial_orders(method: str, orders: RandomOrders, steps: list[int], k: int) -> None:
    problem = Problem(
        table=orders.counted,
        objectives=(measure("k"), measure("loss")),
        suppression=Suppression(policy=Policy.NONE, criteria=(read_criterion(f"k>={k}"),)),
        space=Space.ADMISSIBLE,
    )
    try:
        whole = method_named(method).run(problem)
    except UnmetError:
        assume(False)
    assert in_parts(method, problem, steps)[0] == whole


@pytest.mark.parametrize(("most", "by"), [(20, "sweep"), (10**6, "branch-and-bound")])
def test_the_exact_search_goes_on_with_the_search_it_chose(
    most: int, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "SMALL_LATTICE", 10)
    monkeypatch.setattr(Pace, "is_too_slow", lambda *_, evaluated, **__: evaluated > most)
    problem = small_problem()
    whole = method_named("exact").run(problem)
    assert whole.method == by
    # Stopped by branch and bound, and by the sweep that takes its place.
    for steps in ([2], [5, 3, 2], [8] * 9, [1, 1, 1]):
        again, parts = in_parts("exact", problem, steps)
        assert again == whole
        assert parts > 1


def part_of(method: str, *criteria: str) -> tuple[Problem, dict[str, Any]]:
    problem = small_problem(criteria=criteria)
    control = SearchControl(should_stop=after_evaluations(3))
    state = method_named(method).run(problem, control=control).state
    assert state is not None
    return problem, json.loads(json.dumps(state))


@pytest.mark.parametrize(
    ("method", "key", "value"),
    [
        ("sweep", "last", [99]),
        ("sweep", "kept", [[[0, 1, 0, 0, 0, 99], 1]]),
        ("sweep", "kept", [[[0, 1, 0, 0, 0, 0], 777]]),
        ("sweep", "kept", [[[0, 1], 1]]),
        ("branch-and-bound", "boxes", []),
        ("branch-and-bound", "boxes", [[0, 10**9, None]]),
        ("branch-and-bound", "evaluated", ["x"]),
        ("branch-and-bound", "pace", {"sizes": [[10**9, 1]], "spent": 0.0, "looks": []}),
        ("exact", "by", "anytime"),
        ("breadth-first", "meet", [[0]]),
        ("incognito", "fail", [["0"] * 6]),
    ],
)
def test_a_changed_state_is_refused(method: str, key: str, value: object) -> None:
    criteria = ("k>=3",) if method in ("breadth-first", "incognito") else ()
    problem, state = part_of(method, *criteria)
    assert key in state["at"]
    state["at"][key] = value
    with raises(SettingsError, code="broken-state", key="resume"):
        method_named(method).run(problem, control=SearchControl(resume=state))


@pytest.mark.parametrize("method", ["breadth-first", "incognito"])
def test_nothing_is_tested_twice(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.search.evaluation.criteria_test import CriteriaTest

    problem, state = part_of(method, "k>=3")
    known = len(state["at"]["meet"]) + len(state["at"]["fail"])
    tested: list[object] = []
    whole = CriteriaTest._find

    def find(self: CriteriaTest, keys: Sequence[tuple[int, ...]]) -> list[bool]:
        tested.extend(keys)
        return whole(self, keys)

    monkeypatch.setattr(CriteriaTest, "_find", find)
    found = method_named(method).run(problem, control=SearchControl(resume=state))
    assert known == 3
    assert len(tested) == found.evaluated - known
