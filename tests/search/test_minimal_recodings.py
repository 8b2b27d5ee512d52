"""Both searches for minimal recodings against brute force on random partial orders."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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

from sfumato.errors import SettingsError, UnmetError
from sfumato.front.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.recoding.suppression import Policy, Suppression
from sfumato.search.catalogue import method_named
from sfumato.search.problem import Problem
from sfumato.search.space import Space

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


def problem_of(table: RandomOrders, criteria: Sequence[str], limit: int) -> Problem:
    return Problem(
        table=table.counted,
        objectives=(measure("k"), measure("loss")),
        suppression=Suppression(
            policy=Policy.LIMIT if limit else Policy.NONE,
            limit=limit or None,
            criteria=tuple(map(read_criterion, criteria)),
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


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(table=random_orders(), data=st.data())
def test_both_find_what_brute_force_finds(table: RandomOrders, data: st.DataObject) -> None:
    limit = data.draw(st.sampled_from([0, 0, 1, 3, 100]))
    known = SHRINKING if limit else SHRINKING | OTHERS
    names = data.draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=2, unique=True))
    meeting = table.meeting([known[name] for name in names], limit)
    expected = table.minimal(meeting)
    problem = problem_of(table, names, limit)
    for method in METHODS:
        if not meeting:
            with pytest.raises(UnmetError, match="no recoding meets"):
                method_named(method).run(problem)
            continue
        found = method_named(method).run(problem)
        assert sorted(names_of(found, table)) == sorted(expected)
        assert found.finished
        assert found.exact
        assert found.minimal is not None
        assert found.minimal.full + found.minimal.partial == found.evaluated
        assert found.evaluated + found.minimal.pruned == found.nodes
        # What a solution suppresses are the rows of its failing classes, and no others.
        for solution, chosen in zip(found.front, names_of(found, table), strict=True):
            failing = sum(
                c.total()
                for c in table.classes(chosen)
                if not all(
                    known[name](c, sum(table.classes(chosen), start=type(c)())) for name in names
                )
            )
            assert solution.suppressed == failing


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("criterion", sorted(OTHERS))
def test_criteria_that_suppression_breaks_are_refused(method: str, criterion: str) -> None:
    table = RandomOrders(leaves=(2,), partitions=({},), rows=(((0,), "a"), ((1,), "b")))
    with pytest.raises(SettingsError, match="where rows may be suppressed"):
        method_named(method).run(problem_of(table, [criterion], 1))
