from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

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
    with raises(HierarchyError, code="value-not-in-hierarchy", column="marital status"):
        Groups(levels=[MARITAL]).build(["Divorzed", "Married", "x"], column="marital status")


@pytest.mark.parametrize(
    ("levels", "code", "found"),
    [
        ([], "no-groups", None),
        ([{}], "no-groups", None),
        ([{"x": []}], "no-members", "'x'"),
        ([{"x": "abc"}], "not-a-list", "'abc'"),
        ([{"x": ["a", "b"], "y": ["a"]}], "duplicate", "'a'"),
        ([{"x": ["a", "a"]}], "duplicate", "'a'"),
        ([{"x": ["a"], "y": ["b"]}, {"p": ["x"]}], "ungrouped-label", "'y'"),
        ([{"x": ["a"]}, {"p": ["x", "z"]}], "unknown-label", "'z'"),
    ],
)
def test_groups_that_are_not_a_tree(
    levels: Sequence[Mapping[str, Sequence[str]]], code: str, found: str | None
) -> None:
    with raises(SettingsError, code=code, key="levels", found=found):
        Groups(levels=levels)


def test_others_take_what_is_not_listed() -> None:
    upper = {"Alone": ["Never Married", "Once married"], "Together": ["Married"]}
    builder = Groups(levels=[MARITAL, upper], others="Once married")
    assert not builder.domain_is_declared
    assert not builder.kind_is_declared
    assert Groups(levels=[MARITAL]).domain_is_declared
    hierarchy = builder.build(["Left", "Married", "Annulled"], column="marital status")
    assert hierarchy.domain.leaves == (
        *("Never Married", "Divorced", "Widowed", "Separated", "Annulled", "Left", "Married"),
    )
    assert hierarchy.levels[1].tolist() == [0, 1, 1, 1, 1, 1, 2]
    assert hierarchy.levels[2].tolist() == [0] * 6 + [1]
    assert builder.build(["Married"], column="x") == Groups(levels=[MARITAL, upper]).build(
        ["Married"], column="x"
    )


def test_others_must_be_a_group_of_the_first_level() -> None:
    with raises(SettingsError, code="unknown-choice", key="others"):
        Groups(levels=[MARITAL], others="Once maried")
