"""Published systems against naive versions and the exact search, on random tables."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from tests.raised import raises

from sfumato.classes.suppression import NO_SUPPRESSION, Suppression, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying
from sfumato.search.catalogue import method_named
from sfumato.search.methods.systems.mu_argus import MuArgusSettings
from sfumato.search.problem import Problem

K = 3
WIDTHS = (1, 2, 4, 8)
NAMES = ("a", "b", "c")
NODES = list(itertools.product(range(4), repeat=3))
Row = tuple[int, int, int]


def rows_of(seed: int) -> list[Row]:
    rng = random.Random(seed)
    return [tuple(int(8 * rng.random() ** (q + 1)) for q in range(3)) for _ in range(40)]  # type: ignore[misc]


def problem(rows: list[Row], limit: int, *, criteria: tuple[str, ...] = ("k>=3",)) -> Problem:
    columns: dict[str, list[str | None]] = {
        name: [str(row[q]) for row in rows] for q, name in enumerate(NAMES)
    }
    tree = Intervals(low=0, high=7, widths=(2, 4))
    known = tuple(map(read_criterion, criteria))
    policy = limited(limit) if limit else NO_SUPPRESSION
    return Problem(
        table=build_count_table(
            GroupedCounts.of_rows(columns), [quasi_identifying(name, tree) for name in NAMES]
        ),
        objectives=(measure("k"), measure("loss")),
        suppression=Suppression(policy=policy.policy, limit=policy.limit, criteria=known),
    )


def left_over(rows: list[Row], node: tuple[int, ...]) -> int:
    """Return the rows in classes below k."""
    recoded = [tuple(v // WIDTHS[n] for v, n in zip(row, node, strict=True)) for row in rows]
    return sum(count for count in Counter(recoded).values() if count < K)


def found_nodes(method: str, asked: Problem) -> list[tuple[int, ...]]:
    result = method_named(method).run(asked)
    return sorted(tuple(each.levels[name] for name in NAMES) for each in result.front)


def naive_datafly(rows: list[Row]) -> tuple[int, ...]:
    node: tuple[int, ...] = (0, 0, 0)
    while left_over(rows, node) > K:
        distinct = [
            len({row[q] // WIDTHS[node[q]] for row in rows}) if node[q] < 3 else 0 for q in range(3)
        ]
        best = distinct.index(max(distinct))
        node = tuple(level + (q == best) for q, level in enumerate(node))
    return node


def naive_mu_argus(rows: list[Row], size: int) -> tuple[int, ...]:
    node: tuple[int, ...] = (0, 0, 0)
    for together in range(1, size + 1):
        while True:
            rare = [0, 0, 0]
            for subset in itertools.combinations(range(3), together):
                values = Counter(tuple(row[q] // WIDTHS[node[q]] for q in subset) for row in rows)
                for q in subset:
                    rare[q] += sum(count < K for count in values.values())
            rare = [n if level < 3 else 0 for n, level in zip(rare, node, strict=True)]
            if not any(rare):
                break
            node = tuple(level + (q == rare.index(max(rare))) for q, level in enumerate(node))
    return node


@pytest.mark.parametrize("seed", range(6))
def test_datafly_is_the_published_loop(seed: int) -> None:
    rows = rows_of(seed)
    assert found_nodes("datafly", problem(rows, K)) == [naive_datafly(rows)]


@pytest.mark.parametrize("limit", [0, 4])
@pytest.mark.parametrize("seed", range(6))
def test_samarati_has_the_minimal_nodes_of_least_height(seed: int, limit: int) -> None:
    rows = rows_of(seed)
    meeting = [node for node in NODES if left_over(rows, node) <= limit]
    least = min(map(sum, meeting))
    found = found_nodes("samarati", problem(rows, limit))
    assert found == sorted(node for node in meeting if sum(node) == least)
    assert set(found) <= set(found_nodes("incognito", problem(rows, limit)))


@pytest.mark.parametrize("limit", [0, 4])
@pytest.mark.parametrize("seed", range(6))
def test_mingen_has_the_most_precise_nodes(seed: int, limit: int) -> None:
    rows = rows_of(seed)
    # Whole numbers: N · columns · height · precision.
    precision = {
        node: (len(rows) - left_over(rows, node)) * (9 - sum(node))
        for node in NODES
        if left_over(rows, node) <= limit
    }
    greatest = max(precision.values())
    expected = sorted(node for node, value in precision.items() if value == greatest)
    assert found_nodes("mingen", problem(rows, limit)) == expected


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_mu_argus_makes_combinations_frequent(seed: int, size: int) -> None:
    rows = rows_of(seed)
    asked = problem(rows, 0, criteria=())
    settings = MuArgusSettings(k=K, size=size)
    (found,) = method_named("mu-argus").run(asked, settings=settings).front
    assert tuple(found.levels[name] for name in NAMES) == naive_mu_argus(rows, size)


def test_mu_argus_can_miss_k() -> None:
    missed = []
    for seed in range(20):
        asked = problem(rows_of(seed), 0, criteria=())
        (found,) = method_named("mu-argus").run(asked, settings=MuArgusSettings(k=K, size=1)).front
        missed.append(found.values["k"] < K)
    assert any(missed)


def test_what_datafly_suppresses_must_be_allowed() -> None:
    with raises(SettingsError, code="conflicting-settings", key="limit", found="0 rows"):
        method_named("datafly").run(problem(rows_of(0), 0))
