"""Systems for a class label against naive versions, and Iyengar's algorithm as GENITOR's TRAD."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

from sfumato.classes.suppression import Suppression, given_k
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import insensitive, quasi_identifying
from sfumato.search.catalogue import method_named
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.methods.systems.iyengar import IyengarSettings
from sfumato.search.problem import Problem
from sfumato.search.space import Space
from sfumato.testing.searches import SEARCH_LAWS, SearchTrial

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

K = 4
NAMES = ("a", "b")
TREE = ((0, 8), (0, 4), (4, 8), (0, 2), (2, 4), (4, 6), (6, 8))
"""The inner nodes of column a, first and end; b is cut anywhere."""

Row = tuple[int, int, str]
Cut = tuple[frozenset[int], frozenset[int]]
"""Before which values the columns are cut."""


def rows_of(seed: int) -> list[Row]:
    rng = random.Random(seed)
    rows = []
    for _ in range(80):
        a, b = int(8 * rng.random() ** 1.5), int(6 * rng.random())
        rows.append((a, b, "yes" if rng.random() < (a + 2 * b) / 18 else "no"))
    return rows


def problem(rows: Sequence[Row], *, k: int = K, label: bool = True) -> Problem:
    columns: dict[str, list[str | None]] = {
        "a": [str(row[0]) for row in rows],
        "b": [str(row[1]) for row in rows],
        "label": [row[2] for row in rows],
    }
    table = build_count_table(
        GroupedCounts.of_rows(columns),
        [
            quasi_identifying("a", Intervals(low=0, high=7, widths=(2, 4)), constrained=True),
            quasi_identifying("b", Intervals(low=0, high=5, widths=(2,))),
            insensitive("label", label=label),
        ],
    )
    return Problem(
        table=table,
        objectives=(measure("k"), measure("loss")),
        suppression=Suppression(criteria=(read_criterion(f"k>={k}"),)),
        space=Space.PARTITIONS,
    )


def block(cuts: frozenset[int], value: int) -> int:
    return sum(cut <= value for cut in cuts)


def least_class(rows: Sequence[Row], cut: Cut) -> int:
    return min(Counter((block(cut[0], a), block(cut[1], b)) for a, b, _ in rows).values())


def entropy(labels: Sequence[str]) -> float:
    counts = Counter(labels).values()
    return -sum(n / len(labels) * math.log2(n / len(labels)) for n in counts)


def mixed(rows: Sequence[Row], column: int, inside: range) -> bool:
    """Say whether the rows of a block have several labels."""
    return len({row[2] for row in rows if row[column] in inside}) > 1


def told(rows: Sequence[Row], column: int, inside: range, cuts: frozenset[int]) -> float:
    """Return the information gain of dividing a block, I(R_v) - Σ |R_c| / |R_v| I(R_c)."""
    of_block = [row for row in rows if row[column] in inside]
    if not of_block:
        return 0.0
    parts: dict[int, list[str]] = {}
    for row in of_block:
        parts.setdefault(block(cuts, int(row[column])), []).append(row[2])
    inner = sum(len(part) / len(of_block) * entropy(part) for part in parts.values())
    return max(0.0, entropy([row[2] for row in of_block]) - inner)


def blocks_of(cuts: frozenset[int], end: int) -> list[range]:
    places = [0, *sorted(cuts), end]
    return [range(first, last) for first, last in pairwise(places)]


def divided(node: tuple[int, int]) -> frozenset[int]:
    first, end = node
    return frozenset({(first + end) // 2})


def naive_tds(rows: Sequence[Row], k: int) -> Cut:
    cut: Cut = (frozenset(), frozenset())
    while True:
        now = least_class(rows, cut)
        options: list[tuple[float, Cut]] = []
        for inside in blocks_of(cut[0], 8):
            if len(inside) > 1 and mixed(rows, 0, inside):
                finer = cut[0] | divided((inside.start, inside.stop))
                options.append((told(rows, 0, inside, finer), (finer, cut[1])))
        for inside in blocks_of(cut[1], 6):
            ways = [(told(rows, 1, inside, cut[1] | {p}), p) for p in inside if p > inside.start]
            if ways and mixed(rows, 1, inside):
                gain, place = max(ways, key=lambda way: (round(way[0], 12), -way[1]))
                options.append((gain, (cut[0], cut[1] | {place})))
        scored = [
            (gain / (now - least_class(rows, other) + 1), other)
            for gain, other in options
            if least_class(rows, other) >= k
        ]
        if not scored:
            return cut
        cut = max(scored, key=lambda each: each[0])[1]


def naive_bug(rows: Sequence[Row], k: int) -> Cut:
    cut: Cut = (frozenset(range(1, 8)), frozenset(range(1, 6)))
    while least_class(rows, cut) < k:
        now = least_class(rows, cut)
        scored: list[tuple[float, Cut]] = []
        for node in TREE:
            inner = set(range(node[0] + 1, node[1])) & cut[0]
            if inner == divided(node):
                coarser = (cut[0] - inner, cut[1])
                loss = told(rows, 0, range(*node), cut[0])
                grown = least_class(rows, coarser) - now
                scored.append((loss / grown if grown else loss, coarser))
        for place in sorted(cut[1]):
            coarser = (cut[0], cut[1] - {place})
            whole = next(each for each in blocks_of(coarser[1], 6) if place in each)
            grown = least_class(rows, coarser) - now
            loss = told(rows, 1, whole, cut[1])
            scored.append((loss / grown if grown else loss, coarser))
        cut = min(scored, key=lambda each: each[0])[1]
    return cut


def found_cut(method: str, asked: Problem) -> Cut:
    (found,) = method_named(method).run(asked).front
    string = asked.partitions.of_recoding(found.recoding)
    first, second = asked.partitions.columns
    return (
        frozenset(p + 1 for p in range(first.bits) if string[p]),
        frozenset(p + 1 for p in range(second.bits) if string[second.start + p]),
    )


@pytest.mark.parametrize("seed", range(12))
def test_tds_is_the_published_loop(seed: int) -> None:
    rows = rows_of(seed)
    found = found_cut("tds", problem(rows))
    assert found == naive_tds(rows, K)
    assert least_class(rows, found) >= K


@pytest.mark.parametrize("seed", range(12))
def test_bug_is_the_published_loop(seed: int) -> None:
    rows = rows_of(seed)
    found = found_cut("bug", problem(rows))
    assert found == naive_bug(rows, K)
    assert least_class(rows, found) >= K


@pytest.mark.parametrize("law", SEARCH_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", ["tds", "bug"])
def test_law(name: str, law: Callable[[SearchTrial], None]) -> None:
    law(SearchTrial(method=method_named(name), problem=problem(rows_of(0))))


@pytest.mark.parametrize("name", ["tds", "bug"])
def test_what_they_need(name: str) -> None:
    rows = rows_of(0)
    with raises(SettingsError, code="missing-setting", key="label"):
        method_named(name).run(problem(rows, label=False))
    with raises(UnmetError, code="criteria-unmet"):
        method_named(name).run(problem(rows, k=81))


def test_iyengar_is_genitor_with_repair() -> None:
    asked = Problem(
        table=problem(rows_of(1)).table,
        objectives=(measure("loss"),),
        suppression=given_k(K),
        space=Space.PARTITIONS,
    )
    settings = IyengarSettings(population=30, evaluations=200)
    found = method_named("iyengar").run(asked, settings=settings)
    same = GenitorSettings(operator="trad", population=30, evaluations=200)
    assert found.front == method_named("genitor").run(asked, settings=same).front
