"""k-Optimize finds what no partition undercuts, by both kinds of bounds."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from tests.raised import raises

from sfumato.classes.suppression import BELOW_WEIGHTED_K, Suppression, given_k, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import insensitive, quasi_identifying
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, pack
from sfumato.search.methods.systems.k_optimize import BoundsOf, KOptimizeSettings
from sfumato.search.partitions.box_bounds import ColumnBounds, PublishedBounds
from sfumato.search.partitions.boxes_of_cuts import CutBox
from sfumato.search.problem import Problem
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.partitions.box_bounds import BoxBounds

METHOD = method_named("k-optimize")
MEASURES = ("loss", "dm", "cm")
K = 3


def problem(
    seed: int,
    objective: str = "loss",
    *,
    rows: int = 40,
    suppression: Suppression | None = None,
    constrained: tuple[bool, ...] = (True, False, True),
) -> Problem:
    rng = random.Random(seed)
    names = ("a", "b", "c")
    columns: dict[str, list[str | None]] = {
        name: [str(int(size * rng.random() ** 2)) for _ in range(rows)]
        for name, size in zip(names, (8, 5, 4), strict=True)
    }
    columns["label"] = [rng.choice("xxyz") for _ in range(rows)]
    trees = (
        Intervals(low=0, high=7, widths=(2, 4)),
        Intervals(low=0, high=4, widths=(2,)),
        Intervals(low=0, high=3, widths=(2,)),
    )
    table = build_count_table(
        GroupedCounts.of_rows(columns),
        [
            *(
                quasi_identifying(name, tree, constrained=flag, weight=weight)
                for name, tree, flag, weight in zip(
                    names, trees, constrained, (1.0, 2.0, 0.5), strict=True
                )
            ),
            insensitive("label", label=True),
        ],
    )
    return Problem(
        table=table,
        objectives=(measure(objective),),
        suppression=suppression or given_k(K),
        space=Space.PARTITIONS,
    )


def limited_to(rows: int) -> Suppression:
    policy = limited(rows)
    criteria = (read_criterion(f"k>={K}"),)
    return Suppression(policy=policy.policy, limit=policy.limit, criteria=criteria)


def all_costs(asked: Problem) -> dict[bytes, float]:
    """Return the cost of every valid string that meets the criteria."""
    evaluated = EvaluatedStrings(asked, threads=1)
    strings = pack(np.array(list(asked.partitions.strings()), dtype=np.bool_))
    evaluated.evaluate(strings)
    return {
        each: float(evaluated.values(each)[0, 0]) for each in strings if evaluated.meets(each).any()
    }


@pytest.mark.parametrize("bounds", get_args(BoundsOf))
@pytest.mark.parametrize("objective", MEASURES)
@pytest.mark.parametrize("limit", [None, 0, 4])
def test_it_finds_the_least_cost_of_all_partitions(
    objective: str, limit: int | None, bounds: BoundsOf
) -> None:
    for seed in range(4):
        policy = given_k(K) if limit is None else limited_to(limit)
        asked = problem(seed, objective, suppression=policy)
        settings = KOptimizeSettings(bounds=bounds, starts=2)
        found = METHOD.run(asked, settings=settings)
        least = min(all_costs(asked).values())
        assert found.finished
        assert found.guarantee is not None
        assert found.guarantee.slacks[objective] == 0
        assert found.front.solutions[0].values[objective] == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("family", [ColumnBounds, PublishedBounds])
@pytest.mark.parametrize("objective", MEASURES)
def test_no_partition_of_a_box_is_below_its_bounds(objective: str, family: type[BoxBounds]) -> None:
    """Also in the halves that a variable makes, and with the partitions that lack no column."""
    rng = random.Random(3)
    scale = 40 if objective == "cm" else 1
    for seed, limit in itertools.product(range(3), (None, 3)):
        policy = given_k(K) if limit is None else limited_to(limit)
        asked = problem(seed, objective, suppression=policy)
        costs = all_costs(asked)
        bounds = family(asked, objective, K, 40 if limit is None else limit)
        variables = bounds.variables
        for _ in range(25):
            fixed, allowed = 0, variables.everything
            for variable in range(len(variables)):
                chance = rng.random()
                if chance < 0.25 and allowed >> variable & 1:
                    fixed |= variables.with_needed[variable]
                elif chance < 0.5 and not variables.with_dependent[variable] & fixed:
                    allowed &= ~variables.with_dependent[variable]
            low, high = variables.string(fixed), variables.string(allowed)
            found = bounds.bound(CutBox(fixed, allowed), None)
            inside = [
                (string, cost * scale)
                for string, cost in costs.items()
                for flags in [np.unpackbits(np.frombuffer(string, np.uint8))[: bounds.bits] > 0]
                if (flags >= low).all() and (flags <= high).all()
            ]
            for string, cost in inside:
                flags = np.unpackbits(np.frombuffer(string, np.uint8))[: bounds.bits] > 0
                least = cost + 1e-9
                assert found.least <= least
                for v in variables.members(allowed & ~fixed):
                    halves = found.with_cut if flags[bounds.first_bits[v]] else found.without
                    assert halves[v] <= least


@pytest.mark.parametrize("objective", MEASURES)
def test_a_box_of_one_partition_has_its_cost(objective: str) -> None:
    asked = problem(1, objective)
    bounds = ColumnBounds(asked, objective, K, 40)
    scale = 40 if objective == "cm" else 1
    for string, cost in all_costs(asked).items():
        flags = np.unpackbits(np.frombuffer(string, np.uint8))[: bounds.bits] > 0
        assert bounds.exact(flags) == pytest.approx(cost * scale, rel=1e-12)


@pytest.mark.parametrize("bounds", get_args(BoundsOf))
@pytest.mark.parametrize("objective", MEASURES)
def test_stopped_it_says_how_far_the_best_can_be(objective: str, bounds: BoundsOf) -> None:
    asked = problem(2, objective)
    least = min(all_costs(asked).values())
    heard = 0

    def stop(_: object) -> bool:
        nonlocal heard
        heard += 1
        return heard > 6

    settings = KOptimizeSettings(bounds=bounds, starts=0)
    stopped = METHOD.run(asked, settings=settings, control=SearchControl(should_stop=stop))
    assert stopped.guarantee is not None
    ours = stopped.front.solutions[0].values[objective]
    assert least <= ours <= least + stopped.guarantee.slacks[objective] * (1 + 1e-9)


def test_what_it_cannot_do_is_refused() -> None:
    with raises(SettingsError, code="missing-setting", key="objectives", found="k"):
        METHOD.run(problem(0, "k"))
    with raises(SettingsError, code="conflicting-settings", key="policy"):
        METHOD.run(problem(0, suppression=BELOW_WEIGHTED_K))
    with raises(SettingsError, code="conflicting-settings", key="criteria"):
        METHOD.run(problem(0, suppression=limited(3)))
    too_few = problem(0, rows=2, suppression=limited_to(0))
    with raises(UnmetError, code="criteria-unmet"):
        METHOD.run(too_few)
    at_once = SearchControl(should_stop=after_evaluations(1))
    assert not METHOD.run(problem(0), control=at_once).finished
