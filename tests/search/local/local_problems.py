"""Small problems of local recoding, and losses of classes straight from the definitions."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import cache
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
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.hierarchies.ground_distance import GroundDistance
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.microdata.count_table import CountTable

Groups = list[list[int]]
"""Classes as lists of cells."""
EVERYBODY = (ConfidentialStatement(protect="s = gout"),)


def local_problem(
    hierarchies: Sequence[Hierarchy],
    codes: Sequence[Sequence[int]],
    *,
    outputs: Sequence[Output],
    weights: Sequence[float] | None = None,
    minimum_levels: Sequence[int] | None = None,
    values: Sequence[int] | None = None,
    missing: Sequence[bool] | None = None,
    ground_distance: GroundDistance | None = None,
    second_values: Sequence[int] | None = None,
    statements: Sequence[ConfidentialStatement] = EVERYBODY,
    suppression: Suppression = NO_SUPPRESSION,
) -> Problem:
    """Return the problem of k and loss of a table of rows, given as leaves of every column.

    The last leaf of a column stands for missing values if ``missing`` says so. ``values`` are those
    of the sensitive column ``s``, ``second_values`` of a second one, if there is one.
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
    attributes.append(sensitive("s", ground_distance=ground_distance))
    if second_values is not None:
        codes_of_second = np.array(second_values, dtype=np.int32)
        grouped["r"] = GroupedColumn(values=("high", "low"), codes=codes_of_second)
        attributes.append(sensitive("r"))
    table = build_count_table(
        GroupedCounts(columns=grouped, counts=np.ones(rows, dtype=np.int64)),
        attributes,
        statements=ConfidentialStatements.of(statements),
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
    draw: st.DrawFn,
    *,
    most_cells: int = 7,
    most_columns: int = 3,
    most_leaves: int = 5,
    distances: Sequence[GroundDistance | None] = (None,),
    statements: Sequence[Sequence[ConfidentialStatement]] = (EVERYBODY,),
    second_column: bool = False,
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
        ground_distance=draw(st.sampled_from(distances)),
        second_values=draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
        if second_column and draw(st.booleans())
        else None,
        statements=draw(st.sampled_from(statements)),
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


def value_counts(table: CountTable, cells: Sequence[int]) -> list[int]:
    """Return the rows of some cells by the value of the first sensitive column."""
    counts = [0] * len(table.sensitive[0].values)
    for cell in cells:
        for entry in range(table.entry_starts[cell], table.entry_starts[cell + 1]):
            counts[table.entry_codes[0, entry]] += int(table.entry_counts[entry])
    return counts


def distance_to_table(table: CountTable, cells: Sequence[int]) -> Fraction:
    """Return the earth mover's distance of some cells to the table; values are equally far."""
    own, everybody = value_counts(table, cells), value_counts(table, range(table.cells))
    shares = [
        Fraction(one, sum(own)) - Fraction(other, sum(everybody))
        for one, other in zip(own, everybody, strict=True)
    ]
    return sum((max(share, Fraction(0)) for share in shares), Fraction(0))


def least_loss(
    table: CountTable,
    k: int,
    *,
    suppressing: bool = False,
    meets: Callable[[list[int]], bool] = lambda cells: True,  # noqa: ARG005
) -> Fraction | None:
    """Return the least loss of all assignments of cells to classes of at least k rows.

    Every class must meet something; None if there is no such assignment. The first cell is in a
    class with any of the others, or suppressed; what is left is assigned in every way too.
    """
    everything = sum((Fraction(each.weight) for each in table.quasi_identifiers), Fraction(0))

    @cache
    def class_loss(cells: tuple[int, ...]) -> Fraction | None:
        """Return the loss of all rows of a class, None if it is not enough."""
        rows = rows_of(table, cells)
        enough = rows >= k and meets(list(cells))
        return rows * row_loss(table, cells) if enough else None

    @cache
    def least(cells: tuple[int, ...]) -> Fraction | None:
        if not cells:
            return Fraction(0)
        rest = cells[1:]
        found: list[tuple[Fraction | None, Fraction | None]] = []
        if suppressing:
            found.append((rows_of(table, cells[:1]) * everything, least(rest)))
        for size in range(len(rest) + 1):
            for others in itertools.combinations(rest, size):
                left = tuple(cell for cell in rest if cell not in others)
                found.append((class_loss((cells[0], *others)), least(left)))
        losses = [one + other for one, other in found if one is not None and other is not None]
        return min(losses, default=None)

    return least(tuple(range(table.cells)))


def groups_of(classes: Iterable[int]) -> set[frozenset[int]]:
    """Return classes as sets of cells; suppressed ones are left out."""
    found: dict[int, set[int]] = {}
    for cell, number in enumerate(classes):
        if number >= 0:
            found.setdefault(int(number), set()).add(cell)
    return {frozenset(own) for own in found.values()}
