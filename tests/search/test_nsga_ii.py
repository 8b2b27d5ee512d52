"""NSGA-II: ranks and crowding against naive versions, exact fronts of small spaces, resuming."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.random_trees import WORKCLASS
from tests.search.small_spaces import column_lists, exact_front, naive_ranks, partition_problem

from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Threshold,
    given_k,
    limited,
)
from sfumato.errors import SettingsError
from sfumato.front.dominance import pareto_ranks
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.measures.measure import Direction
from sfumato.recoding.cuts import Cuts
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings
from sfumato.search.methods.nsga_ii import NsgaIISettings, nsga_ii
from sfumato.search.operators.fitness import crowding_distances
from sfumato.search.operators.selection import permuted_tournament
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.classes.suppression import Suppression
    from sfumato.front.front import Solution
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.search.problem import Problem
    from sfumato.search.result import Progress, SearchResult

    Columns = list[tuple[Hierarchy, bool]]

METHOD = method_named("nsga-ii")
AGE = Intervals(low=20, high=27, widths=(2, 4)).build([], column="age")
WAYS = (Direction.HIGHER, Direction.LOWER)
metrics = st.sampled_from([0.0, 1.0, 2.0, 2.5, 7.0, math.inf])


def points_of(count: int) -> st.SearchStrategy[list[tuple[float, ...]]]:
    return st.lists(st.tuples(*[metrics] * count), min_size=1, max_size=15)


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(points_of(n), st.tuples(*[st.sampled_from(WAYS)] * n))
    )
)
def test_ranks_are_those_of_peeling_fronts(
    drawn: tuple[list[tuple[float, ...]], tuple[Direction, ...]],
) -> None:
    points, directions = drawn
    found = pareto_ranks(np.array(points), directions)
    assert found.tolist() == naive_ranks(points, directions)


def naive_crowding(points: list[tuple[float, ...]], ranks: list[int]) -> list[float]:
    """Deb et al. 2002, with equal metrics sorted by the other objectives in turn."""
    distances = [0.0] * len(points)
    for rank in set(ranks):
        members = [i for i, each in enumerate(ranks) if each == rank]
        for m in range(len(points[0])):
            members.sort(key=lambda i: (points[i][m:] + points[i][:m], i))
            width = points[members[-1]][m] - points[members[0]][m]
            distances[members[0]] = distances[members[-1]] = math.inf
            for before, i, after in zip(members, members[1:], members[2:], strict=False):
                if width > 0:
                    distances[i] += (points[after][m] - points[before][m]) / width
    return distances


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, 2.5, 7.0])] * n), min_size=1, max_size=15
        )
    ),
    st.data(),
)
def test_crowding_is_that_of_the_definition(
    points: list[tuple[float, ...]], data: st.DataObject
) -> None:
    ranks = data.draw(st.lists(st.integers(0, 2), min_size=len(points), max_size=len(points)))
    found = crowding_distances(np.array(points), np.array(ranks))
    assert found == pytest.approx(naive_crowding(points, ranks))


def test_infinite_metrics_crowd_by_their_order() -> None:
    points = np.array([[1.0, math.inf], [2.0, 5.0], [3.0, 4.0], [4.0, 3.0]])
    found = crowding_distances(points, np.zeros(4, dtype=np.int64))
    assert found.tolist() == [
        math.inf,
        pytest.approx(2 / 3 + 2 / 3),
        pytest.approx(4 / 3),
        math.inf,
    ]


def test_everyone_takes_part_equally_often() -> None:
    ranks = np.array([0, 1, 1, 2, 3, 3])
    crowding = np.array([1.0, 5.0, 2.0, 1.0, np.inf, 1.0])
    for seed in range(20):
        winners = permuted_tournament(ranks, crowding, count=6, rng=np.random.default_rng(seed))
        # Of two rounds the best wins both, the worst none.
        assert winners.tolist().count(0) == 2
        assert winners.tolist().count(5) == 0
        assert winners.shape == (6,)
    alone = permuted_tournament(ranks[:1], crowding[:1], count=4, rng=np.random.default_rng(1))
    assert alone.tolist() == [0, 0, 0, 0]


def string_of(problem: Problem, solution: Solution) -> tuple[int, ...]:
    return tuple(map(int, problem.partitions.of_recoding(solution.recoding)))


def found_points(
    problem: Problem, result: SearchResult
) -> set[tuple[tuple[int, ...], int, tuple[float, ...]]]:
    return {(string_of(problem, s), s.threshold, tuple(s.values.values())) for s in result.front}


@settings(max_examples=examples(30))
@given(
    columns=column_lists(most=2, most_leaves=5),
    objectives=st.sampled_from(
        [("k", "loss"), ("weighted-k", "gl"), ("k", "t", "loss"), ("loss",)]
    ),
    suppression=st.sampled_from(
        [
            NO_SUPPRESSION,
            limited(0.2),
            limited(0.2, threshold=Threshold.EVERY),
            given_k(3),
            BELOW_WEIGHTED_K,
        ]
    ),
    seed=st.integers(1, 99),
)
def test_a_search_that_sees_everything_finds_the_exact_front(
    columns: Columns, objectives: tuple[str, ...], suppression: Suppression, seed: int
) -> None:
    problem = partition_problem(
        columns,
        objectives=objectives,
        suppression=suppression,
        seed=seed,
    )
    found = nsga_ii(
        problem,
        settings=NsgaIISettings(population=60, generations=40, mutation=0.3, random_crossover=0.5),
        control=SearchControl(seed=seed),
    )
    assert found.evaluated <= found.nodes == problem.partitions.size
    true = exact_front(problem)
    best = {values for _, _, values in true}
    if found.exact:
        assert found_points(problem, found) == true
    # Ties may be missed in a space that was not seen whole; the metrics may not.
    assert {values for _, _, values in found_points(problem, found)} == best


@pytest.mark.parametrize(
    ("objectives", "suppression", "seed"),
    [
        # The three problems of MOEA §1.4.1.
        pytest.param(("weighted-k", "gl"), NO_SUPPRESSION, 1, marks=pytest.mark.slow),
        pytest.param(("k", "loss"), limited(0.1), 2, marks=pytest.mark.slow),
        pytest.param(("weighted-k", "gl", "sl"), BELOW_WEIGHTED_K, 3, marks=pytest.mark.slow),
    ],
)
def test_the_chapters_settings_find_the_exact_front_of_a_space_that_can_be_tried(
    objectives: tuple[str, ...], suppression: Suppression, seed: int
) -> None:
    problem = partition_problem(
        [(AGE, False), (WORKCLASS, True)],
        rows=300,
        objectives=objectives,
        suppression=suppression,
    )
    assert problem.partitions.size == 128 * 9
    result = METHOD.run(problem, control=SearchControl(seed=seed))
    assert found_points(problem, result) == exact_front(problem)


PROBLEM = partition_problem(
    [(AGE, False), (WORKCLASS, True)],
    rows=120,
    objectives=("k", "distinct-l", "loss"),
    suppression=limited(0.1, threshold=Threshold.EVERY),
)
SMALL = NsgaIISettings(population=7, generations=9, random_crossover=0.2)


def run(*, stop_after: int | None = None, **control: object) -> SearchResult:
    if stop_after is not None:
        control["should_stop"] = lambda progress: progress.steps.done >= stop_after
    return METHOD.run(PROBLEM, settings=SMALL, control=SearchControl(**control))  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_result_for_any_number_of_threads() -> None:
    one, same, other = (run(seed=seed) for seed in (3, 3, 4))
    assert one == same
    assert one != other
    assert one == run(seed=3, threads=1) == run(seed=3, threads=5)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_resumed_run_is_the_uninterrupted_one(seed: int) -> None:
    heard: list[Progress] = []
    whole = run(seed=seed, listener=heard.append)
    for stop_after in range(1, SMALL.generations):
        again: list[Progress] = []
        stopped = run(seed=seed, stop_after=stop_after, listener=again.append)
        assert not stopped.finished
        assert f"{stop_after} of 9 generations" in stopped.reason
        state = json.loads(json.dumps(stopped.state))
        assert state == stopped.state
        again.pop()
        assert run(seed=seed, resume=state, listener=again.append) == whole
        assert again == heard


def test_progress_tells_of_a_front_that_grows() -> None:
    heard: list[Progress] = []
    result = run(listener=heard.append)
    volumes = [progress.hypervolume for progress in heard]
    assert all(volume is not None and 0 <= volume <= 1 for volume in volumes)
    assert volumes == sorted(volumes, key=lambda volume: volume or 0.0)
    assert heard[-1].front_size == len(result.front)
    assert heard[-1].evaluated == result.evaluated
    assert [p.steps.done for p in heard if p.steps] == list(range(1, 10))


def test_no_string_is_evaluated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    default = EvaluatedStrings._find

    def counted(self: EvaluatedStrings, keys: list[bytes]) -> object:
        seen.extend(keys)
        return default(self, keys)

    monkeypatch.setattr(EvaluatedStrings, "_find", counted)
    result = run()
    assert len(seen) == len(set(seen)) == result.evaluated


def test_the_ends_are_on_the_front_and_random_leaves_them_out() -> None:
    result = METHOD.run(PROBLEM, settings=NsgaIISettings(population=4, generations=1))
    cuts = [solution.recoding for solution in result.front]
    assert Cuts.of({"q0": (), "q1": ()}) in cuts
    alone = METHOD.run(PROBLEM, settings=dataclasses.replace(SMALL, generations=1, start="random"))
    assert alone.evaluated <= 7


def test_a_start_with_the_lattice_is_never_worse_than_it() -> None:
    lattice = method_named("exact").run(dataclasses.replace(PROBLEM, space=Space.LATTICE))
    result = METHOD.run(PROBLEM, settings=dataclasses.replace(SMALL, start="lattice"))
    ways = PROBLEM.directions
    together = np.array(
        [list(s.values.values()) for front in (result.front, lattice.front) for s in front]
    )
    ranks = pareto_ranks(together, ways)
    assert (ranks[: len(result.front)] == 0).all()


@pytest.mark.parametrize(
    ("settings_", "code", "found"),
    [
        ({"population": 1}, "out-of-range", "1"),
        ({"generations": 0}, "out-of-range", "0"),
        ({"mutation": 1.5}, "out-of-range", "1.5"),
        ({"start": "anywhere"}, "unknown-choice", "'anywhere'"),
    ],
)
def test_bad_settings_teach(settings_: dict[str, object], code: str, found: str) -> None:
    with raises(SettingsError, code=code, key=next(iter(settings_)), found=found):
        NsgaIISettings(**settings_)  # type: ignore[arg-type]


def test_a_method_of_another_space_teaches() -> None:
    with raises(
        SettingsError, code="conflicting-settings", found="'lattice'", expected=("partitions",)
    ):
        METHOD.run(dataclasses.replace(PROBLEM, space=Space.LATTICE))
    with raises(SettingsError, code="conflicting-settings", expected=("lattice", "admissible")):
        method_named("sweep").run(PROBLEM)
    with raises(SettingsError, code="conflicting-settings", found="'height'"):
        partition_problem([(AGE, False)], objectives=("k", "height"))
    with raises(SettingsError, code="unknown-choice", key="space", found="'everywhere'"):
        dataclasses.replace(PROBLEM, space="everywhere")  # type: ignore[arg-type]


def test_a_state_of_another_space_or_of_nobody_teaches() -> None:
    stopped = run(stop_after=2)
    assert stopped.state is not None
    other = partition_problem(
        [(AGE, True), (WORKCLASS, True)],
        rows=120,
        objectives=("k", "distinct-l", "loss"),
        suppression=limited(0.1, threshold=Threshold.EVERY),
    )
    with raises(SettingsError, code="other-search", key="resume") as caught:
        METHOD.run(other, settings=SMALL, control=SearchControl(resume=stopped.state))
    assert "constrained" in str(caught.value.found)
    broken = {**stopped.state, "at": {**stopped.state["at"], "population": "?"}}  # type: ignore[dict-item]
    with raises(SettingsError, code="broken-state", key="resume"):
        run(resume=broken)


def test_a_stopped_search_has_the_front_of_what_it_saw() -> None:
    stopped = METHOD.run(
        PROBLEM, settings=SMALL, control=SearchControl(should_stop=after_evaluations(1))
    )
    assert not stopped.finished
    assert stopped.evaluated <= SMALL.population
