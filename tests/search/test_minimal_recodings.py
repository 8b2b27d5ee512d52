"""Both searches for minimal recodings against brute force on random partial orders."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.search.random_orders import (
    RandomOrders,
    closeness,
    entropy_at_least,
    k_at_least,
    random_orders,
    recursive,
    shares_at_most,
    values_at_least,
)

import sfumato as sf
from sfumato.classes.suppression import Policy, Suppression
from sfumato.errors import Notice, SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.search.catalogue import SearchCapabilities, method_named
from sfumato.search.problem import Problem
from sfumato.search.space import Space
from sfumato.statements.confidential import ConfidentialStatement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.search.result import SearchResult

METHODS = ("breadth-first", "incognito")

SHRINKING = {
    "k>=2": k_at_least(2),
    "k>=4": k_at_least(4),
    "k>1": k_at_least(2),
    "distinct-l>=2": values_at_least(2),
    "p-sensitive>=3": values_at_least(3),
}
"""Criteria of which the failing rows only ever become fewer."""

OTHERS = {
    "frequency-l>=1.5": shares_at_most(Fraction(3, 2)),
    "entropy-l>=2": entropy_at_least(2.0),
    "recursive-l(c=2)>=2": recursive(2, 2),
    "t<=0.25": closeness(Fraction(1, 4)),
    "t<=0.5": closeness(Fraction(1, 2)),
}


LEAST = {"k>=2": 2, "k>=4": 4, "k>1": 2}
"""The least size of a class that a criterion asks for."""


def problem_of(
    table: RandomOrders, criteria: Sequence[str], limit: int, *, failing: bool = False
) -> Problem:
    return Problem(
        table=table.counted,
        objectives=(measure("k"), measure("loss")),
        suppression=Suppression(
            policy=Policy.LIMIT if limit else Policy.NONE,
            limit=limit or None,
            criteria=tuple(map(read_criterion, criteria)),
            failing=failing,
        ),
        space=Space.ADMISSIBLE,
    )


def names_of(result: SearchResult, table: RandomOrders) -> list[tuple[str, ...]]:
    return [
        tuple(
            table.admissible[q].names[solution.levels[f"q{q}"]]
            for q in range(len(table.admissible))
        )
        for solution in result.front
    ]


@settings(max_examples=examples(150))
@given(table=random_orders(), data=st.data())
def test_both_find_what_brute_force_finds(table: RandomOrders, data: st.DataObject) -> None:
    limit = data.draw(st.sampled_from([0, 0, 1, 3, 100]))
    failing = data.draw(st.booleans()) if limit else False
    shrinking = SHRINKING if failing else {name: SHRINKING[name] for name in LEAST}
    known = shrinking if limit else SHRINKING | OTHERS
    names = data.draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=2, unique=True))
    asked, least = [known[name] for name in names], max(LEAST.get(name, 0) for name in names)
    meeting = (
        table.meeting_by_size(asked, limit, least=least)
        if limit and not failing
        else table.meeting(asked, limit)
    )
    expected = table.minimal(meeting)
    problem = problem_of(table, names, limit, failing=failing)
    for method in METHODS:
        if not meeting:
            with raises(UnmetError, code="criteria-unmet", key="criteria"):
                method_named(method).run(problem)
            continue
        found = method_named(method).run(problem)
        assert sorted(names_of(found, table)) == sorted(expected)
        assert found.finished
        assert found.exact
        assert found.minimal is not None
        assert found.minimal.full + found.minimal.partial == found.evaluated
        assert found.evaluated + found.minimal.pruned == found.nodes
        # What a solution suppresses are the rows of its failing classes, and no others: also by
        # size, where size is all that the criteria are about.
        for solution, chosen in zip(found.front, names_of(found, table), strict=True):
            gone = sum(
                c.total()
                for c in table.classes(chosen)
                if not all(
                    known[name](c, sum(table.classes(chosen), start=type(c)())) for name in names
                )
            )
            assert solution.suppressed == gone


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("criterion", [*sorted(OTHERS), "distinct-l>=2", "p-sensitive>=3"])
def test_criteria_that_suppression_breaks_are_refused(method: str, criterion: str) -> None:
    table = RandomOrders(leaves=(2,), partitions=({},), rows=(((0,), "a"), ((1,), "b")))
    with raises(SettingsError, code="not-inherited", key="criteria", found=criterion):
        method_named(method).run(problem_of(table, ["k>=1", criterion], 1))
    if criterion in OTHERS:
        with raises(SettingsError, code="not-inherited", key="criteria", found=criterion):
            method_named(method).run(problem_of(table, [criterion], 1, failing=True))


def test_by_size_a_coarser_recoding_can_miss_what_a_finer_one_meets() -> None:
    """The counterexample of docs/method.md: merging two suppressed classes makes one that fails."""
    rows = [((0,), "a"), ((1,), "a"), *(((leaf,), s) for leaf in (2, 3, 4) for s in "ab")]
    partition: dict[str, tuple[int, ...]] = {"merged": (0, 0, 1, 2, 3)}
    table = RandomOrders(leaves=(5,), partitions=(partition,), rows=tuple(rows))
    for criteria in (["distinct-l>=2"], ["k>=2", "distinct-l>=2"]):
        problem = problem_of(table, criteria, 2)
        points = [problem.points(problem.tables.group(np.array([[n]]))) for n in range(3)]
        assert [len(each) for each in points] == [1, 0, 1]
        failing = problem_of(table, criteria, 2, failing=True)
        points = [failing.points(failing.tables.group(np.array([[n]]))) for n in range(3)]
        assert [len(each) for each in points] == [1, 1, 1]


def test_statements_by_person_are_refused_only_with_suppression() -> None:
    def study(statement: ConfidentialStatement, limit: int) -> sf.Study:
        return sf.Study(
            source=pandas.DataFrame({"q": ["1", "2", "3", "4"], "s": ["a", "a", "b", "b"]}),
            attributes=[
                sf.quasi_identifying("q", sf.Intervals(low=1, high=4, widths=(2,), origin=1)),
                sf.sensitive("s"),
            ],
            suppression=sf.limited(limit, failing=True) if limit else sf.Suppression(),
            statements=[statement],
            criteria=["secure"],
        )

    own, common = (
        ConfidentialStatement(protect="s = a", where="q = 1"),
        ConfidentialStatement(protect="s = a"),
    )
    for method in METHODS:
        with (
            raises(SettingsError, code="not-inherited", found="secure"),
            pytest.warns(Notice, match="secure"),
        ):
            study(own, 1).search(method=method)
        for statement, limit, levels in ((own, 0, [2]), (common, 0, [2]), (common, 2, [0])):
            expected = pytest.warns(Notice, match="secure") if limit else nullcontext()
            with expected:
                found = study(statement, limit).search(method=method)
            assert [solution.levels["q"] for solution in found.front] == levels


@settings(max_examples=examples(60))
@given(
    table=random_orders(), limit=st.sampled_from([0, 3]), criteria=st.sampled_from([(), ("k>=2",)])
)
def test_the_front_of_admissible_recodings(
    table: RandomOrders, limit: int, criteria: tuple[str, ...]
) -> None:
    """All of them, each grouped from the cells alone, filtered by comparing all pairs."""
    problem = problem_of(table, criteria, limit)
    space = problem.admissible
    points = [
        (choice, float(values[0]), float(values[1]))
        for choice in space
        for values in problem.points(problem.tables.group(np.array([choice]))).values
    ]
    best = sorted(
        (choice, k, loss)
        for choice, k, loss in points
        if not any(
            k2 >= k and loss2 <= loss and (k2 > k or loss2 < loss) for _, k2, loss2 in points
        )
    )
    for method in ("auto", "exact", "sweep"):
        if not points:
            with raises(UnmetError, code="criteria-unmet"):
                method_named(method).run(problem)
            continue
        found = method_named(method).run(problem)
        assert found.exact
        assert found.evaluated == found.nodes == space.size
        assert best == sorted(
            (tuple(s.levels.values()), s.values["k"], s.values["loss"]) for s in found.front
        )


def test_other_methods_refuse_the_space_and_the_criteria() -> None:
    table = RandomOrders(leaves=(2,), partitions=({},), rows=(((0,), "a"), ((1,), "b")))
    for method in ("branch-and-bound", "anytime", "pbg-ea", "nsga-ii", "genitor"):
        with raises(SettingsError, code="conflicting-settings", found="'admissible'"):
            method_named(method).run(problem_of(table, ["k>=1"], 0))
    with raises(SettingsError, code="conflicting-settings", key="space", found="'lattice'"):
        replace(problem_of(table, ["k>=1"], 0), space=Space.LATTICE)
    with pytest.raises(SettingsError, match="use 'loss' instead"):
        replace(problem_of(table, [], 0), objectives=(measure("height"),))
    for method in METHODS:
        with raises(SettingsError, code="missing-setting", key="criteria"):
            method_named(method).run(problem_of(table, [], 0))
    lattice = sf.Study(
        source=pandas.DataFrame({"q": ["1", "2"]}),
        attributes=[sf.quasi_identifying("q", sf.Flat())],
        criteria="k>=2",
    )
    refusing = replace(method_named("sweep"), capabilities=SearchCapabilities())
    with raises(SettingsError, code="conflicting-settings", key="criteria", found="k>=2"):
        refusing.run(lattice.problem)


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("loss<=5", "not-a-criterion", None),
        ("k<=5", "wrong-direction", "k>=5"),
        ("t>=0.2", "wrong-direction", "t<=0.2"),
        ("k>=5, t<=0.2", "several-constraints", None),
        ("kk>=5", "unknown-measure", "k"),
        ("k", "not-a-rule", None),
        ("knee", "not-a-constraint", None),
        (5, "not-a-text", None),
    ],
)
def test_criteria_that_are_none(text: str, code: str, suggestion: str | None) -> None:
    with raises(SettingsError, code=code, suggestion=suggestion):
        read_criterion(text)


@pytest.mark.parametrize(
    ("policy", "key"),
    [
        (sf.given_k(2), "policy"),
        (sf.BELOW_WEIGHTED_K, "policy"),
        (sf.NO_SUPPRESSION, "policy"),
        (sf.limited(1, threshold="every"), "threshold"),
    ],
)
def test_failing_classes_go_within_a_limit_only(policy: Suppression, key: str) -> None:
    with raises(SettingsError, code="conflicting-settings", key=key):
        replace(policy, failing=True)
