"""PBG-EA: what it evaluates, keeps and returns, and that stopping and resuming change nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises
from tests.study.people import study_of_people

from sfumato.classes.suppression import NO_SUPPRESSION, Threshold, limited
from sfumato.errors import SettingsError
from sfumato.front.box_dominance import boxes, nondominated_boxes
from sfumato.front.indicators.objective_values import values_of
from sfumato.measures.catalogue import measure
from sfumato.search.bounds.discretization import discretization
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.methods.pbg_ea import PbgEaSettings, pbg_ea
from sfumato.search.methods.sweep import sweep
from sfumato.search.problem import Problem

if TYPE_CHECKING:
    from sfumato.search.result import Progress, SearchResult

METHOD = method_named("pbg-ea")
SUPPRESSIONS = (NO_SUPPRESSION, limited(0.2), limited(0.2, threshold=Threshold.EVERY))


def problem_of(table: RandomTable, data: st.DataObject) -> Problem:
    names = data.draw(st.sampled_from([("k", "loss"), ("k", "t", "loss"), ("s-k", "loss")]))
    suppression = data.draw(st.sampled_from(SUPPRESSIONS))
    return Problem(
        table=table.counted,
        objectives=tuple(measure(name) for name in names),
        suppression=suppression,
    )


@settings(max_examples=examples(25))
@given(table=random_tables(most_rows=30, most_identifiers=3), data=st.data())
def test_with_the_whole_lattice_seen_all_true_boxes_are_there(
    table: RandomTable, data: st.DataObject
) -> None:
    """Enough populations of such small lattices see every node; then law 1 leaves no choice."""
    problem = problem_of(table, data)
    epsilon = data.draw(st.sampled_from([None, dict.fromkeys(problem.names, 2.0)]))
    found = pbg_ea(
        problem,
        settings=PbgEaSettings(population=40, iterations=150, mutation=0.5, epsilon=epsilon),
    )
    assert found.evaluated <= found.nodes
    assert not found.exact
    assert found.finished
    assert found.state is None
    sides = tuple(discretization(problem, epsilon).values())
    # The exact front has a point in every non-dominated box of all candidates.
    true = values_of(sweep(problem).front)
    occupied = sorted(boxes(values_of(found.front), sides).tolist())
    assert all(occupied[i] != occupied[i + 1] for i in range(len(occupied) - 1))
    if found.evaluated == found.nodes:
        assert occupied == sorted(nondominated_boxes(true, problem.directions, sides).tolist())
        rows = {tuple(row) for row in true.tolist()}
        assert {tuple(row) for row in values_of(found.front).tolist()} <= rows


@pytest.fixture(scope="module")
def problem() -> Problem:
    return study_of_people(
        objectives=("k", "distinct-l", "loss"),
        suppression=limited(0.1, threshold=Threshold.EVERY),
    ).problem


SMALL = PbgEaSettings(population=5, iterations=12)


def run(problem: Problem, *, stop_after: int | None = None, **control: object) -> SearchResult:
    if stop_after is not None:
        control["should_stop"] = lambda progress: progress.steps.done >= stop_after
    return METHOD.run(problem, settings=SMALL, control=SearchControl(**control))  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_result(problem: Problem) -> None:
    one, same, other = (run(problem, seed=seed) for seed in (3, 3, 4))
    assert one == same
    assert (one.front, one.evaluated) != (other.front, other.evaluated)
    assert one == run(problem, seed=3, threads=1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_resumed_run_is_the_uninterrupted_one(problem: Problem, seed: int) -> None:
    whole = run(problem, seed=seed)
    for stop_after in range(1, SMALL.iterations):
        stopped = run(problem, seed=seed, stop_after=stop_after)
        assert not stopped.finished
        assert stopped.state is not None
        assert f"{stop_after} of 12 populations" in stopped.reason
        # Through the text of a file, as in a run folder.
        state = json.loads(json.dumps(stopped.state))
        assert state == stopped.state
        assert run(problem, seed=seed, resume=state) == whole


def test_a_run_can_be_stopped_again_and_again(problem: Problem) -> None:
    heard: list[Progress] = []
    result = run(problem, stop_after=1)
    for stop_after in range(2, 13):
        result = run(problem, stop_after=stop_after, resume=result.state, listener=heard.append)
    assert result == run(problem)
    assert [p.steps.done for p in heard if p.steps] == [n for m in range(1, 12) for n in (m, m + 1)]
    # Stopping at the last population is the end.
    assert run(problem, stop_after=12) == run(problem)


def test_unique_evaluations_are_counted(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    grouped: list[tuple[int, ...]] = []
    calls = []
    whole = EvaluatedPoints._find

    def counting(self: EvaluatedPoints, fresh: list[tuple[int, ...]]) -> object:
        grouped.extend(fresh)
        calls.append(len(fresh))
        return whole(self, fresh)

    monkeypatch.setattr(EvaluatedPoints, "_find", counting)
    heard: list[Progress] = []
    result = run(problem, listener=heard.append)
    assert result.evaluated == len(grouped) == len(set(grouped))
    assert {problem.tables.lattice.top, problem.tables.lattice.bottom} <= set(grouped[:5])
    assert len(calls) <= SMALL.iterations, "a population is evaluated in one call"
    assert [p.steps and p.steps.done for p in heard] == list(range(1, 13))
    grown = [p.evaluated for p in heard]
    assert sorted({*grown}) == np.cumsum(calls).tolist()
    assert grown == sorted(grown)
    assert heard[-1].evaluated == result.evaluated
    assert heard[-1].front_size == len(result.front)


def test_it_stops_after_so_many_evaluations(problem: Problem) -> None:
    stopped = METHOD.run(
        problem, settings=SMALL, control=SearchControl(should_stop=after_evaluations(12))
    )
    assert 12 <= stopped.evaluated < 12 + SMALL.population
    assert not stopped.finished
    assert len(stopped.front) > 0


def test_a_state_belongs_to_its_search(problem: Problem) -> None:
    state = run(problem, stop_after=3).state
    with raises(SettingsError, code="other-search", key="resume", found="seed"):
        run(problem, seed=2, resume=state)
    with raises(SettingsError, code="other-search", found="settings"):
        METHOD.run(problem, control=SearchControl(resume=state))
    other = study_of_people(objectives=("k", "loss")).problem
    with raises(SettingsError, code="other-search", found="objectives, suppression"):
        run(other, resume=state)
    with raises(SettingsError, code="broken-state", key="resume"):
        run(problem, resume={"at": {}})
    with raises(SettingsError, code="broken-state", key="resume"):
        run(problem, resume={**state, "at": {"archive": [[0, 999]]}})  # type: ignore[dict-item]
    with raises(SettingsError, code="other-search", key="resume", found="method, settings"):
        method_named("sweep").run(problem, control=SearchControl(resume=state))


def test_other_data_are_noticed(problem: Problem) -> None:
    state = run(problem, stop_after=3).state
    table = study_of_people(objectives=("k", "loss")).count_table
    changed = Problem(
        table=type(table)(
            quasi_identifiers=table.quasi_identifiers,
            sensitive=table.sensitive,
            label=table.label,
            cell_codes=table.cell_codes,
            cell_sizes=table.cell_sizes + 1,
            entry_starts=table.entry_starts,
            entry_codes=table.entry_codes,
            entry_counts=table.entry_counts,
        ),
        objectives=problem.objectives,
        suppression=problem.suppression,
    )
    with raises(SettingsError, code="other-search", found="table"):
        run(changed, resume=state)


@pytest.mark.parametrize(
    ("wrong", "code", "found"),
    [
        ({"population": 1}, "out-of-range", "1"),
        ({"iterations": 0}, "out-of-range", "0"),
        ({"iterations": 2.5}, "out-of-range", "2.5"),
        ({"crossover": 1.2}, "out-of-range", "1.2"),
        ({"mutation": -0.1}, "out-of-range", "-0.1"),
        ({"epsilon": {"k": 0}}, "out-of-range", "0"),
        ({"epsilon": [1, 2]}, "wrong-type", None),
    ],
)
def test_settings_are_checked_when_they_are_made(
    wrong: dict[str, object], code: str, found: str | None
) -> None:
    with raises(SettingsError, code=code, key=next(iter(wrong)), found=found):
        PbgEaSettings(**wrong)  # type: ignore[arg-type]


def test_the_usual_settings_are_those_of_the_paper() -> None:
    default = PbgEaSettings()
    assert (default.population, default.iterations, default.crossover) == (25, 100, 0.8)
    assert default.mutation is None


def test_epsilon_is_one_for_counts_and_one_row_for_shares(problem: Problem) -> None:
    objectives = tuple(measure(n) for n in ("k", "loss", "cm", "normalized-loss"))
    mixed = Problem(table=problem.table, objectives=objectives)
    assert discretization(mixed, {"loss": 100}) == {
        "k": 1.0,
        "loss": 100,
        "cm": 1 / 80,
        "normalized-loss": 1 / 80,
    }
    with raises(SettingsError, code="unknown-objective", found="'los'", suggestion="loss"):
        discretization(mixed, {"los": 100})


def test_a_lattice_of_one_column() -> None:
    table = study_of_people().count_table
    single = Problem(
        table=type(table)(
            quasi_identifiers=table.quasi_identifiers[:1],
            sensitive=(),
            label=None,
            cell_codes=np.array([[0, 3, 7]], dtype=table.cell_codes.dtype),
            cell_sizes=np.array([5, 1, 4]),
            entry_starts=np.arange(4),
            entry_codes=np.zeros((0, 3), dtype=table.entry_codes.dtype),
            entry_counts=np.array([5, 1, 4]),
        ),
        objectives=(measure("k"), measure("loss")),
    )
    found = pbg_ea(single, settings=PbgEaSettings(population=3, iterations=30))
    assert found.front == sweep(single).front
