"""Searching through the public face: methods by name, and what `auto` chooses."""

from __future__ import annotations

import itertools

import pytest
from tests.raised import raises
from tests.study.people import ATTRIBUTES, people, study_of_people

import sfumato as sf
import sfumato.search.methods.exact as exact_search
from sfumato.measures.measure import Direction
from sfumato.search.methods.pace import Pace

NODES = 4 * 6 * 2
LIMIT = sf.limited(0.1)


@pytest.fixture
def no_small_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_search, "SMALL_LATTICE", 0)


def test_a_front_in_one_call() -> None:
    result = study_of_people(suppression=LIMIT).search()
    assert result.exact
    assert (result.nodes, result.evaluated) == (NODES, NODES)
    front = result.front
    assert front.objectives == {"k": Direction.HIGHER, "loss": Direction.LOWER}
    ks = [solution.values["k"] for solution in front]
    losses = [solution.values["loss"] for solution in front]
    assert ks == sorted(ks)
    assert losses == sorted(losses)
    assert all(set(solution.levels) == {"age", "zip", "sex"} for solution in front)
    assert all(solution.suppressed <= 8 for solution in front)


def test_the_front_is_what_evaluating_every_node_gives() -> None:
    study = study_of_people(objectives=("k", "loss"), suppression=LIMIT)
    every = [
        study.evaluate(dict(zip(("age", "zip", "sex"), node, strict=True)), measures=("k", "loss"))
        for node in study.lattice
    ]
    best = [
        e
        for e in every
        if not any(
            o.values["k"] >= e.values["k"]
            and o.values["loss"] <= e.values["loss"]
            and o.values != e.values
            for o in every
        )
    ]
    found = study.search().front
    shown = sorted(tuple(e.levels.values()) for e in best)
    assert shown == sorted(tuple(s.levels.values()) for s in found)


@pytest.mark.parametrize("method", ["auto", "exact", "sweep", "branch-and-bound"])
def test_exact_methods_by_name_agree(method: str) -> None:
    study = study_of_people(objectives=("k", "s-k", "loss"), suppression=LIMIT)
    result = study.search(method=method)
    assert result.exact
    assert result.front == study.search(method="sweep").front


@pytest.mark.parametrize(
    ("method", "suggestion"),
    [
        ("sweeep", "sweep"),
        ("branch", "branch-and-bound"),
        ("Sweep", "sweep"),
        ("xyz", None),
    ],
)
def test_an_unknown_method_teaches(method: str, suggestion: str | None) -> None:
    with raises(sf.SettingsError, code="unknown-method", found=repr(method)) as caught:
        study_of_people().search(method=method)
    assert caught.value.suggestion == suggestion
    assert caught.value.expected is not None
    assert {"anytime", "exact", "sweep"} <= set(caught.value.expected)


def test_a_small_lattice_is_swept() -> None:
    study = study_of_people(suppression=LIMIT)
    assert exact_search.SMALL_LATTICE >= NODES
    for method in ("auto", "exact"):
        result = study.search(method=method)
        assert result.method == "sweep"
        assert result.reason == "every node of the lattice was evaluated"


@pytest.mark.usefixtures("no_small_lattice")
def test_bounds_are_used_where_they_are_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "is_too_slow", lambda *_, **__: False)
    study = study_of_people(suppression=LIMIT)
    result = study.search(method="exact")
    assert result.method == "branch-and-bound"
    assert result.evaluated < result.nodes
    assert "excluded by a proved bound" in result.reason
    assert result.front == study.search(method="sweep").front


@pytest.mark.usefixtures("no_small_lattice")
def test_an_unbounded_objective_is_swept_and_the_reason_says_so() -> None:
    # Given k may suppress any number of rows, and then k and t of a box are not bounded.
    study = study_of_people(objectives=("k", "t", "loss"), suppression=sf.given_k(3))
    result = study.search()
    assert result.method == "sweep"
    assert result.evaluated == NODES
    assert result.reason.startswith("every node of the lattice was evaluated; no bound is proved")
    assert "for k, t under suppression policy 'given-k'" in result.reason
    with pytest.raises(sf.SettingsError, match=r"proved for 'k', 't'.*use method 'sweep' or 'auto"):
        study.search(method="branch-and-bound")


@pytest.mark.usefixtures("no_small_lattice")
def test_under_a_limit_the_same_objectives_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "is_too_slow", lambda *_, **__: False)
    study = study_of_people(objectives=("k", "t", "loss"), suppression=LIMIT)
    assert study.search().method == "branch-and-bound"
    assert study.search().front == study.search(method="sweep").front


@pytest.mark.usefixtures("no_small_lattice")
def test_a_search_that_stops_paying_is_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "is_too_slow", lambda *_, evaluated, **__: evaluated > 2)
    study = study_of_people(suppression=LIMIT)
    result = study.search()
    assert result.method == "sweep"
    assert result.reason.endswith("by branch and bound it would have taken longer")
    assert result.front == study.search(method="branch-and-bound").front
    # Where a sweep is no way out, branch and bound goes on to the end, and auto can be stopped.
    monkeypatch.setattr(exact_search, "SWEEPABLE", NODES - 1)
    assert study.search(method="exact").method == "branch-and-bound"
    assert study.search().method == "anytime"


def test_the_listener_hears_the_whole_lattice() -> None:
    study = study_of_people(suppression=LIMIT)
    for method in ("sweep", "branch-and-bound"):
        heard: list[sf.Progress] = []
        result = study.search(method=method, listener=heard.append)
        assert heard[-1].settled == heard[-1].nodes == NODES
        assert heard[-1].evaluated == result.evaluated
        assert all(a.settled <= b.settled for a, b in itertools.pairwise(heard))


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_never_change_the_result(threads: int) -> None:
    study = study_of_people(objectives=("k", "entropy-loss"), suppression=LIMIT)
    assert study.search(threads=threads) == study.search()


def test_objectives_may_be_one_name_or_measures() -> None:
    alone = sf.Study(source=people(), attributes=ATTRIBUTES, objectives="k")
    assert list(alone.search().front.objectives) == ["k"]
    mixed = study_of_people(objectives=(sf.measure("s-l(column=income)"), "loss"))
    assert list(mixed.search().front.objectives) == ["s-l(column=income)", "loss"]


def test_the_rows_are_counted_once() -> None:
    study = study_of_people()
    assert study.count_table is study.count_table
    assert study.problem.table is study.count_table
    assert study.count_table.rows == 80
    assert study.lattice.nodes == NODES
