"""Labels of blocks: readable, a node's own name where there is one, and never two alike."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recoding.random_trees import WORKCLASS, random_hierarchies

from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.domains.category_domain import CategoryDomain
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.recoding.block_labels import MOST_LISTED, block_label, block_labels

AGE = Intervals(low=17, high=90, widths=(10,)).build([], column="age")
GRANULES = Intervals(unit=5, low=10, high=90, origin=10, widths=(20,)).build([], column="age")
BIRTH = Dates(
    levels=("month", "year"), first=datetime.date(1998, 3, 1), last=datetime.date(2000, 2, 1)
).build([], column="birth")
NUMBERS = Hierarchy.from_rows([(v, "*") for v in ("1", "2", "4", "8")], name="q")


@pytest.mark.parametrize(
    ("hierarchy", "first", "last", "label"),
    [
        (AGE, 0, 7, "[17, 25)"),
        (AGE, 22, 22, "39"),
        (AGE, 3, 12, "[20, 30)"),  # a node of the tree
        (AGE, 0, 73, "*"),
        (AGE, 70, 73, "[87, 91)"),
        (GRANULES, 0, 2, "[10, 25)"),
        (GRANULES, 13, 15, "[75, 90]"),  # the last unit is closed
        (BIRTH, 0, 11, "1998-03 to 1999-02"),
        (BIRTH, 10, 21, "1999"),
        (WORKCLASS, 0, 1, "self-employed"),
        (WORKCLASS, 1, 3, "{B, C, D}"),
        (WORKCLASS, 5, 5, "F"),
        (NUMBERS, 1, 2, "[2, 4]"),
        (AGE.with_missing("unknown"), 70, 74, "[87, 91) or unknown"),
        (AGE.with_missing("unknown"), 73, 74, "90 or unknown"),
        (AGE.with_missing("unknown"), 74, 74, "unknown"),
    ],
)
def test_labels(hierarchy: Hierarchy, first: int, last: int, label: str) -> None:
    assert block_label(hierarchy, first, last) == label


def test_a_set_of_many_categories_is_written_short() -> None:
    flat = Flat(values=tuple(f"c{i:03}" for i in range(100))).build([], column="q")
    listed = block_label(flat, 0, MOST_LISTED - 1)
    assert listed.count(",") == MOST_LISTED - 1
    assert block_label(flat, 1, MOST_LISTED + 1) == "{c001, …, c031: 31 values}"


def test_names_that_meet_from_different_levels_are_told_apart() -> None:
    tree = Hierarchy.from_rows(
        [("a", "c", "*"), ("b", "c", "*"), ("c", "d", "*"), ("d", "d", "*")], name="q"
    )
    assert block_labels(tree, [2]) == ("c", "d")
    assert block_labels(tree, [2, 3]) == ("{a, b}", "c", "d")
    odd = Hierarchy.from_rows([(v, "*") for v in ("a, b", "c", "a", "b, c")], name="q")
    labels = block_labels(odd, [2])
    assert labels == ('{"a, b", c}', '{a, "b, c"}')
    names = ("a", "b", "a to b")
    ordered = Hierarchy(
        domain=CategoryDomain(values=names, ordered=True),
        levels=(np.arange(3, dtype=np.int32), np.zeros(3, dtype=np.int32)),
        labels=(names, ("*",)),
    )
    assert block_labels(ordered, [2]) == ("a to b (values 1 to 2)", "a to b")


@given(random_hierarchies(most_leaves=12), st.data())
def test_labels_of_a_partition_are_unique(hierarchy: Hierarchy, data: st.DataObject) -> None:
    leaves = range(1, hierarchy.leaf_count)
    cuts = [leaf for leaf in leaves if data.draw(st.booleans())]
    labels = block_labels(hierarchy, cuts)
    assert len(set(labels)) == len(labels) == len(cuts) + 1


@given(random_hierarchies(most_leaves=12))
def test_a_level_is_labelled_by_the_names_of_nodes(hierarchy: Hierarchy) -> None:
    names = {label for level in hierarchy.labels for label in level}
    for codes in hierarchy.levels:
        assert set(block_labels(hierarchy, (np.flatnonzero(np.diff(codes)) + 1).tolist())) <= names
