"""The anytime search: exact in the end, always true in its guarantee, and the same if resumed."""

from __future__ import annotations

import itertools
import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises
from tests.study.people import study_of_people

from sfumato.classes.suppression import NO_SUPPRESSION, Threshold, given_k, limited
from sfumato.errors import SettingsError
from sfumato.front.box_dominance import boxes, nondominated_boxes
from sfumato.front.dominance import as_costs
from sfumato.front.indicators.objective_values import values_of
from sfumato.measures.catalogue import every_measure, measure
from sfumato.search.bounds.discretization import discretization
from sfumato.search.bounds.kept_points import KeptArchive
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.guarantee import gap
from sfumato.search.methods import exact
from sfumato.search.methods.anytime.anytime import AnytimeSettings
from sfumato.search.methods.branch_and_bound import unbounded_objectives
from sfumato.search.methods.sweep import sweep
from sfumato.search.problem import Problem

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.search.guarantee import Guarantee
    from sfumato.search.result import Progress, SearchResult

METHOD = method_named("anytime")
SUPPRESSIONS = (NO_SUPPRESSION, limited(0.2), limited(3), limited(0.2, threshold=Threshold.EVERY))


def every_candidate(problem: Problem) -> Floats:
    """The costs of all candidates of all nodes, each grouped from the cells."""
    nodes = np.array(list(problem.tables.lattice), dtype=np.int64)
    return as_costs(problem.points(problem.tables.group(nodes)).values, problem.directions)


def check_guarantee(problem: Problem, result: SearchResult, everything: Floats) -> Guarantee:
    """Hold every recoding of the lattice against what the guarantee says of it."""
    guarantee = result.guarantee
    assert guarantee is not None
    assert list(guarantee.slacks) == list(problem.names)
    found = as_costs(values_of(result.front), problem.directions)
    slacks = np.array(list(guarantee.slacks.values()))
    assert all((found <= each + slacks).all(axis=1).any() for each in everything)
    for i, slack in enumerate(guarantee.single_slacks.values()):
        if math.isfinite(slack):
            allowed = np.zeros(len(slacks))
            allowed[i] = slack
            assert all((found <= each + allowed).all(axis=1).any() for each in everything)
    scales = np.array(list(guarantee.scales.values()))
    assert (scales > 0).all()
    assert (slacks >= guarantee.epsilon * scales * (1 - 1e-9)).all()
    assert result.evaluated <= guarantee.settled <= guarantee.nodes == result.nodes
    assert (guarantee.settled == guarantee.nodes) or not result.finished
    return guarantee


def run(
    problem: Problem, *, epsilon: dict[str, float] | None = None, **control: object
) -> SearchResult:
    return METHOD.run(
        problem,
        settings=AnytimeSettings(epsilon=epsilon),
        control=SearchControl(**control),  # type: ignore[arg-type]
    )


@settings(max_examples=examples(60))
@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_it_ends_with_the_exact_front_for_all_measures(
    table: RandomTable, data: st.DataObject
) -> None:
    measures = [*every_measure(table.counted), measure("recursive-l(c=2)")]
    objectives = data.draw(
        st.lists(st.sampled_from(measures), min_size=1, max_size=4, unique_by=str)
    )
    suppression = data.draw(st.sampled_from((*SUPPRESSIONS, given_k(2))))
    problem = Problem(table=table.counted, objectives=tuple(objectives), suppression=suppression)
    if unbounded_objectives(problem):
        with raises(SettingsError, code="no-bound", key="objectives"):
            run(problem)
        return
    heard: list[Progress] = []
    found = run(problem, listener=heard.append)
    assert found.front == sweep(problem).front
    assert found.exact
    assert found.finished
    assert found.state is None
    assert found.guarantee is not None
    assert (found.guarantee.epsilon, set(found.guarantee.slacks.values())) == (0, {0})
    assert found.guarantee.settled == found.nodes
    assert [p.settled for p in heard] == sorted(p.settled for p in heard)
    assert heard[-1].settled == found.nodes
    assert max(b.evaluated - a.evaluated for a, b in itertools.pairwise(heard)) <= 1


@settings(max_examples=examples(40))
@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_the_guarantee_holds_whenever_it_is_stopped_and_it_goes_on_as_if_it_was_not(
    table: RandomTable, data: st.DataObject
) -> None:
    measures = [measure(name) for name in ("k", "loss", "s-k", "dm", "t", "entropy-l", "height")]
    objectives = data.draw(
        st.lists(st.sampled_from(measures), min_size=1, max_size=3, unique_by=str)
    )
    problem = Problem(
        table=table.counted,
        objectives=tuple(objectives),
        suppression=data.draw(st.sampled_from(SUPPRESSIONS)),
    )
    epsilon = data.draw(st.sampled_from([None, {}, dict.fromkeys(problem.names, 2.5)]))
    everything = every_candidate(problem)
    whole = run(problem, epsilon=epsilon)
    check_guarantee(problem, whole, everything)
    part, steps, epsilon_before = None, 0, math.inf
    for count in range(2, whole.evaluated + 1):
        stopped = run(problem, epsilon=epsilon, should_stop=after_evaluations(count))
        assert stopped.evaluated == count
        now = check_guarantee(problem, stopped, everything).epsilon
        if epsilon is None:
            assert now <= epsilon_before
            epsilon_before = now
        if stopped.finished:
            assert stopped == whole
            continue
        assert stopped.state is not None
        assert stopped.guarantee is not None
        assert "was stopped" in stopped.reason
        assert stopped.guarantee.in_words() in stopped.reason
        # Through the text of a file, as in a run folder; to the end, and a step further.
        assert run(problem, epsilon=epsilon, resume=json.loads(json.dumps(stopped.state))) == whole
        if part is not None:
            assert (
                run(problem, epsilon=epsilon, resume=part, should_stop=after_evaluations(count))
                == stopped
            )
        part = stopped.state
        steps += 1
    assert steps < whole.nodes


@settings(max_examples=examples(40))
@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_an_archive_ends_with_every_best_box_of_the_lattice(
    table: RandomTable, data: st.DataObject
) -> None:
    names = data.draw(st.sampled_from([("k", "loss"), ("k", "t", "loss"), ("s-k", "loss")]))
    problem = Problem(
        table=table.counted,
        objectives=tuple(measure(name) for name in names),
        suppression=data.draw(st.sampled_from(SUPPRESSIONS)),
    )
    given_widths = data.draw(st.sampled_from([{}, {"loss": 3.0}, dict.fromkeys(names, 2.0)]))
    found = run(problem, epsilon=given_widths)
    widths = tuple(discretization(problem, given_widths).values())
    everything = as_costs(every_candidate(problem), problem.directions)
    occupied = sorted(boxes(values_of(found.front), widths).tolist())
    assert occupied == nondominated_boxes(everything, problem.directions, widths).tolist()
    assert found.finished
    assert not found.exact
    assert found.guarantee is not None
    assert tuple(found.guarantee.slacks.values()) == widths
    assert found.guarantee.epsilon == 0
    assert "one solution for each box" in found.reason


@pytest.fixture(scope="module")
def problem() -> Problem:
    return study_of_people(objectives=("k", "loss"), suppression=limited(0.1)).problem


def test_wide_boxes_need_fewer_evaluations(problem: Problem) -> None:
    whole, coarse = run(problem), run(problem, epsilon={"k": 20, "loss": 100})
    assert coarse.evaluated < whole.evaluated
    assert len(coarse.front) < len(whole.front)


def test_a_changed_state_is_refused(problem: Problem) -> None:
    state = run(problem, should_stop=after_evaluations(4)).state
    assert state is not None
    at = state["at"]
    assert isinstance(at, dict)
    broken: dict[str, object]
    for broken in (
        {},
        {**at, "kept": [[0, -1]]},
        {**at, "boxes": [[0, 1, 2]]},
        {**at, "boxes": [[0, 1, 0, 1, 3.0]]},
        {**at, "turn": "x"},
        {key: value for key, value in at.items() if key != "last"},
    ):
        with raises(SettingsError, code="broken-state", key="resume"):
            run(problem, resume={**state, "at": broken})
    with raises(SettingsError, code="other-search", found="settings"):
        run(problem, epsilon={"k": 2}, resume=state)


def test_wrong_settings(problem: Problem) -> None:
    with raises(SettingsError, code="wrong-type", key="epsilon", found="5"):
        AnytimeSettings(epsilon=5)  # type: ignore[arg-type]
    with raises(SettingsError, code="out-of-range", key="epsilon", found="0"):
        AnytimeSettings(epsilon={"k": 0})
    with raises(SettingsError, code="unknown-objective", suggestion="loss"):
        run(problem, epsilon={"los": 3})


def test_auto_is_the_anytime_search_where_no_sweep_could_finish(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    auto = method_named("auto")
    assert auto.run(problem).method == "sweep"
    monkeypatch.setattr(exact, "SWEEPABLE", 3)
    stopped = auto.run(problem, control=SearchControl(should_stop=after_evaluations(4)))
    assert (stopped.method, stopped.evaluated) == ("anytime", 4)
    assert stopped.guarantee is not None
    rest = auto.run(problem, control=SearchControl(resume=stopped.state))
    assert rest.front == sweep(problem).front
    assert rest.exact


@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_no_gap_to_what_an_archive_reached_ever_grows(
    table: RandomTable, data: st.DataObject
) -> None:
    names = ("k", "loss", "t")
    problem = Problem(
        table=table.counted,
        objectives=tuple(measure(name) for name in names),
        suppression=limited(3),
    )
    archive = KeptArchive(problem, (2.5, 2.5, 0.2))
    bounds = every_candidate(problem)
    before = np.full(len(bounds), np.inf)
    for node in data.draw(st.permutations(list(problem.tables.lattice))):
        archive.add(problem.points(problem.tables.group(np.array([node]))))
        now = np.array([gap(archive.reached, each, np.ones(len(names))) for each in bounds])
        assert (now <= before).all()
        before = now
