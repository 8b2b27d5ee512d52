"""GENITOR: its selection, who lives, and what it finds where everything can be tried."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.random_trees import WORKCLASS
from tests.search.small_spaces import column_lists, exact_front, partition_problem
from tests.slow_variants import slow

from sfumato.classes.suppression import given_k, limited
from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl
from sfumato.search.evaluation.evaluated_candidates import pack, unpack
from sfumato.search.methods.genitor.genitor import first_population, genitor, next_child
from sfumato.search.methods.genitor.ranked_population import RankedPopulation
from sfumato.search.methods.genitor.settings import GenitorSettings, Start
from sfumato.search.operators.partition_crossover import random_strings
from sfumato.search.operators.selection import biased_place

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.search.methods.genitor.settings import Operator
    from sfumato.search.result import Progress, SearchResult

    Columns = list[tuple[Hierarchy, bool]]

METHOD = method_named("genitor")
AGE = Intervals(low=20, high=27, widths=(2, 4)).build([], column="age")
PROBLEM = partition_problem(
    [(AGE, False), (WORKCLASS, True)], rows=200, objectives=("loss",), suppression=given_k(5)
)


@cache
def least() -> float:
    """The least loss of all strings."""
    return next(iter(exact_front(PROBLEM)))[2][0]


@pytest.mark.parametrize("bias", [1.2, 1.5, 2.0])
def test_the_chance_falls_linearly_with_the_rank(bias: float) -> None:
    count, draws = 50, 40_000
    places = [biased_place((i + 0.5) / draws, count=count, bias=bias) for i in range(draws)]
    shares = np.bincount(places, minlength=count) / draws
    # Linear from bias / n for the best to (2 - bias) / n for the worst, in the middle of a place.
    middle = (np.arange(count) + 0.5) / count
    assert shares == pytest.approx((bias - 2 * (bias - 1) * middle) / count, abs=2e-4)
    assert shares.sum() == pytest.approx(1.0)


def test_a_child_no_better_than_the_worst_does_not_live() -> None:
    living = RankedPopulation([b"a", b"b"], [1.0, 2.0], bits=8)
    living.admit(b"c", 2.0)
    living.admit(b"d", 9.0)
    assert living.strings == [b"a", b"b"]
    living.admit(b"e", 1.0)
    assert (living.strings, living.fitness) == ([b"a", b"e"], [1.0, 1.0])
    assert b"e" in living
    assert b"b" not in living


def test_of_a_string_that_lives_twice_one_may_go() -> None:
    living = RankedPopulation([b"a", b"b", b"b"], [1.0, 2.0, 2.0], bits=8)
    living.admit(b"a", 1.0)
    assert living.strings == [b"a", b"a", b"b"]
    assert b"b" in living
    assert living.flags(1).tolist() == unpack([b"a"], 8)[0].tolist()


@settings(max_examples=examples(25))
@given(
    columns=column_lists(most_leaves=7),
    operator=st.sampled_from(["new", "trad"]),
    duplicates=st.booleans(),
    seed=st.integers(0, 999),
)
def test_children_are_valid_and_new(
    columns: Columns, operator: Operator, duplicates: bool, seed: int
) -> None:
    space = partition_problem(columns).partitions
    rng = np.random.default_rng(seed)
    population = list(dict.fromkeys(pack(random_strings(space, 12, rng=rng))))
    if len(population) < 6:
        return
    chosen = GenitorSettings(operator=operator, duplicates=duplicates, population=2)
    living = RankedPopulation(
        population, [1.0] * len(population), bits=space.bits, borders=space.borders
    )
    for _ in range(3):
        child = next_child(living, space=space, settings=chosen, rng=rng)
        if child is None:
            continue
        assert space.valid(unpack([child], space.bits)).all()
        assert duplicates or child not in population


@settings(max_examples=examples(25))
@given(columns=column_lists(most_leaves=7), seed=st.integers(0, 999), converged=st.booleans())
def test_new_flips_free_columns_and_never_constrained_ones(
    columns: Columns, seed: int, converged: bool
) -> None:
    space = partition_problem(columns).partitions
    rng = np.random.default_rng(seed)
    drawn = random_strings(space, 12, rng=rng)
    if converged:
        drawn[2:] = drawn[np.arange(10) % 2]
    living = RankedPopulation(pack(drawn), [1.0] * 12, bits=space.bits, borders=space.borders)
    # Every free bit is flipped, and nothing else changes: so the crossed child can be told.
    chosen = GenitorSettings(population=2, duplicates=True, mutation=1.0, random_crossover=0.0)
    for _ in range(3):
        child = next_child(living, space=space, settings=chosen, rng=rng)
        if child is None:
            continue
        crossed = unpack([child], space.bits)[0] ^ ~space.constrained_bits
        # Each bit is one of some parents', and the whole is none of the population.
        assert space.valid(crossed[None, :]).all()
        assert np.logical_or(drawn.any(axis=0), ~crossed).all()
        assert np.logical_or(~drawn.all(axis=0), crossed).all()
        if converged:
            assert pack(crossed[None, :])[0] not in pack(drawn)


def test_starts_differ_and_are_valid() -> None:
    space = PROBLEM.partitions
    firsts = {}
    for start in get_args(Start):
        chosen = GenitorSettings(population=40, start=start)
        strings = first_population(space, chosen, rng=np.random.default_rng(1))
        assert len(set(strings)) == 40
        assert space.valid(unpack(strings, space.bits)).all()
        firsts[start] = strings
    assert firsts["trees"] != firsts["repaired"]


@pytest.mark.parametrize(
    ("operator", "duplicates"),
    [("new", False), ("trad", True), slow("new", True), slow("trad", False)],
)
def test_the_least_loss_of_a_space_that_can_be_tried(operator: Operator, duplicates: bool) -> None:
    found = METHOD.run(
        PROBLEM,
        settings=GenitorSettings(
            operator=operator, duplicates=duplicates, population=60, evaluations=1500
        ),
    )
    assert found.finished
    (loss,) = {solution.values["loss"] for solution in found.front}
    assert loss >= least()
    if not duplicates:
        assert loss == least()
    assert f"{loss:g}" in found.reason


SMALL = GenitorSettings(population=10, evaluations=220)


def run(
    *, stop_after: int | None = None, chosen: GenitorSettings = SMALL, **control: object
) -> SearchResult:
    if stop_after is not None:
        control["should_stop"] = lambda progress: progress.steps.done >= stop_after
    return METHOD.run(PROBLEM, settings=chosen, control=SearchControl(**control))  # type: ignore[arg-type]


@pytest.mark.parametrize("operator", ["new", "trad"])
def test_the_same_seed_gives_the_same_result(operator: Operator) -> None:
    chosen = dataclasses.replace(SMALL, operator=operator)
    one = run(seed=3, chosen=chosen)
    assert one == run(seed=3, chosen=chosen) == run(seed=3, chosen=chosen, threads=1)
    assert one.evaluated != run(seed=4, chosen=chosen).evaluated


@pytest.mark.parametrize("operator", ["new", "trad"])
def test_a_resumed_run_is_the_uninterrupted_one(operator: Operator) -> None:
    chosen = dataclasses.replace(SMALL, operator=operator)
    heard: list[Progress] = []
    whole = run(chosen=chosen, listener=heard.append)
    assert [p.steps.done for p in heard if p.steps] == [10, 110, 210, 220]
    for stop_after in (10, 110, 210):
        stopped = run(chosen=chosen, stop_after=stop_after)
        assert not stopped.finished
        state = json.loads(json.dumps(stopped.state))
        assert state == stopped.state
        assert run(chosen=chosen, resume=state) == whole


def test_a_population_that_is_all_alike_ends_the_search() -> None:
    tiny = partition_problem(
        [(Intervals(low=1, high=3, widths=()).build([], column="q"), False)],
        objectives=("loss",),
        suppression=given_k(2),
    )
    found = genitor(tiny, settings=GenitorSettings(population=30, evaluations=9000))
    assert tiny.partitions.size == 4
    assert found.finished
    assert found.exact
    assert found.evaluated == 4
    assert "every valid partition was evaluated" in found.reason


@settings(max_examples=examples(10))
@given(columns=column_lists(most=2, most_leaves=4), seed=st.integers(0, 99))
def test_any_small_space_can_be_searched(columns: Columns, seed: int) -> None:
    problem = partition_problem(columns, objectives=("loss",), suppression=given_k(3), seed=seed)
    found = genitor(problem, settings=GenitorSettings(population=8, evaluations=120))
    assert found.finished
    best = next(iter(exact_front(problem)))[2][0]
    assert all(solution.values["loss"] >= best for solution in found.front)
    for solution in found.front:
        string = problem.partitions.of_recoding(solution.recoding)
        assert problem.partitions.valid(string[None, :]).all()
        assert np.array_equal(unpack(pack(string[None, :]), problem.partitions.bits)[0], string)


@pytest.mark.parametrize(
    ("given_", "code", "found"),
    [
        ({"population": 1}, "out-of-range", "1"),
        ({"evaluations": 100}, "conflicting-settings", "100"),
        ({"bias": 1}, "out-of-range", "1"),
        ({"bias": 2.5}, "out-of-range", "2.5"),
        ({"mutation": -1}, "out-of-range", "-1"),
        ({"random_crossover": 1.5}, "out-of-range", "1.5"),
        ({"start": "empty"}, "unknown-choice", "'empty'"),
        ({"operator": "old"}, "unknown-choice", "'old'"),
        ({"duplicates": "no"}, "wrong-type", "'no'"),
    ],
)
def test_bad_settings_teach(given_: dict[str, object], code: str, found: str) -> None:
    with raises(SettingsError, code=code, key=next(iter(given_)), found=found):
        GenitorSettings(**given_)  # type: ignore[arg-type]


def test_a_problem_without_a_given_k_or_a_loss_teaches() -> None:
    with raises(SettingsError, code="conflicting-settings", key="policy"):
        genitor(dataclasses.replace(PROBLEM, suppression=limited(0.1)))
    with raises(SettingsError, code="missing-setting", key="objectives"):
        genitor(partition_problem([(AGE, False)], objectives=("k",), suppression=given_k(2)))
