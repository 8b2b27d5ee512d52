"""Crossover: the tree of workclass, its strings, and the printed crossovers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.recoding.random_trees import WORKCLASS

from sfumato.recoding.nearest_valid import nearest_valid
from sfumato.recoding.taxonomy_tree import TaxonomyTree

if TYPE_CHECKING:
    from sfumato.data.arrays import Flags

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
