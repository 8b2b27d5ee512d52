"""Branch and bound over cuts finds the front of all partitions, ties included."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.raised import raises

from sfumato.classes.suppression import NO_SUPPRESSION, Suppression, given_k, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, pack
from sfumato.search.partitions.cut_variables import CutVariables
from sfumato.search.problem import Problem
from sfumato.search.space import Space
from sfumato.testing.searches import SEARCH_LAWS, SearchTrial

if TYPE_CHECKING:
    from collections.abc import Callable

METHOD = method_named("exact-partitions")


def problem(
    seed: int,
    constrained: tuple[bool, bool] = (True, True),
    suppression: Suppression = NO_SUPPRESSION,
    objectives: tuple[str, ...] = ("k", "loss"),
) -> Problem:
    rng = random.Random(seed)
    columns: dict[str, list[str | None]] = {
        name: [str(int(8 * rng.random() ** 2)) for _ in range(25)] for name in ("a", "b")
    }
    tree = Intervals(low=0, high=7, widths=(2, 4))
    table = build_count_table(
        GroupedCounts.of_rows(columns),
        [
            quasi_identifying(name, tree, constrained=flag)
            for name, flag in zip(columns, constrained, strict=True)
        ],
    )
    return Problem(
        table=table,
        objectives=tuple(map(measure, objectives)),
        suppression=suppression,
        space=Space.PARTITIONS,
    )


def brute_force(asked: Problem) -> EvaluatedStrings:
    evaluated = EvaluatedStrings(asked, threads=1)
    evaluated.evaluate(pack(np.array(list(asked.partitions.strings()), dtype=np.bool_)))
    return evaluated


@pytest.mark.parametrize("constrained", [(True, False), (True, True)])
@pytest.mark.parametrize(
    ("suppression", "objectives"),
    [
        (NO_SUPPRESSION, ("k", "loss")),
        (limited(3), ("k", "loss")),
        (limited(3), ("k", "dm", "loss")),
        (given_k(3), ("dm",)),
    ],
)
def test_the_front_is_that_of_all_partitions(
    constrained: tuple[bool, bool], suppression: Suppression, objectives: tuple[str, ...]
) -> None:
    for seed in range(2):
        asked = problem(seed, constrained, suppression, objectives)
        found = METHOD.run(asked)
        assert found.exact
        assert found.front == brute_force(asked).front()


def test_a_stopped_search_guarantees_how_far_the_truth_is() -> None:
    asked = problem(1, (True, False), limited(3))
    stopped = METHOD.run(asked, control=SearchControl(should_stop=after_evaluations(40)))
    assert stopped.guarantee is not None
    slacks = stopped.guarantee.slacks
    ours = [(each.values["k"], each.values["loss"]) for each in stopped.front]
    for k, loss in brute_force(asked).best_values.tolist():
        assert any(mine >= k - slacks["k"] and lost <= loss + slacks["loss"] for mine, lost in ours)


def test_variables_are_the_valid_strings() -> None:
    space = problem(0, (True, False)).partitions
    variables = CutVariables.of(space)
    assert variables.size(0, variables.everything) == space.size
    fixed = variables.with_needed[0]
    allowed = variables.everything & ~variables.with_dependent[len(variables) - 1]
    low, high = variables.string(fixed), variables.string(allowed)
    strings = np.array(list(space.strings()), dtype=np.bool_)
    inside = ((strings >= low) & (strings <= high)).all(axis=1)
    assert variables.size(fixed, allowed) == int(inside.sum())


@pytest.mark.parametrize("law", SEARCH_LAWS, ids=lambda law: law.__name__)
def test_law(law: Callable[[SearchTrial], None]) -> None:
    law(SearchTrial(method=METHOD, problem=problem(0)))


def test_an_objective_without_a_bound_is_refused() -> None:
    with raises(SettingsError, code="no-bound", key="objectives", found="k"):
        METHOD.run(problem(0, suppression=given_k(3)))
