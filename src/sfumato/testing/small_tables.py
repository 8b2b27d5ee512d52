"""Small made-up tables that have everything a measure can need, the same ones every time."""

from __future__ import annotations

import functools
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.ground_distance import EqualDistance, OrderedDistance
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.population_counting import with_sample
from sfumato.microdata.roles import Attribute, insensitive, quasi_identifying, sensitive
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements

if TYPE_CHECKING:
    from sfumato.hierarchies.ground_distance import GroundDistance
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.counted_population import CountedPopulation

_ROWS = (32, 24, 18, 9, 4, 1)


@functools.cache
def small_tables() -> tuple[CountTable, ...]:
    """Return tables of 1 to 32 rows with one to three quasi-identifiers.

    Each has one or two sensitive columns, a class label, confidential statements and a population.

    >>> [(table.rows, len(table.names)) for table in small_tables()]
    [(32, 1), (24, 2), (18, 3), (9, 1), (4, 2), (1, 3)]
    """
    return tuple(small_table(seed, rows=rows) for seed, rows in enumerate(_ROWS))


@functools.cache
def small_tables_of_people() -> tuple[CountTable, ...]:
    """Return tables with a person key: people in one cell each, some in several, all in several.

    >>> [(table.units, table.people_in_several_cells) for table in small_tables_of_people()]
    [(15, False), (11, True), (9, True), (3, False), (2, False), (1, False)]
    """
    return tuple(
        small_table(seed, rows=rows, moving=(0.0, 0.4, 1.0)[seed % 3])
        for seed, rows in enumerate(_ROWS)
    )


def small_table(seed: int, *, rows: int, moving: float | None = None) -> CountTable:
    """Return a table of so many rows; the rest is decided by a seed.

    With a share of people who are ``moving`` between cells, it has a person key.
    """
    rng = random.Random(seed)
    trees = {f"q{q}": _hierarchy(rng, f"q{q}") for q in range(1 + seed % 3)}
    domains = {name: list(tree.domain.leaves) for name, tree in trees.items()}
    for s in range(1 + seed % 2):
        domains[f"s{s}"] = [str(value) for value in range(rng.randint(1, 6))]
    domains |= {"label": ["yes", "no", "perhaps"], "ward": ["a", "b", "c"]}
    # Skewed, so that classes of very different sizes arise.
    columns: dict[str, list[str | None]] = {
        name: [values[int(len(values) * rng.random() ** 2)] for _ in range(rows)]
        for name, values in domains.items()
    }
    persons: list[int] | None = None
    if moving is not None:
        persons = _people(rng, columns, list(trees), rows=rows, moving=moving)
    distances: tuple[GroundDistance | None, ...] = (None, EqualDistance(), OrderedDistance())
    attributes: list[Attribute] = [
        quasi_identifying(name, tree, weight=rng.choice((0.5, 1.0, 2.0)))
        for name, tree in trees.items()
    ]
    attributes += [
        sensitive(name, ground_distance=rng.choice(distances))
        for name in domains
        if name.startswith("s")
    ]
    table = build_count_table(
        GroupedCounts.of_rows(columns, persons=persons),
        [*attributes, insensitive("label", label=True)],
        statements=ConfidentialStatements.of(
            [
                ConfidentialStatement(protect="s0 = 0", damage=0.3, where="ward = a"),
                ConfidentialStatement(protect="not s0 = 1", damage=0.7, where="ward = a"),
                ConfidentialStatement(protect="s0 = 0 or s0 = 2", damage=1.0, where="ward = b"),
            ]
        ),
    )
    return table if table.people_in_several_cells else replace(table, population=_others(table))


def _others(table: CountTable) -> CountedPopulation:
    """Return a population of the people of a table and three times as many others."""
    rng = np.random.default_rng(table.rows)
    leaves = np.array([hierarchy.leaf_count for hierarchy in table.hierarchies])
    codes = (rng.random((leaves.shape[0], 3 * table.rows)) * leaves[:, np.newaxis]).astype(np.int32)
    counts = np.ones(codes.shape[1], dtype=np.int64)
    return with_sample(table, codes, counts, includes_sample=False)


def _people(
    rng: random.Random,
    columns: dict[str, list[str | None]],
    identifiers: list[str],
    *,
    rows: int,
    moving: float,
) -> list[int]:
    """Return whom the rows are about; the rows of those who do not move get one cell."""
    persons = [rng.randrange(max(1, rows // 2)) for _ in range(rows)]
    first: dict[int, int] = {}
    for row, person in enumerate(persons):
        home = first.setdefault(person, row)
        if rng.random() >= moving:
            for name in identifiers:
                columns[name][row] = columns[name][home]
    return persons


def _hierarchy(rng: random.Random, name: str) -> Hierarchy:
    """Return up to six values whose neighbours merge in none or one level, then all of them."""
    ordered = rng.random() < 0.5
    domain = [str(5 * i + 1) if ordered else f"v{i}" for i in range(rng.randint(2, 6))]
    levels = [domain]
    blocks = list(range(len(domain)))
    for level in range(1, rng.randint(1, 2)):
        merged = [0]
        for _ in range(blocks[-1]):
            merged.append(merged[-1] + (rng.random() < 0.5))
        blocks = [merged[block] for block in blocks]
        levels.append([f"L{level}B{block}" for block in blocks])
    levels.append(["*"] * len(domain))
    return Hierarchy.from_rows(list(zip(*levels, strict=True)), name=name)
