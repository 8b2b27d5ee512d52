"""Evolutionary searches under criteria: what they return meets them, and nothing dominates it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from tests.raised import raises

from sfumato.classes.suppression import Suppression, given_k, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.search.catalogue import method_named
from sfumato.search.methods.aog_ga import AogGaSettings
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.methods.nsga_ii import NsgaIISettings
from sfumato.search.methods.pbg_ea import PbgEaSettings
from sfumato.search.operators.fitness import behind_those_that_meet
from sfumato.search.problem import Problem
from sfumato.search.space import Space
from sfumato.testing.searches import check_solutions

SEARCHES = {
    "pbg-ea": (Space.LATTICE, PbgEaSettings(iterations=20, epsilon={"k": 1, "loss": 0.01})),
    "aog-ga": (Space.LATTICE, AogGaSettings(fitness="k", generations=20)),
    "nsga-ii": (Space.PARTITIONS, NsgaIISettings(population=30, generations=20, start="lattice")),
    "genitor": (Space.PARTITIONS, GenitorSettings(population=40, evaluations=600)),
}


def problem(space: Space, suppression: Suppression, criteria: tuple[str, ...]) -> Problem:
    rng = random.Random(5)
    ages = [int(20 + 20 * rng.random() ** 2) for _ in range(150)]
    # The young mostly have the same illness: diversity and size do not go together.
    ills = ["flu" if age < 24 or rng.random() < 0.3 else rng.choice("abc") for age in ages]
    rows = {
        "age": [str(age) for age in ages],
        "town": [rng.choice("AABC") for _ in ages],
        "ill": ills,
    }
    table = build_count_table(
        GroupedCounts.of_rows(rows),
        [
            quasi_identifying("age", Intervals(low=20, high=39, widths=(2, 4, 8))),
            quasi_identifying("town", Flat()),
            sensitive("ill"),
        ],
    )
    return Problem(
        table=table,
        objectives=(measure("k"), measure("loss")),
        suppression=replace(suppression, criteria=tuple(map(read_criterion, criteria))),
        space=space,
    )


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("criteria", [("k>=4",), ("k>=3", "distinct-l>=3"), ("t<=0.35",)])
def test_what_is_found_meets_the_criteria(name: str, criteria: tuple[str, ...]) -> None:
    space, chosen = SEARCHES[name]
    policies = [given_k(3)] if name == "genitor" else [limited(0.05), limited(9, threshold="every")]
    for suppression in policies:
        asked = problem(space, suppression, criteria)
        found = method_named(name).run(asked, settings=chosen)
        assert found.front
        check_solutions(found, asked)
        if space is Space.LATTICE:
            exact = method_named("sweep").run(asked)
            known = {(s.values["k"], s.values["loss"]) for s in exact.front}
            # 40 recodings: what is kept is what there is.
            if name == "pbg-ea":
                assert {(s.values["k"], s.values["loss"]) for s in found.front} == known
        else:
            # No node of the lattice is better than what was found from there on.
            lattice = replace(asked, space=Space.LATTICE)
            least = min(s.values["loss"] for s in method_named("sweep").run(lattice).front)
            assert min(s.values["loss"] for s in found.front) <= least + 1e-9


@pytest.mark.parametrize("name", SEARCHES)
def test_criteria_that_nothing_meets(name: str) -> None:
    space, chosen = SEARCHES[name]
    suppression = given_k(3) if name == "genitor" else limited(0.05)
    with raises(UnmetError, code="criteria-unmet", key="criteria"):
        method_named(name).run(problem(space, suppression, ("distinct-l>=9",)), settings=chosen)


def test_those_that_miss_criteria_come_last_by_how_much() -> None:
    standing, missed = np.array([5, 0, 1, 0]), np.array([0, 7, 0, 2])
    assert behind_those_that_meet(standing, missed).tolist() == [5, 7, 1, 6]
    assert behind_those_that_meet(standing, np.zeros(4, dtype=np.int64)) is standing
    assert behind_those_that_meet(standing, missed + 1).tolist() == [0, 2, 0, 1]
