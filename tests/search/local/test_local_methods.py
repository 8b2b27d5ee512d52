"""What every method of local recoding keeps: criteria, threads, stops, nearness to the optimum."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.raised import raises
from tests.search.local.local_problems import least_loss, local_problem, small_problems

from sfumato.classes.anonymization import Anonymization
from sfumato.classes.suppression import Suppression
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.output import Output
from sfumato.search.catalogue import search_methods
from sfumato.search.control import SearchControl
from sfumato.search.methods.local.mdav import METHOD as MDAV
from sfumato.search.methods.local.mdav import MdavSettings, relative_squared_error
from sfumato.search.methods.local.mondrian import MondrianSettings
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.recoding.local import Local
    from sfumato.search.problem import Problem

NAMES = sorted(
    name
    for name, method in search_methods().items()
    if method.capabilities.spaces == (Space.LOCAL,)
)
METHODS = pytest.mark.parametrize("name", NAMES)
ANY_TABLE = pytest.mark.parametrize("name", [name for name in NAMES if name != "mdav"])

FACTORS = {
    "bottom-up": 1.4,
    "mondrian": 1.8,
    "peeling": 1.25,
    "ruin-and-recreate": 1.02,
    "top-down": 1.3,
}
"""The losses of many small tables together, at most so many times those of their optima."""

CRITERIA = (
    "k>=3",
    "distinct-l>=2",
    "entropy-l>=1.5",
    "frequency-l>=1.5",
    "recursive-l(c=3)>=2",
    "t<=0.4",
    "secure",
)


def settings_of(name: str, least: int, largest: int) -> object:
    made = search_methods()[name].settings
    assert made is not None
    return made(least_k=least, largest_k=largest)  # type: ignore[call-arg]


def numbers(rows: int = 120, *, seed: int = 1, suppression: Suppression | None = None) -> Problem:
    """Return a numeric table with a sensitive column."""
    rng = np.random.default_rng(seed)
    columns = [(40 * rng.random(rows) ** power).astype(int).tolist() for power in (1, 2)]
    tree = Intervals(widths=(5, 20), low=0, high=40).build([], column="q")
    problem = local_problem(
        [tree, tree],
        columns,
        outputs=[Output.INTERVAL, Output.HIERARCHY],
        values=rng.choice(3, rows, p=(0.5, 0.3, 0.2)).tolist(),
    )
    return problem if suppression is None else replace(problem, suppression=suppression)


def random_problem(seed: int) -> Problem:
    """Return a table of at most seven cells."""
    rng = np.random.default_rng(seed)
    tree = Hierarchy.from_rows([(f"v{leaf}", f"L{leaf // 2}", "*") for leaf in range(6)], name="q")
    cells = rng.choice(36, 7, replace=False)
    rows = np.repeat(cells, rng.integers(1, 4, 7))
    output = list(Output)[seed % 3]
    return local_problem(
        [tree, tree], [(rows // 6).tolist(), (rows % 6).tolist()], outputs=[output, output]
    )


@cache
def _optimum(seed: int, k: int) -> float:
    return float(least_loss(random_problem(seed).table, k))


@ANY_TABLE
def test_how_near_it_comes_to_the_optimum(name: str) -> None:
    method = search_methods()[name]
    found = optimum = 0.0
    for seed, k in itertools.product(range(15), (2, 3)):
        problem = random_problem(seed)
        front = method.run(problem, settings=settings_of(name, k, k)).front
        loss = min(each.values["loss"] for each in front)
        least = _optimum(seed, k)
        assert loss >= least * (1 - 1e-9)
        found, optimum = found + loss, optimum + least
    assert found <= FACTORS[name] * optimum


@METHODS
@pytest.mark.parametrize("criterion", CRITERIA)
def test_all_classes_meet_the_criteria(name: str, criterion: str) -> None:
    required = read_criterion(criterion)
    problem = numbers(suppression=Suppression(criteria=(required,)))
    found = search_methods()[name].run(problem, settings=settings_of(name, 2, 4))
    assert found.front
    for each in found.front:
        recoding = cast("Local", each.recoding)
        anonymized = Anonymization.of_local(problem.table, recoding)
        batch = anonymized.model.batch
        assert not required.failing(batch)[anonymized.kept].any()
        assert each.values["k"] >= 2


@ANY_TABLE
@given(problem=small_problems(), k=st.integers(2, 5))
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_every_class_has_k_rows(name: str, problem: Problem, k: int) -> None:
    front = search_methods()[name].run(problem, settings=settings_of(name, k, k)).front
    for each in front:
        assert each.values["k"] >= min(k, problem.table.rows)


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
    with raises(SettingsError, code="conflicting-settings", column="q0"):
        MDAV.run(random_problem(1))
