from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.recoding.lattice import Lattice

LATTICE = Lattice(names=("age", "sex", "zip"), heights=(2, 1, 5))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_nodes_are_numbered_in_lexicographic_order(heights: list[int]) -> None:
    lattice = Lattice(names=tuple(f"q{q}" for q in range(len(heights))), heights=tuple(heights))
    nodes = list(itertools.product(*(range(height + 1) for height in heights)))
    assert list(lattice) == nodes
    assert lattice.nodes == len(nodes) == math.prod(height + 1 for height in heights)
    assert [lattice.number(node) for node in nodes] == list(range(len(nodes)))
    assert [lattice.levels(number) for number in range(len(nodes))] == nodes
    assert lattice.all_levels(np.arange(len(nodes))).tolist() == [list(node) for node in nodes]
    assert (lattice.bottom, lattice.top) == (nodes[0], nodes[-1])


def test_a_lattice_of_any_size_is_only_counted() -> None:
    wide = Lattice(names=tuple(f"q{q}" for q in range(40)), heights=(6,) * 40)
    assert wide.nodes == 7**40
    assert wide.number(wide.top) == 7**40 - 1
    assert wide.levels(7**40 - 1) == wide.top


def test_a_node_by_names_in_any_order() -> None:
    assert LATTICE.node({"zip": 5, "age": 1, "sex": 0}) == (1, 0, 5)


def test_levels_may_be_whole_numbers_of_numpy() -> None:
    # As a cell of front.to_pandas() has them.
    node = LATTICE.node({"zip": np.int64(5), "age": np.int32(1), "sex": 0})  # type: ignore[dict-item]
    assert node == (1, 0, 5)
    assert all(type(level) is int for level in node)


@pytest.mark.parametrize(
    ("levels", "column", "found"),
    [
        ({"age": 3, "sex": 0, "zip": 0}, "age", "3"),
        ({"age": 0, "sex": -1, "zip": 0}, "sex", "-1"),
        ({"age": 0, "sex": True, "zip": 0}, "sex", "True"),
        ({"age": 0, "sex": 0, "zip": 1.5}, "zip", "1.5"),
        ({"age": 0, "sex": 0, "zip": "1"}, "zip", "'1'"),
        ({"age": None, "sex": 0, "zip": 0}, "age", "None"),
    ],
)
def test_wrong_levels_teach(levels: dict[str, int], column: str, found: str) -> None:
    with raises(SettingsError, code="unknown-level", column=column, found=found):
        LATTICE.node(levels)


@pytest.mark.parametrize(
    ("levels", "found", "suggestion"),
    [
        ({"age": 0, "sex": 0, "zip": 0, "name": 0}, "'age', 'sex', 'zip', 'name'", None),
        ({"age": 0, "Sexe": 0, "zip": 0}, "'age', 'Sexe', 'zip'", "sex"),
        ({"age": 0, "zip": 0}, "'age', 'zip'", None),
        ({}, "no column", None),
    ],
)
def test_levels_of_other_columns_teach(
    levels: dict[str, int], found: str, suggestion: str | None
) -> None:
    with raises(SettingsError, code="other-columns", found=found, suggestion=suggestion):
        LATTICE.node(levels)
