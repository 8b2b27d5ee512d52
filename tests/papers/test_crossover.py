"""Crossover: the tree of workclass, its strings, and the printed crossovers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.recoding.random_trees import WORKCLASS

from sfumato.hierarchies.taxonomy_tree import TaxonomyTree
from sfumato.recoding.nearest_valid import nearest_valid
from sfumato.search.operators.crossover import (
    reduced_surrogate_crossover,
    with_middle_of,
)
from sfumato.search.operators.partition_crossover import (
    crossed_at,
    crossover_places,
    validity_preserving_crossover,
)

if TYPE_CHECKING:
    from sfumato.arrays import Flags

TREE = TaxonomyTree.of(WORKCLASS)


def bits(text: str) -> Flags:
    return np.array([each == "1" for each in text])


def text(string: Flags) -> str:
    return "".join("1" if each else "0" for each in string)


def test_nine_of_128_strings_are_valid() -> None:
    assert TREE.bits == 7
    assert TREE.valid_strings == 9
    everything = np.array([[n >> b & 1 for b in range(7)] for n in range(128)], dtype=np.bool_)
    assert TREE.valid(everything).sum() == 9


@pytest.mark.parametrize(
    ("string", "valid"),
    [("0111110", True), ("0100111", True), ("0110111", False), ("0111111", True)],
)
def test_the_printed_strings(string: str, valid: bool) -> None:
    assert TREE.valid(bits(string)[None, :]).tolist() == [valid]


def test_the_invalid_child_has_two_nearest_valid_strings() -> None:
    rng = np.random.default_rng(1)
    found = {text(nearest_valid(TREE, bits("0110111"), rng=rng)) for _ in range(60)}
    assert found == {"0111111", "0100111"}


def test_the_printed_traditional_crossover_makes_an_invalid_child() -> None:
    # The text says between the fourth and fifth bit; it is drawn after the third, as computed.
    first, second = bits("0111110"), bits("0100111")
    assert text(crossed_at(first, second, 3)) == "0110111"
    assert not TREE.valid(crossed_at(first, second, 3)[None, :]).any()


def test_the_printed_validity_preserving_crossover() -> None:
    first, second = bits("0111110")[None, :], bits("0100111")[None, :]
    # 1 in both, after an agreement and a disagreement: the fifth bit and the sixth.
    assert np.flatnonzero(crossover_places(first, second)[0]).tolist() == [4, 5]
    for seed in range(8):
        child, other, crossed = validity_preserving_crossover(
            first, second, rng=np.random.default_rng(seed)
        )
        assert crossed.all()
        assert text(child[0]) == "0111111"
        assert text(other[0]) == "0100110"
        assert TREE.valid(np.concatenate((child, other))).all()


def test_the_printed_reduced_surrogates() -> None:
    first, second = bits("1011010111"), bits("1000100111")
    assert np.flatnonzero(first != second).tolist() == [2, 3, 4, 5]
    # Cuts after the third and the fifth bit; the value prints x for 1 and y for 0 of the second.
    assert text(with_middle_of(first, second, 3, 5)) == "1010110111"
    drawn = {
        text(child)
        for seed in range(60)
        if (child := reduced_surrogate_crossover(first, second, rng=np.random.default_rng(seed)))
        is not None
    }
    assert "1010110111" in drawn
    # Cuts fall after the bits 3, 4, 5 or 6: six pairs of them.
    assert len(drawn) == 6
    assert all(child.endswith("0111") and child.startswith("10") for child in drawn)
