from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sfumato.search.control import SearchControl
from sfumato.search.methods import exact as exact_search
from sfumato.search.methods import pace as paces
from sfumato.search.methods.branch_and_bound import bounded_search, branch_and_bound
from sfumato.search.methods.exact import exact
from sfumato.search.methods.pace import Pace
from sfumato.search.methods.sweep import sweep
from sfumato.testing.small_problems import small_problem

if TYPE_CHECKING:
    from sfumato.search.problem import Problem


@pytest.fixture
def problem() -> Problem:
    return small_problem()


def running(problem: Problem, *, size: int, nodes: int) -> Pace:
    """Return the pace of a proof that has evaluated so many nodes, all with as many classes."""
    pace = Pace(problem=problem)
    for number in range(nodes):
        pace.add(problem.tables.lattice.levels(number % problem.tables.lattice.nodes), size)
    return pace


def test_a_proof_that_settles_nothing_gives_way(problem: Problem) -> None:
    pace = running(problem, size=5, nodes=200)
    assert pace.is_too_slow(evaluated=200, settled=0.0)


def test_a_proof_that_is_nearly_done_goes_on(problem: Problem) -> None:
    pace = running(problem, size=5, nodes=200)
    assert not pace.is_too_slow(evaluated=200, settled=0.999)


def test_what_was_asked_a_moment_ago_is_not_asked_again(problem: Problem) -> None:
    pace = running(problem, size=5, nodes=200)
    assert not pace.is_too_slow(evaluated=200, settled=0.999)
    assert not pace.is_too_slow(evaluated=201, settled=0.0)
    assert pace.is_too_slow(evaluated=250, settled=0.0)


def test_a_slow_start_is_no_sign_of_a_long_proof(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settled share grew with the square of the nodes: the power of the nodes is a half."""
    monkeypatch.setattr(Pace, "_sweep", 500_000.0)
    pace = running(problem, size=5, nodes=1_000)
    assert not pace.is_too_slow(evaluated=250, settled=0.01)
    # 3,000 nodes more of 200 µs if it goes on like that; 9,000 and more if it slows down.
    assert not pace.is_too_slow(evaluated=1_000, settled=0.16)
    slower = running(problem, size=5, nodes=1_000)
    assert not slower.is_too_slow(evaluated=250, settled=0.04)
    assert slower.is_too_slow(evaluated=1_000, settled=0.08)


def test_a_record_is_the_pace(problem: Problem) -> None:
    pace = running(problem, size=7, nodes=20)
    pace.is_too_slow(evaluated=20, settled=0.5)
    again = Pace.read(problem, json.loads(json.dumps(pace.record())))
    assert (again.sizes, again.spent, again.looks) == (pace.sizes, pace.spent, pace.looks)


def test_the_exact_front_is_the_same_by_either_search(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_search, "SMALL_LATTICE", 0)
    monkeypatch.setattr(paces, "_SOON", 0.0)
    found = {}
    for threads in (1, 2, 3):
        result = exact(problem, control=SearchControl(threads=threads))
        assert result.front == sweep(problem).front == branch_and_bound(problem).front
        found[threads] = result
    assert found[1] == found[2] == found[3]


def test_branch_and_bound_by_itself_never_gives_way(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "is_too_slow", lambda *_, **__: True)
    assert bounded_search(problem, chosen=False) is None
    assert bounded_search(problem) is not None
