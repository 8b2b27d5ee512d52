"""What every method of local recoding keeps: k, threads, stops."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.raised import raises
from tests.search.local.local_problems import local_problem, small_problems
from tests.search.local.local_searches import ANY_TABLE, METHODS, numbers, settings_of

from sfumato.classes.suppression import Suppression
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.output import Output
from sfumato.search.catalogue import search_methods
from sfumato.search.control import SearchControl
from sfumato.search.methods.local.mdav import METHOD as MDAV
from sfumato.search.methods.local.mdav import MdavSettings, relative_squared_error
from sfumato.search.methods.local.mondrian import MondrianSettings

if TYPE_CHECKING:
    from sfumato.recoding.local import Local
    from sfumato.search.problem import Problem


@ANY_TABLE
@given(problem=small_problems(), k=st.integers(2, 5))
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_every_class_has_k_rows(name: str, problem: Problem, k: int) -> None:
    k = min(k, problem.table.rows)
    front = search_methods()[name].run(problem, settings=settings_of(name, k, k)).front
    for each in front:
        assert each.values["k"] >= k


@METHODS
def test_what_nothing_meets_is_refused(name: str) -> None:
    impossible = Suppression(criteria=(read_criterion("distinct-l>=4"),))
    problem = numbers(suppression=impossible)
    with raises(UnmetError, code="criteria-unmet", key="criteria"):
        search_methods()[name].run(problem, settings=settings_of(name, 2, 2))


@METHODS
def test_threads_do_not_change_it(name: str) -> None:
    problem = numbers(rows=400)
    one, two = (
        search_methods()[name].run(
            problem,
            settings=settings_of(name, 2, 6),
            control=SearchControl(seed=4, threads=threads),
        )
        for threads in (1, 2)
    )
    assert one == two
    assert one.finished


@METHODS
def test_stopped_early_it_returns_the_front_of_what_it_has(name: str) -> None:
    problem, method = numbers(), search_methods()[name]
    control = SearchControl(should_stop=lambda progress: progress.evaluated >= 2)
    chosen = settings_of(name, 2, 20)
    found = method.run(problem, settings=chosen, control=control)
    whole = method.run(problem, settings=chosen)
    assert not found.finished
    assert 2 <= found.evaluated < whole.evaluated
    assert 0 < len(found.front) < len(whole.front)


def test_a_stopped_search_has_a_bound_too() -> None:
    problem, method = numbers(), search_methods()["ruin-and-recreate"]
    control = SearchControl(should_stop=lambda progress: progress.evaluated >= 2)
    found = method.run(problem, settings=settings_of(method.name, 2, 20), control=control)
    whole = method.run(problem, settings=settings_of(method.name, 2, 20))
    assert found.loss_bounds == whole.loss_bounds
    assert found.loss_bounds


def test_a_front_has_rising_k_and_loss() -> None:
    front = search_methods()["top-down"].run(numbers(), settings=settings_of("top-down", 2, 30))
    values = [(each.values["k"], each.values["loss"]) for each in front.front]
    assert values == sorted(values)
    assert len(values) > 5


def test_relaxed_cuts_are_more_even() -> None:
    problem = numbers(rows=300, seed=3)
    most = {}
    for cuts in ("strict", "relaxed"):
        chosen = MondrianSettings(least_k=5, largest_k=5, cuts=cuts)
        front = search_methods()["mondrian"].run(problem, settings=chosen).front
        recoding = cast("Local", front[0].recoding)
        most[cuts] = np.bincount(recoding.classes, weights=problem.table.cell_sizes).max()
    assert most["relaxed"] <= most["strict"]
    with raises(SettingsError, code="unknown-choice", key="cuts"):
        MondrianSettings(cuts="loose")


def test_mdav_tells_its_squared_error() -> None:
    problem = numbers()
    found = MDAV.run(problem, settings=MdavSettings(least_k=2, largest_k=20))
    shares = [relative_squared_error(problem, cast("Local", each.recoding)) for each in found.front]
    assert "SSE/SST" in found.reason
    assert 0 < shares[0] < shares[-1] < 1


def test_mdav_needs_numbers() -> None:
    tree = Hierarchy.from_rows([("a", "*"), ("b", "*")], name="q")
    problem = local_problem([tree], [[0, 0, 1, 1]], outputs=[Output.SET])
    with raises(SettingsError, code="conflicting-settings", column="q0"):
        MDAV.run(problem)
