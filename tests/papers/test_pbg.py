"""PBG: the lattice of Table 1(a), and S_k and S_ℓ of §§6-7 by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import NO_SUPPRESSION, Suppression, limited
from sfumato.datasets.adult import QUASI_IDENTIFIERS
from sfumato.datasets.adult_file import hierarchy_path
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.recoding.lattice import Lattice

TABLE_1A = {
    "age": (74, 6),
    "workclass": (7, 3),
    "education": (16, 3),
    "marital-status": (7, 3),
    "race": (5, 1),
    "sex": (2, 1),
    "native-country": (41, 4),
    "salary-class": (2, 1),
}


def test_table_1a_through_the_shipped_hierarchies() -> None:
    assert (*QUASI_IDENTIFIERS, "salary-class") == tuple(TABLE_1A)
    trees = {name: read_hierarchy_csv(hierarchy_path(name)) for name in TABLE_1A}
    assert {name: (tree.leaf_count, tree.height) for name, tree in trees.items()} == TABLE_1A
    lattice = Lattice(names=tuple(trees), heights=tuple(tree.height for tree in trees.values()))
    assert lattice.heights == (6, 3, 3, 3, 1, 1, 4, 1)
    assert lattice.nodes == 17_920
    assert sum(1 for _ in lattice) == 17_920
    without_salary = Lattice(names=lattice.names[:-1], heights=lattice.heights[:-1])
    assert without_salary.nodes == 8_960


def test_the_suppression_limit_of_section_7() -> None:
    assert limited(0.01).budget(30_162) == 301


# Two columns; at level (0, 0) the classes are a1 (3 rows: x, x, y), a2 (1 row: x), b1 (2 rows:
# y, z). At (1, 0) the column letter is gone and the classes are 1 (5 rows) and 2 (1 row).
ROWS = [("a", "1", "x"), ("a", "1", "x"), ("a", "1", "y"), ("a", "2", "x")]
ROWS += [("b", "1", "y"), ("b", "1", "z")]


def metrics(node: tuple[int, int], suppression: Suppression) -> tuple[float, float]:
    letters, digits, values = zip(*ROWS, strict=True)
    flat = [
        Hierarchy.from_rows([(leaf, "*") for leaf in leaves], name="demo")
        for leaves in ("ab", "12")
    ]
    table = build_count_table(
        GroupedCounts.of_rows({"letter": letters, "digit": digits, "value": values}),
        [
            quasi_identifying("letter", flat[0]),
            quasi_identifying("digit", flat[1]),
            sensitive("value"),
        ],
    )
    tables = ClassTables(table=table, carries=("value",))
    candidates = Classes.of(tables.group(np.array([node])), suppression)
    s_k, s_l = (float(measure(name).evaluate(candidates)[0]) for name in ("s-k", "s-l"))
    return s_k, s_l


@pytest.mark.parametrize(
    ("node", "limit", "s_k", "s_l"),
    [
        # Class sizes of the rows 3,3,3,1,2,2; own values x,x: 2,2; y: 1; x: 1; y: 1; z: 1.
        ((0, 0), 0, (3, 3, 3, 1, 2, 2), (2, 2, 1, 1, 1, 1)),
        # One class of five with x twice, y twice, z once, and the row (a, 2) alone.
        ((1, 0), 0, (5, 5, 5, 1, 5, 5), (2, 2, 2, 1, 2, 1)),
        # All six rows in one class: x three times, y twice, z once.
        ((1, 1), 0, (6, 6, 6, 6, 6, 6), (3, 3, 2, 3, 2, 1)),
        # Three rows suppressed, which are one class of three with x, y and z once each.
        ((0, 0), 3, (3, 3, 3, 3, 3, 3), (2, 2, 1, 1, 1, 1)),
        # One row suppressed: a class of its own, as before.
        ((0, 0), 2, (3, 3, 3, 1, 2, 2), (2, 2, 1, 1, 1, 1)),
        ((1, 0), 1, (5, 5, 5, 1, 5, 5), (2, 2, 2, 1, 2, 1)),
    ],
)
def test_sums_of_the_property_vectors(
    node: tuple[int, int], limit: int, s_k: tuple[int, ...], s_l: tuple[int, ...]
) -> None:
    suppression = limited(limit) if limit else NO_SUPPRESSION
    assert metrics(node, suppression) == (sum(s_k), sum(s_l))
