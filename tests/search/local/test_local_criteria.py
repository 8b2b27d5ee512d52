"""Criteria of every kind hold for every class of every method, and limits of suppression too."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.raised import raises
from tests.search.local.local_problems import least_loss, local_problem, small_problems
from tests.search.local.local_searches import (
    ANY_TABLE,
    METHODS,
    OUTPUTS,
    numbers,
    numeric_problem,
    settings_of,
)

from sfumato.classes.anonymization import Anonymization
from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    Policy,
    Suppression,
    given_k,
    limited,
)
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.ground_distance import HierarchicalDistance, OrderedDistance
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.output import Output
from sfumato.recoding.local import Local
from sfumato.search.catalogue import search_methods
from sfumato.search.local.solver import LocalSolver
from sfumato.statements.confidential import ConfidentialStatement

if TYPE_CHECKING:
    from sfumato.front.front import Front
    from sfumato.search.problem import Problem

CRITERIA = (
    "k>=3",
    "k>2.5",
    "distinct-l>=2",
    "distinct-l>1",
    "p-sensitive>=2",
    "entropy-l>=1.5",
    "entropy-l>1.5",
    "frequency-l>=1.5",
    "frequency-l>=2",
    "recursive-l(c=3)>=2",
    "recursive-l(c=0.7)>=1",
    "recursive-l(c=2)>1",
    "t<=0.4",
    "t<0.3",
    "t<=0",
    "secure",
)
ORDERED = OrderedDistance(order=("gout", "cold", "asthma", "flu"))
TREE = HierarchicalDistance(
    hierarchy=Hierarchy.from_rows(
        [("cold", "lung", "*"), ("flu", "lung", "*"), ("gout", "joint", "*")], name="s"
    )
)
STATEMENTS = (
    (ConfidentialStatement(protect="s = gout"),),
    (
        ConfidentialStatement(protect="s = gout or s = flu"),
        ConfidentialStatement(protect="s = cold", where="s = cold"),
    ),
    (
        ConfidentialStatement(protect="s = flu", where="q0 = v0"),
        ConfidentialStatement(protect="s = gout and q0 = v0"),
    ),
)
ANY = small_problems(
    most_cells=10, distances=(None, ORDERED, TREE), statements=STATEMENTS, second_column=True
)


def with_suppression(problem: Problem, criteria: list[str], share: float | None) -> Problem:
    policy = Policy.NONE if share is None else Policy.LIMIT
    required = tuple(map(read_criterion, criteria))
    return replace(problem, suppression=Suppression(policy=policy, limit=share, criteria=required))


def check(problem: Problem, front: Front, k: int) -> None:
    """Check all recodings of a front by the measures, on what becomes of every record."""
    assert problem.budget is not None
    for each in front:
        anonymized = Anonymization.of_local(problem.table, cast("Local", each.recoding))
        assert anonymized.kept.any()
        for required in problem.suppression.criteria:
            failing = required.failing(anonymized.model.batch)
            assert not failing[anonymized.kept].any(), str(required)
        assert each.values["k"] == anonymized.k >= k
        assert each.suppressed == anonymized.suppressed_rows <= problem.budget


@ANY_TABLE
@given(
    problem=ANY,
    k=st.integers(1, 4),
    criteria=st.lists(st.sampled_from(CRITERIA), min_size=1, max_size=3),
    share=st.sampled_from((None, 0.3)),
)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_every_class_meets_all_criteria(
    name: str, problem: Problem, k: int, criteria: list[str], share: float | None
) -> None:
    problem, k = with_suppression(problem, criteria, share), min(k, problem.table.rows)
    try:
        found = search_methods()[name].run(problem, settings=settings_of(name, k, k))
    except UnmetError:
        outputs = LocalSolver(problem=problem).outputs
        whole = Local.of(problem.table, np.zeros(problem.table.cells, dtype=np.int64), outputs)
        batch = Anonymization.of_local(problem.table, whole).model.batch
        assert any(each.failing(batch).any() for each in problem.suppression.criteria)
        return
    assert found.front
    check(problem, found.front, k)


@METHODS
@pytest.mark.parametrize("criterion", [each for each in CRITERIA if each != "frequency-l>=2"])
def test_in_a_table_of_numbers_too(name: str, criterion: str) -> None:
    for share in (None, 0.1):
        problem = with_suppression(numbers(), [criterion], share)
        found = search_methods()[name].run(problem, settings=settings_of(name, 2, 4))
        assert found.front
        check(problem, found.front, 2)


def test_recursive_diversity_is_tested_in_whole_numbers() -> None:
    # In floats 2.2 times 25 is more than 55, so that the second class would be enough.
    c = 2.2
    assert c * 25 > 55 == Fraction("2.2") * 25
    tree = Hierarchy.from_rows([("a", "*"), ("b", "*")], name="q")
    problem = local_problem(
        [tree],
        [[0] * 81 + [1] * 80],
        outputs=[Output.SET],
        values=[0] * 55 + [1] * 26 + [0] * 55 + [1] * 25,
        suppression=Suppression(criteria=(read_criterion(f"recursive-l(c={c})>=2"),)),
    )
    solver = LocalSolver(problem=problem)
    failing = solver.kernels.failing_classes(np.arange(2), 2, solver.arrays, solver.rules(2))
    assert failing.tolist() == [False, True]


@METHODS
def test_a_limit_is_kept_and_never_makes_it_worse(name: str) -> None:
    for seed, criterion in ((1, None), (2, "distinct-l>=2"), (3, "t<=0.4"), (4, "secure")):
        criteria = [] if criterion is None else [criterion]
        fronts = {}
        for limit in (0, 5, 30):
            required = tuple(map(read_criterion, criteria))
            suppression = Suppression(policy=Policy.LIMIT, limit=limit, criteria=required)
            problem = numbers(seed=seed, suppression=suppression)
            fronts[limit] = (
                search_methods()[name].run(problem, settings=settings_of(name, 3, 6)).front
            )
            check(problem, fronts[limit], 3)
        assert all(each.suppressed == 0 for each in fronts[0])
        for k in range(3, 7):
            nobody, some = (least(fronts[limit], k) for limit in (0, 30))
            assert some <= nobody


def least(front: Front, k: int) -> float:
    return min(each.values["loss"] for each in front if each.values["k"] >= k)


@METHODS
@pytest.mark.parametrize("times", [1, 2, 3])
def test_outliers_are_suppressed_where_that_loses_less(name: str, times: int) -> None:
    # Of three rows a class can spare none: those that are left join another class.
    tree = Intervals(widths=(10,), low=0, high=99).build([], column="q")
    codes = [[*range(10)] * times + [99]] * 2
    problem = local_problem([tree, tree], codes, outputs=[Output.INTERVAL] * 2)
    run = search_methods()[name].run
    chosen = settings_of(name, 3, 3)
    kept = run(problem, settings=chosen).front
    limit = replace(problem, suppression=limited(1))
    found = run(limit, settings=chosen).front
    check(limit, found, 3)
    best = min(found, key=lambda each: each.values["loss"])
    assert best.suppressed == 1
    (cell,) = np.flatnonzero(cast("Local", best.recoding).classes < 0)
    assert problem.table.cell_codes[:, cell].tolist() == [99, 99]
    assert best.values["loss"] < least(kept, 3) - 1


@METHODS
@pytest.mark.parametrize("criterion", ["distinct-l>=2", "frequency-l>=1.5", "t<0.5", "secure"])
def test_sensitive_values_do_not_decide_which_cells_are_suppressed(
    name: str, criterion: str
) -> None:
    """The same people with other values: what is missing is the same, or nothing."""
    missing = []
    for seed in range(3):
        problem = with_suppression(numbers(values_seed=seed), [criterion], 0.1)
        found = search_methods()[name].run(problem, settings=settings_of(name, 2, 4))
        by_size = LocalSolver(problem=replace(problem, suppression=limited(0.1)))
        allowed = [by_size.outliers(k).tolist() for k in range(2, 5)]
        for each in found.front:
            gone = (cast("Local", each.recoding).classes < 0).tolist()
            assert not any(gone) or gone in allowed
        missing.append(allowed)
    assert missing[0] == missing[1] == missing[2]
    assert any(any(gone) for gone in missing[0])


@METHODS
def test_a_given_k_is_the_least_one(name: str) -> None:
    problem = numbers(suppression=given_k(4))
    front = search_methods()[name].run(problem, settings=settings_of(name, 2, 6)).front
    assert min(each.values["k"] for each in front) >= 4


@METHODS
def test_more_rows_than_there_are_cannot_be_asked_for(name: str) -> None:
    run, few = search_methods()[name].run, numbers(12)
    with raises(UnmetError, code="criteria-unmet", found="30"):
        run(few, settings=settings_of(name, 30, 40))
    with raises(UnmetError, code="criteria-unmet", found="13"):
        run(replace(few, suppression=given_k(13)), settings=settings_of(name, 2, 6))


def test_a_policy_by_the_mean_size_is_refused() -> None:
    with raises(SettingsError, code="conflicting-settings", key="policy"):
        numbers(suppression=BELOW_WEIGHTED_K)


@ANY_TABLE
def test_no_method_loses_less_than_the_least_possible_with_suppression(name: str) -> None:
    ratios = []
    for output, k, seed in itertools.product(OUTPUTS, (2, 3), range(3)):
        problem = numeric_problem(output, None, seed)
        problem = replace(problem, suppression=limited(problem.table.rows))
        front = search_methods()[name].run(problem, settings=settings_of(name, k, k)).front
        optimum = least_loss(problem.table, k, suppressing=True)
        assert optimum is not None
        ratios.append(min(each.values["loss"] for each in front) / float(optimum))
    assert min(ratios) >= 1 - 1e-9
    assert name != "ruin-and-recreate" or max(ratios) <= 1.05
