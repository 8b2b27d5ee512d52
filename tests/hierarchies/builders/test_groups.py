from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders import Groups

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARITAL = {
    "Once married": ["Divorced", "Widowed", "Separated"],
    "Never Married": ["Never Married"],
    "Married": ["Married"],
}


def test_the_declared_groups_are_the_domain() -> None:
    hierarchy = Groups(levels=[MARITAL]).build(["Married"], column="marital status")
    assert hierarchy.domain.leaves == (
        *("Divorced", "Widowed", "Separated"),
        *("Never Married", "Married"),
    )
    assert hierarchy.levels[1].tolist() == [0, 0, 0, 1, 2]
    assert hierarchy.labels[2] == ("*",)


def test_upper_levels_group_labels_and_set_the_order() -> None:
    upper = {"Alone": ["Never Married", "Once married"], "Together": ["Married"]}
    hierarchy = Groups(levels=[MARITAL, upper]).build([], column="marital status")
    assert hierarchy.labels[1:] == (
        ("Never Married", "Once married", "Married"),
        ("Alone", "Together"),
        ("*",),
    )
    assert hierarchy.levels[2].tolist() == [0, 0, 0, 0, 1]


def test_a_single_last_group_is_the_top() -> None:
    hierarchy = Groups(levels=[{"anyone": ["a", "b"]}]).build(["a"], column="letter")
    assert hierarchy.labels == (("a", "b"), ("anyone",))


def test_ungrouped_values_are_named() -> None:
    with pytest.raises(
        HierarchyError, match=r"2 values .* 'Divorzed' \('Divorced' misspelt\?\), 'x'"
    ):
        Groups(levels=[MARITAL]).build(["Divorzed", "Married", "x"], column="marital status")


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([], "at least one level"),
        ([{}], "every level a group"),
        ([{"x": []}], "group 'x' is empty"),
        ([{"x": "abc"}], r"write \['abc'\], not 'abc'"),
        ([{"x": ["a", "b"], "y": ["a"]}], r"at level 1 1 member .* 'a' \(in 'x', 'y'\)"),
        ([{"x": ["a", "a"]}], r"'a' \(in 'x', 'x'\)"),
        ([{"x": ["a"], "y": ["b"]}, {"p": ["x"]}], "level 2 must group every .* lacks 'y'"),
        ([{"x": ["a"]}, {"p": ["x", "z"]}], "level 1, which has no 'z'; it has 'x'"),
    ],
)
def test_groups_that_are_no_tree(
    levels: Sequence[Mapping[str, Sequence[str]]], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        Groups(levels=levels)
