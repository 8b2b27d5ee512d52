"""Edits of a hierarchy give a hierarchy, keep the leaves, and do what they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies.edited_tree import EditedTree

MARITAL = EditedTree(
    rows=(
        ("Divorced", "Once married", "*"),
        ("Widowed", "Once married", "*"),
        ("Married", "Married", "*"),
        ("Single", "Single", "*"),
    )
)


def test_blocks_are_merged_where_the_first_one_is() -> None:
    merged = MARITAL.with_level(2).merged(2, ["Married", "Single"], "others")
    assert merged.labels(2) == ("Once married", "others")
    assert merged.labels(1) == MARITAL.labels(1)


def test_a_block_is_split_into_what_is_below_it() -> None:
    assert MARITAL.split(1, "Once married").labels(1) == (
        *("Divorced", "Widowed", "Married", "Single"),
    )


def test_a_leaf_moves_to_another_block() -> None:
    moved = MARITAL.moved(0, ["Single"], "Married")
    assert [row for row in moved.rows if row[0] == "Single"] == [("Single", "Married", "*")]
    assert moved.labels(1) == ("Once married", "Married")


def test_a_renamed_block_has_its_leaves() -> None:
    renamed = MARITAL.renamed(1, "Once married", "formerly married")
    assert renamed.rows[0] == ("Divorced", "formerly married", "*")


def test_values_that_were_not_covered_are_alone() -> None:
    assert MARITAL.with_leaves(["Unknown"]).rows[-1] == ("Unknown", "Unknown", "*")


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda: MARITAL.renamed(1, "Single", "Married"), "repeated-label"),
        (lambda: MARITAL.renamed(1, "Single", " "), "empty-label"),
        (lambda: MARITAL.renamed(1, "nobody", "x"), "unknown-block"),
        (lambda: MARITAL.renamed(0, "Single", "x"), "out-of-range"),
        (lambda: MARITAL.merged(2, ["*"], "x"), "out-of-range"),
        (lambda: MARITAL.without_level(0), "out-of-range"),
        (lambda: MARITAL.merged(1, [], "x"), "unknown-block"),
    ],
)
def test_what_would_be_no_hierarchy_is_refused(edit: object, code: str) -> None:
    with pytest.raises(HierarchyError) as raised:
        edit()  # type: ignore[operator]
    assert raised.value.code == code


@st.composite
def trees(draw: st.DrawFn) -> EditedTree:
    leaves = [f"v{number}" for number in range(draw(st.integers(1, 8)))]
    blocks = [draw(st.integers(0, 3)) for _ in leaves]
    above = {block: draw(st.integers(0, 1)) for block in range(4)}
    rows = [
        (leaf, f"b{block}", f"c{above[block]}", "*")
        for leaf, block in zip(leaves, blocks, strict=True)
    ]
    return EditedTree(rows=tuple(rows))


@given(trees(), st.data())
def test_every_edit_keeps_the_leaves_and_gives_a_hierarchy(
    tree: EditedTree, data: st.DataObject
) -> None:
    level = data.draw(st.integers(1, 2))
    labels = tree.labels(level)
    some = data.draw(st.lists(st.sampled_from(labels), min_size=1, unique=True))
    below = tree.labels(level - 1)
    for edited in (
        tree.merged(level, some, "new"),
        tree.split(level, some[0]),
        tree.renamed(level, some[0], "new"),
        tree.moved(level - 1, [data.draw(st.sampled_from(below))], some[0]),
        tree.with_level(level),
        tree.without_level(level),
    ):
        assert sorted(row[0] for row in edited.rows) == sorted(row[0] for row in tree.rows)
        assert EditedTree.of(edited.hierarchy()).hierarchy().labels == edited.hierarchy().labels


@given(trees(), st.data())
def test_renaming_twice_changes_nothing(tree: EditedTree, data: st.DataObject) -> None:
    block = data.draw(st.sampled_from(tree.labels(1)))
    assert tree.renamed(1, block, "other").renamed(1, "other", block) == tree
