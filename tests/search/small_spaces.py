"""Small tables whose whole space of partitions can be tried, and their exact fronts."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st
from tests.recoding.random_trees import random_hierarchies

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Direction
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.search.problem import Problem
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.hierarchies.hierarchy import Hierarchy


def partition_problem(
    columns: Sequence[tuple[Hierarchy, bool]],
    *,
    rows: int = 40,
    seed: int = 1,
    objectives: Sequence[str] = ("k", "loss"),
    suppression: Suppression = NO_SUPPRESSION,
) -> Problem:
    """Return a problem of random rows; a column is a hierarchy and whether it is constrained."""
    rng = np.random.default_rng(seed)
    grouped = {
        f"q{q}": GroupedColumn(
            values=tree.domain.leaves,
            codes=(tree.leaf_count * rng.random(rows) ** 2).astype(np.int32),
        )
        for q, (tree, _) in enumerate(columns)
    }
    values = ("flu", "cold", "gout")
    grouped["s"] = GroupedColumn(values=values, codes=rng.integers(0, 3, rows).astype(np.int32))
    attributes = [
        quasi_identifying(f"q{q}", tree, constrained=flag) for q, (tree, flag) in enumerate(columns)
    ]
    table = build_count_table(
        GroupedCounts(columns=grouped, counts=np.ones(rows, dtype=np.int64)),
        [*attributes, sensitive("s")],
    )
    return Problem(
        table=table,
        objectives=tuple(measure(name) for name in objectives),
        suppression=suppression,
        space=Space.PARTITIONS,
    )


@st.composite
def column_lists(draw: st.DrawFn, *, most: int = 3, most_leaves: int = 5) -> object:
    """Draw columns of a small space."""
    return draw(
        st.lists(
            st.tuples(random_hierarchies(most_leaves=most_leaves), st.booleans()),
            min_size=1,
            max_size=most,
        )
    )


def naive_ranks(values: Sequence[Sequence[float]], directions: Sequence[Direction]) -> list[int]:
    """Peel fronts one after the other, comparing all pairs."""
    signs = [-1 if way is Direction.HIGHER else 1 for way in directions]
    costs = [tuple(s * v for s, v in zip(signs, row, strict=True)) for row in values]

    def dominates(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        return all(x <= y for x, y in zip(a, b, strict=True)) and a != b

    ranks = [-1] * len(costs)
    for rank in itertools.count():
        left = [i for i, known in enumerate(ranks) if known < 0]
        if not left:
            return ranks
        for i in left:
            if not any(dominates(costs[j], costs[i]) for j in left):
                ranks[i] = rank
    raise AssertionError


def exact_front(problem: Problem) -> set[tuple[tuple[int, ...], int, tuple[float, ...]]]:
    """Return string, threshold and values of the exact front, each string evaluated alone."""
    space, tables = problem.partitions, problem.tables
    found = []
    for bits in space.strings():
        books, choices = space.books(np.array([bits], dtype=np.bool_).reshape(1, space.bits))
        points = problem.points(tables.group(choices, books=books))
        for threshold, values in zip(
            points.thresholds.tolist(), points.values.tolist(), strict=True
        ):
            found.append((bits, threshold, tuple(values)))
    signs = [-1 if way is Direction.HIGHER else 1 for way in problem.directions]
    different = {values for _, _, values in found}
    # Sorted by costs, a point can only be dominated by one before it, and by one of the best.
    best: list[tuple[float, ...]] = []
    for values in sorted(different, key=lambda v: [s * x for s, x in zip(signs, v, strict=True)]):
        if not any(
            all(s * a <= s * b for s, a, b in zip(signs, other, values, strict=True))
            for other in best
        ):
            best.append(values)
    return {each for each in found if each[2] in best}
