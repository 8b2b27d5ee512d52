"""Measures with a person key against sets of people, one and several cells a person."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.measures import people_by_sets as sets
from tests.measures.people_by_sets import Row

from sfumato.classes.anonymization import Anonymization
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import BELOW_WEIGHTED_K, Suppression, given_k, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable

TREES = {
    "a": [("1", "low", "*"), ("2", "low", "*"), ("3", "high", "*"), ("4", "high", "*")],
    "b": [("x", "*"), ("y", "*"), ("z", "*")],
}


class Drawn(NamedTuple):
    """Random rows and their count table."""

    rows: list[Row]
    table: CountTable


def drawn(seed: int, *, moving: float, count: int = 60, columns: int = 1) -> Drawn:
    """Draw rows; a share of people is ``moving`` from cell to cell."""
    rng = random.Random(seed)
    cells = [(a[0], b[0]) for a in TREES["a"] for b in TREES["b"]]
    people = [rng.choice(cells) for _ in range(max(1, count // rng.choice((1, 2, 4))))]
    wanders = [rng.random() < moving for _ in people]
    rows = []
    for _ in range(count):
        person = rng.randrange(len(people))
        cell = rng.choice(cells) if wanders[person] else people[person]
        values = tuple(str(int(5 * rng.random() ** 2)) for _ in range(columns))
        rows.append(Row(cell, values, person))
    return Drawn(rows, counted(rows, columns))


def counted(rows: list[Row], columns: int) -> CountTable:
    """Return the count table of some rows."""
    texts: dict[str, list[str | None]] = {
        name: [row.cell[q] for row in rows] for q, name in enumerate(TREES)
    }
    for s in range(columns):
        texts[f"s{s}"] = [row.values[s] for row in rows]
    return build_count_table(
        GroupedCounts.of_rows(texts, persons=[row.person for row in rows]),
        [
            *(
                quasi_identifying(name, Hierarchy.from_rows(rows, name=name))
                for name, rows in TREES.items()
            ),
            *(sensitive(f"s{s}") for s in range(columns)),
        ],
    )


def labels(table: CountTable, node: tuple[int, ...]) -> dict[tuple[str, ...], object]:
    """Return the label of every cell under a node."""
    found = {}
    for a, row_a in enumerate(TREES["a"]):
        for b, row_b in enumerate(TREES["b"]):
            found[row_a[0], row_b[0]] = (TREES["a"][a][node[0]], TREES["b"][b][node[1]])
    return found


POLICIES = {
    "none": Suppression(),
    "few": limited(7),
    "many": limited(0.4),
    "given": given_k(3),
    "weighted": BELOW_WEIGHTED_K,
    "every": limited(12, threshold="every"),
}
NAMES = [
    "k",
    "distinct-l",
    "p-sensitive",
    "frequency-l",
    "entropy-l",
    "recursive-l(c=2)",
    "t",
    "s-k",
    "weighted-k",
    "class-size-quantile",
    "class-size-worst-tenth",
    "class-size-gini",
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("moving", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_all_measures_against_sets(seed: int, moving: float, policy: str) -> None:
    columns = 1 + seed % 2
    rows, table = drawn(seed, moving=moving, columns=columns)
    names = [*NAMES, *(["s-l"] if columns == 1 else ["s-l(column=s0)", "s-l(column=s1)"])]
    measures = [measure(name) for name in names]
    carried = dict.fromkeys(column for each in measures for column in each.carries(table))
    tables = ClassTables(table=table, carries=tuple(carried))
    suppression = POLICIES[policy]
    for outer in tables.outer_nodes():
        batch = tables.sweep_batch(outer)
        classes = Classes.of(batch, suppression)
        found = {str(each): each.evaluate(classes) for each in measures}
        for position in range(classes.count):
            node = tuple(batch.choices[classes.recoding[position]].tolist())
            before = sets.recoded(rows, labels(table, node))
            if policy == "none":
                after = sets.suppressed(before, 0)
            elif policy in ("few", "many"):
                after = sets.within_limit(before, suppression.budget(len(rows)) or 0)
            else:
                after = sets.suppressed(before, int(classes.thresholds[position]))
            if policy == "weighted":
                mean = sum(sets.least_size(before).values()) / table.units
                after = sets.Recoded(
                    [group for group in before if len(sets.people(group)) >= mean],
                    [r for group in before if len(sets.people(group)) < mean for r in group],
                )
            assert classes.suppressed_rows[position] == len(after.gone), node
            expected = sets.metrics(after, before, rows)
            for name in names:
                assert found[name][position] == pytest.approx(expected[name]), (name, node)
            own = Anonymization.of_candidate(classes, position).model
            for each in measures:
                assert each.evaluate(own)[0] == pytest.approx(expected[str(each)]), (each, node)
