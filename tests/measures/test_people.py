"""Measures with a person key against sets of people, one and several cells a person."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from tests.measures import people_by_sets as sets
from tests.measures.people_by_sets import Row

from sfumato.classes.anonymization import Anonymization
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import BELOW_WEIGHTED_K, Suppression, given_k, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import measure, measure_classes
from sfumato.measures.confidentiality.secure import Secure
from sfumato.measures.confidentiality.sf import Sf
from sfumato.measures.privacy.distinct_l import DistinctL
from sfumato.measures.privacy.frequency_l import FrequencyL
from sfumato.measures.privacy.k import K
from sfumato.measures.privacy.p_sensitive import PSensitive
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.testing.measures import (
    check_bounds,
    check_monotone,
    check_path_independence,
    check_values,
)
from sfumato.testing.small_tables import small_tables_of_people

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.measures.measure import Measure
    from sfumato.microdata.count_table import CountTable

TREES: dict[str, list[tuple[str, ...]]] = {
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


def labels(node: tuple[int, ...]) -> dict[tuple[str, ...], object]:
    """Return the label of every cell under a node."""
    found: dict[tuple[str, ...], object] = {}
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
    *("prosecutor-risk", "mean-prosecutor-risk", "risk-above", "alpha"),
    *("beta-likeness", "enhanced-beta-likeness", "delta-disclosure"),
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
            before = sets.recoded(rows, labels(node))
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


def _some(name: str) -> Measure:
    """Return a measure of a name, with the parameters that it needs."""
    needed = {"recursive-l": "(c=2)", "level": "(column=q0)"}
    needed |= dict.fromkeys(("information-gain", "gain-per-anonymity"), "(column=s0)")
    return measure(name + needed.get(name, ""))


LAWS = [check_values, check_path_independence, check_bounds]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", sorted(measure_classes()))
def test_the_laws_of_measures_hold_for_people(name: str, law: Callable[..., None]) -> None:
    law(_some(name), small_tables_of_people())


@pytest.mark.parametrize("name", sorted(measure_classes()))
def test_measures_are_monotone_where_people_add_up(name: str) -> None:
    tables = small_tables_of_people()
    check_monotone(_some(name), [table for table in tables if not table.people_in_several_cells])


def test_k_is_monotone_wherever_people_are() -> None:
    check_monotone(K(), small_tables_of_people())


def test_shares_rise_when_classes_with_common_people_merge() -> None:
    # {1: v, 2: w} and {2: w, 3: v} merge from 1/2 and 1/2 to 2/3.
    rows = [
        Row(("1", "x"), ("v",), 1),
        Row(("1", "x"), ("w",), 2),
        Row(("2", "x"), ("w",), 2),
        Row(("2", "x"), ("v",), 3),
    ]
    table = counted(rows, 1)
    frequency = FrequencyL()
    tables = ClassTables(table=table, carries=frequency.carries(table))
    values = frequency.evaluate(Classes.of(tables.group(np.array([[0, 0], [1, 0]]))))
    assert values.tolist() == pytest.approx([2.0, 1.5])
    assert not frequency.has_bound(tables, 0)
    assert K().has_bound(tables, 0)


def test_a_value_in_common_may_come_from_several_classes() -> None:
    # Both classes have two values and none in common; together b is everybody's.
    rows = [
        Row(("1", "x"), ("a",), 1),
        Row(("1", "x"), ("b",), 2),
        Row(("2", "x"), ("b",), 1),
        Row(("2", "x"), ("c",), 2),
    ]
    table = counted(rows, 1)
    distinct = DistinctL()
    tables = ClassTables(table=table, carries=distinct.carries(table))
    values = distinct.evaluate(Classes.of(tables.group(np.array([[0, 0], [1, 0]]))))
    assert values.tolist() == [2.0, 1.0]
    assert not distinct.inherited(table)
    assert not distinct.parts_fail_too(table)


@pytest.mark.parametrize("moving", [0.0, 0.4, 1.0])
def test_statements_against_sets(moving: float) -> None:
    rows, _ = drawn(3, moving=moving)
    texts: dict[str, list[str | None]] = {
        name: [row.cell[q] for row in rows] for q, name in enumerate(TREES)
    }
    texts["s0"] = [row.values[0] for row in rows]
    table = build_count_table(
        GroupedCounts.of_rows(texts, persons=[row.person for row in rows]),
        [
            *(
                quasi_identifying(name, Hierarchy.from_rows(leaves, name=name))
                for name, leaves in TREES.items()
            ),
            sensitive("s0"),
        ],
        statements=ConfidentialStatements.of(["s0 = 0 or s0 = 1", "s0 = 3"]),
    )
    predicates: list[set[str]] = [{"0", "1"}, {"3"}]
    total = len(sets.people(rows))

    def satisfying(group: sets.Group, values: set[str]) -> set[int]:
        return {row.person for row in group if row.values[0] in values}

    def gain(group: sets.Group, values: set[str]) -> float:
        prior = len(satisfying(rows, values)) / total
        share = len(satisfying(group, values)) / len(sets.people(group))
        if not 0 < prior < 1 or not share:
            return 0.0
        return max((math.log(prior) - math.log(share)) / math.log(prior), 0.0)

    tables = ClassTables(table=table, carries=Sf().carries(table))
    batch = tables.group(np.array(list(tables.lattice)))
    for suppression in (limited(0), limited(0.3)):
        classes = Classes.of(batch, suppression)
        secure, sf = Secure().evaluate(classes), Sf().evaluate(classes)
        for position, node in enumerate(tables.lattice):
            before = sets.recoded(rows, labels(node))
            after = sets.within_limit(before, suppression.budget(len(rows)) or 0)
            told = any(
                satisfying(group, values) == sets.people(group)
                for group in after.kept
                for values in predicates
            )
            assert secure[position] == (not told), node
            # Everybody protects both predicates, each with half of the harm.
            risk: dict[int, float] = {}
            for group in sets.all_groups(after):
                own = sum(gain(group, values) for values in predicates) / 2
                for person in sets.people(group):
                    risk[person] = max(risk.get(person, 0.0), own)
            assert sf[position] == pytest.approx(1 - sum(risk.values()) / total), node


@pytest.mark.parametrize("own", [K(), DistinctL(), PSensitive()], ids=str)
def test_rows_bound_people(own: Measure) -> None:
    assert own.rows_bound_people
    for table in small_tables_of_people():
        found = []
        for counted in (table, replace(table, people=None)):
            tables = ClassTables(table=counted, carries=own.carries(counted))
            nodes = np.array(list(tables.lattice))
            found.append(own.evaluate(Classes.of(tables.group(nodes))))
        assert (found[0] <= found[1]).all()
