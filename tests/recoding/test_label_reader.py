"""Labels are read back as what they cover."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises
from tests.recoding.local_tables import local_tables
from tests.recoding.random_trees import random_hierarchies

import sfumato as sf
from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.domains.category_domain import CategoryDomain
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.output import Output
from sfumato.recoding.block_labels import block_label, full_set_label
from sfumato.recoding.label_reader import LabelReader, read_label, set_items
from sfumato.recoding.local_labels import local_columns

if TYPE_CHECKING:
    from tests.recoding.local_tables import LocalTable

    from sfumato.arrays import Codes
    from sfumato.recoding.local_labels import LocalColumn


def blocks_named(column: LocalColumn, name: str, leaves: Codes) -> set[tuple[int, ...]]:
    """What the blocks of any level that have this name hold of the leaves, if anything."""
    hierarchy = column.identifier.hierarchy
    return {
        tuple(leaves[hierarchy.levels[level][leaves] == block].tolist())
        for level in range(column.identifier.minimum_level, hierarchy.height + 1)
        for block in np.unique(hierarchy.levels[level][leaves]).tolist()
        if hierarchy.labels[level][block] == name
    }


@given(local_tables())
def test_labels_of_local_recodings_are_read_back(drawn: LocalTable) -> None:
    for column in local_columns(drawn.table, drawn.recoding):
        reader = LabelReader(
            hierarchy=column.identifier.hierarchy,
            output=column.output,
            minimum_level=column.identifier.minimum_level,
        )
        assert len(set(column.texts)) == len(column.texts)
        for cover, text in zip(column.covers, column.texts, strict=True):
            every = np.arange(column.identifier.hierarchy.leaf_count, dtype=np.int32)
            alike = len(blocks_named(column, text, every))
            if column.output is Output.HIERARCHY and alike > 1:
                # Levels are written only where kept values need it: more would tell of others.
                assert len(blocks_named(column, text, column.kept)) == 1
                with raises(HierarchyError, code="ambiguous-label"):
                    reader.leaves(text)
                continue
            leaves = reader.leaves(text)
            assert leaves is not None, text
            assert leaves.tolist() == column.leaves(cover).tolist(), text


@given(random_hierarchies(), st.data())
def test_labels_of_cuts_are_read_back(tree: Hierarchy, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, tree.leaf_count - 1))
    last = data.draw(st.integers(first, tree.leaf_count - 1))
    label = block_label(tree, first, last)
    assert read_label(label, tree).values == tree.domain.leaves[first : last + 1]


@given(st.lists(st.text(max_size=4), min_size=1, max_size=5))
def test_sets_of_any_texts_are_taken_apart(values: list[str]) -> None:
    label = full_set_label(values)
    assert (set_items(label) or [label]) == values


@pytest.mark.parametrize("text", ["{}", "{a,b}", '{"a}', "{a, }", '{a"b}', "{a, b", "a"])
def test_what_is_not_a_set(text: str) -> None:
    assert set_items(text) is None


def test_numbers_dates_and_ordered_categories() -> None:
    age = sf.Intervals(low=17, high=90, widths=(10,)).build([], column="age").with_missing("?")
    assert read_label("[20, 22]", age).values == ("20", "21", "22")
    assert read_label("[20, 22)", age).values == ("20", "21")
    found = read_label("[20, 22] or ?", age)
    assert (found.interval, found.missing) == (("20", "22"), True)
    assert found.values == ("20", "21", "22", "?")
    assert read_label("*", age).values == age.domain.leaves
    heights = sf.Intervals(low=0, high=2, unit=0.5, widths=(1,)).build([], column="m")
    assert read_label("[0.5, 1.5)", heights).values == ("[0.5, 1)", "[1, 1.5)")
    assert read_label("[1, 2]", heights).values == ("[1, 1.5)", "[1.5, 2]")
    days = sf.Dates(first=datetime.date(2024, 1, 30), last=datetime.date(2024, 2, 3)).build(
        [], column="day"
    )
    assert read_label("2024-01-31 to 2024-02-01", days).values == ("2024-01-31", "2024-02-01")
    assert read_label("2024-01", days).values == ("2024-01-30", "2024-01-31")


@pytest.mark.parametrize(
    "text", ["[20, 95]", "[20.5, 22]", "[22, 20]", "[a, b]", "20 to 300", "{20, 300}", "old", ""]
)
def test_what_is_not_a_label_is_refused(text: str) -> None:
    age = sf.Intervals(low=17, high=90, widths=(10,)).build([], column="age")
    with pytest.raises(HierarchyError) as caught:
        read_label(text, age)
    assert caught.value.code == "unknown-label"


def test_an_unknown_kind_of_labels_is_refused() -> None:
    age = sf.Intervals(low=17, high=90, widths=(10,)).build([], column="age")
    with raises(SettingsError, code="unknown-choice", key="output"):
        read_label("17", age, output="sets")


def test_a_name_of_several_blocks_needs_its_level() -> None:
    levels = (np.arange(3, dtype=np.int32), np.array([0, 0, 1], dtype=np.int32))
    tree = Hierarchy(
        domain=CategoryDomain(values=("Private", "Public", "None")),
        levels=(*levels, np.zeros(3, dtype=np.int32)),
        labels=(("Private", "Public", "None"), ("Private", "None"), ("*",)),
    )
    with pytest.raises(HierarchyError) as caught:
        read_label("Private", tree)
    assert caught.value.code == "ambiguous-label"
    assert read_label("Private (level 1)", tree).values == ("Private", "Public")
    assert read_label("Private (level 0)", tree).values == ("Private",)
    assert read_label("Private", tree, output="set").values == ("Private",)
    assert read_label("{Private, None}", tree).values == ("Private", "None")
    assert read_label("None", tree).values == ("None",)
