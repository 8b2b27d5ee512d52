"""Small problems of local recoding, and losses of classes straight from the definitions."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st
from tests.recoding.random_trees import random_hierarchies

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.output import Output
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.search.problem import Problem
from sfumato.search.space import Space
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.statements.predicate import atom

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.microdata.count_table import CountTable

Groups = list[list[int]]
"""Classes as lists of cells."""


def local_problem(
    hierarchies: Sequence[Hierarchy],
    codes: Sequence[Sequence[int]],
    *,
    outputs: Sequence[Output],
    weights: Sequence[float] | None = None,
    minimum_levels: Sequence[int] | None = None,
    values: Sequence[int] | None = None,
    missing: Sequence[bool] | None = None,
    suppression: Suppression = NO_SUPPRESSION,
) -> Problem:
    """Return the problem of k and loss of a table of rows, given as leaves of every column.

    The last leaf of a column stands for missing values if ``missing`` says so.
    """
    rows = len(codes[0])
    grouped = {
        f"q{q}": GroupedColumn(values=tree.domain.leaves, codes=np.array(column, dtype=np.int32))
        for q, (tree, column) in enumerate(zip(hierarchies, codes, strict=True))
    }
    sick = np.arange(rows) % 3 if values is None else np.array(values)
    grouped["s"] = GroupedColumn(values=("cold", "flu", "gout"), codes=sick.astype(np.int32))
    attributes = [
        quasi_identifying(
            f"q{q}",
            tree,
            weight=1.0 if weights is None else weights[q],
            minimum_level=0 if minimum_levels is None else minimum_levels[q],
        )
        for q, tree in enumerate(hierarchies)
    ]
    table = build_count_table(
        GroupedCounts(columns=grouped, counts=np.ones(rows, dtype=np.int64)),
        [*attributes, sensitive("s")],
        statements=ConfidentialStatements.of(atom("s", "gout")),
    )
    identifiers = tuple(
        replace(each, output=output, missing_leaf=each.hierarchy.leaf_count - 1 if last else None)
        for each, output, last in zip(
            table.quasi_identifiers, outputs, missing or [False] * len(outputs), strict=True
        )
    )
    return Problem(
        table=replace(table, quasi_identifiers=identifiers),
        objectives=(measure("k"), measure("loss")),
        suppression=suppression,
        space=Space.LOCAL,
    )


@st.composite
def small_problems(
    draw: st.DrawFn, *, most_cells: int = 7, most_columns: int = 3, most_leaves: int = 5
) -> Problem:
    """Draw a table of few cells, with several rows each, and labels of any kind."""
    columns = draw(st.integers(1, most_columns))
    hierarchies = [draw(random_hierarchies(most_leaves=most_leaves)) for _ in range(columns)]
    one = st.tuples(*[st.integers(0, tree.leaf_count - 1) for tree in hierarchies])
    cells = draw(st.lists(one, min_size=1, max_size=most_cells, unique=True))
    sizes = draw(st.lists(st.integers(1, 4), min_size=len(cells), max_size=len(cells)))
    rows = [cell for cell, size in zip(cells, sizes, strict=True) for _ in range(size)]
    levels = [draw(st.integers(0, min(1, tree.height))) for tree in hierarchies]
    return local_problem(
        hierarchies,
        [list(column) for column in zip(*rows, strict=True)],
        outputs=[draw(st.sampled_from(Output)) for _ in hierarchies],
        weights=[draw(st.sampled_from((1.0, 0.5, 2.0))) for _ in hierarchies],
        minimum_levels=levels,
        missing=[draw(st.booleans()) and level == 0 for level in levels],
        values=draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows))),
    )


def label_size(table: CountTable, q: int, leaves: Iterable[int]) -> int:
    """Return how many domain values the label of some leaves of a column covers."""
    identifier = table.quasi_identifiers[q]
    levels = identifier.hierarchy.levels
    own = {int(leaf) for leaf in leaves}
    least = identifier.minimum_level
    blocks = {int(levels[least][leaf]) for leaf in own}
    covered = [leaf for leaf, block in enumerate(levels[least].tolist()) if block in blocks]
    if identifier.output is Output.SET:
        return len(covered)
    if identifier.output is Output.INTERVAL:
        known = [leaf for leaf in covered if leaf != identifier.missing_leaf]
        span = known[-1] - known[0] + 1 if known else 0
        return span + (identifier.missing_leaf in own)
    level = next(
        level
        for level in range(least, len(levels))
        if len({levels[level][leaf] for leaf in own}) == 1
    )
    node = levels[level][next(iter(own))]
    return int((levels[level] == node).sum())


def row_loss(table: CountTable, cells: Sequence[int]) -> Fraction:
    """Return what the label of some cells costs a row."""
    total = Fraction(0)
    for q, identifier in enumerate(table.quasi_identifiers):
        width = max(1, identifier.hierarchy.leaf_count - 1)
        size = label_size(table, q, table.cell_codes[q][list(cells)])
        total += Fraction(identifier.weight) * (size - 1) / width
    return total


def rows_of(table: CountTable, cells: Sequence[int]) -> int:
    """Return the rows of some cells."""
    return int(table.cell_sizes[list(cells)].sum())


def partitions(cells: Sequence[int]) -> Iterator[Groups]:
    """Yield all partitions of some cells."""
    if not cells:
        yield []
        return
    for rest in partitions(cells[1:]):
        yield [[cells[0]], *rest]
        for place in range(len(rest)):
            yield [*rest[:place], [cells[0], *rest[place]], *rest[place + 1 :]]


def least_loss(table: CountTable, k: int, *, suppressing: bool = False) -> Fraction:
    """Return the least loss of all assignments of cells to classes of at least k rows."""
    cells = range(table.cells)
    kept = (
        [
            list(some)
            for size in range(table.cells + 1)
            for some in itertools.combinations(cells, size)
        ]
        if suppressing
        else [list(cells)]
    )
    losses: dict[tuple[int, ...], Fraction | None] = {}
    everything = sum(Fraction(each.weight) for each in table.quasi_identifiers)

    def class_loss(cells: list[int]) -> Fraction | None:
        """Return the loss of all rows of a class, None if it is too small."""
        key = tuple(cells)
        if key not in losses:
            rows = rows_of(table, cells)
            losses[key] = rows * row_loss(table, cells) if rows >= k else None
        return losses[key]

    best = None
    for some in kept:
        gone = (table.rows - rows_of(table, some)) * everything
        for groups in partitions(some):
            found = [class_loss(own) for own in groups]
            if None not in found:
                total = gone + sum((loss for loss in found if loss is not None), Fraction(0))
                best = total if best is None else min(best, total)
    assert best is not None
    return best


def groups_of(classes: Iterable[int]) -> set[frozenset[int]]:
    """Return classes as sets of cells; suppressed ones are left out."""
    found: dict[int, set[int]] = {}
    for cell, number in enumerate(classes):
        if number >= 0:
            found.setdefault(int(number), set()).add(cell)
    return {frozenset(own) for own in found.values()}
