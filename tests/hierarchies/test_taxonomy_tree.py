"""Cuts of trees, against trying all strings."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.recoding.random_trees import WORKCLASS, random_hierarchies, valid_by_definition

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.taxonomy_tree import TaxonomyTree
from sfumato.recoding.nearest_valid import nearest_valid


@given(random_hierarchies())
def test_valid_strings_are_those_of_the_definition(hierarchy: Hierarchy) -> None:
    tree = TaxonomyTree.of(hierarchy)
    expected = valid_by_definition(hierarchy)
    everything = list(itertools.product((0, 1), repeat=tree.bits))
    flags = tree.valid(np.array(everything, dtype=np.bool_).reshape(len(everything), tree.bits))
    assert {bits for bits, good in zip(everything, flags, strict=True) if good} == expected
    listed = list(tree.strings())
    assert len(listed) == len(set(listed)) == tree.valid_strings
    assert set(listed) == expected


@given(random_hierarchies(), st.data())
def test_repair_is_a_nearest_valid_string(hierarchy: Hierarchy, data: st.DataObject) -> None:
    tree = TaxonomyTree.of(hierarchy)
    bits = data.draw(st.tuples(*[st.booleans()] * tree.bits))
    by_distance: dict[int, set[tuple[int, ...]]] = {}
    for valid in valid_by_definition(hierarchy):
        apart = sum(a != b for a, b in zip(bits, valid, strict=True))
        by_distance.setdefault(apart, set()).add(valid)
    nearest = by_distance[min(by_distance)]
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    for _ in range(5):
        found = nearest_valid(tree, np.array(bits, dtype=np.bool_), rng=rng)
        assert tuple(map(int, found)) in nearest


def test_equally_near_strings_are_equally_likely() -> None:
    tree = TaxonomyTree.of(
        Hierarchy.from_rows(
            [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")], name="q"
        )
    )
    rng = np.random.default_rng(1)
    string = np.array([1, 0, 0], dtype=np.bool_)  # 000 and 110 are at distance 1
    found = Counter(tuple(map(int, nearest_valid(tree, string, rng=rng))) for _ in range(4000))
    assert set(found) == {(0, 0, 0), (1, 1, 0)}
    assert abs(found[0, 0, 0] - 2000) < 200


@settings(max_examples=examples(50))
@given(random_hierarchies(), st.integers(0, 9999))
def test_random_strings_are_valid(hierarchy: Hierarchy, seed: int) -> None:
    tree = TaxonomyTree.of(hierarchy)
    strings = tree.random_strings(20, rng=np.random.default_rng(seed))
    assert tree.valid(strings).all()


def test_random_strings_decide_from_the_root() -> None:
    # The root joins everything in half of all draws, and each group halves what is left.
    tree = TaxonomyTree.of(WORKCLASS)
    strings = tree.random_strings(8000, rng=np.random.default_rng(3))
    drawn = Counter(map(tuple, strings.astype(int).tolist()))
    assert set(drawn) == set(tree.strings())
    assert abs(drawn[0, 0, 0, 0, 0, 0, 0] - 4000) < 250
    assert abs(drawn[1, 1, 1, 1, 1, 1, 1] - 500) < 120


def test_a_domain_of_one_value_has_one_string() -> None:
    tree = TaxonomyTree.of(Hierarchy.from_rows([("a", "*")], name="q"))
    assert (tree.bits, tree.valid_strings, list(tree.strings())) == (0, 1, [()])
    assert tree.valid(np.zeros((2, 0), dtype=np.bool_)).tolist() == [True, True]
    assert tree.random_strings(3, rng=np.random.default_rng(1)).shape == (3, 0)
