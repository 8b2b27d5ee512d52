"""The space of partitions of a table: its strings, recodings and books."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.random_trees import WORKCLASS, random_hierarchies, valid_by_definition

from sfumato.classes.class_tables import ClassTables
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying
from sfumato.recoding.cuts import Cuts
from sfumato.recoding.levels import Levels
from sfumato.recoding.partition_space import PartitionSpace

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.microdata.count_table import CountTable


def table_of(
    hierarchies: list[Hierarchy], constrained: list[bool], *, rows: int = 40, seed: int = 1
) -> CountTable:
    rng = np.random.default_rng(seed)
    names = [f"q{q}" for q in range(len(hierarchies))]
    columns = {
        name: GroupedColumn(
            values=tree.domain.leaves,
            codes=rng.integers(0, tree.leaf_count, rows).astype(np.int32),
        )
        for name, tree in zip(names, hierarchies, strict=True)
    }
    attributes = [
        quasi_identifying(name, tree, constrained=flag)
        for name, tree, flag in zip(names, hierarchies, constrained, strict=True)
    ]
    counts = np.ones(rows, dtype=np.int64)
    return build_count_table(GroupedCounts(columns=columns, counts=counts), attributes)


AGE = Intervals(low=20, high=24, widths=(2,)).build([], column="age")
SPACE = PartitionSpace.of(table_of([AGE, WORKCLASS, AGE], [False, True, True]))


def test_bits_and_sizes() -> None:
    assert [(c.start, c.end, c.constrained) for c in SPACE.columns] == [
        (0, 4, False),
        (4, 11, True),
        (11, 15, True),
    ]
    assert SPACE.bits == 15
    assert SPACE.constrained_bits.tolist() == [False] * 4 + [True] * 11
    strings = list(SPACE.strings())
    assert len(strings) == len(set(strings)) == SPACE.size == 16 * 9 * 5
    assert SPACE.valid(np.array(strings, dtype=np.bool_)).all()
    assert SPACE.valid(SPACE.ends).all()


def test_all_valid_strings_and_no_others() -> None:
    valid = set(SPACE.strings())
    by_hand = {
        (*free, *work, *age)
        for free in itertools.product((0, 1), repeat=4)
        for work in valid_by_definition(WORKCLASS)
        for age in valid_by_definition(AGE)
    }
    assert valid == by_hand
    rng = np.random.default_rng(5)
    drawn = rng.random((500, SPACE.bits)) < 0.5
    expected = [tuple(row) in valid for row in drawn.astype(int).tolist()]
    assert SPACE.valid(drawn).tolist() == expected
    repaired = SPACE.nearest_valid(drawn, rng=rng)
    assert SPACE.valid(repaired).all()
    assert np.array_equal(repaired[SPACE.valid(drawn)], drawn[SPACE.valid(drawn)])
    # Unconstrained bits are never touched.
    assert np.array_equal(repaired[:, :4], drawn[:, :4])


@settings(max_examples=examples(40))
@given(
    st.lists(st.tuples(random_hierarchies(), st.booleans()), min_size=1, max_size=3),
    st.integers(0, 999),
)
def test_nodes_strings_and_recodings_are_one(
    columns: list[tuple[Hierarchy, bool]], seed: int
) -> None:
    trees, constrained = [tree for tree, _ in columns], [flag for _, flag in columns]
    table = table_of(trees, constrained, seed=seed)
    space = PartitionSpace.of(table)
    tables = ClassTables(table=table)
    nodes = list(tables.lattice)[:40]
    strings = np.stack([space.of_node(dict(zip(table.names, node, strict=True))) for node in nodes])
    assert space.valid(strings).all()
    books, choices = space.books(strings)
    by_string, by_node = tables.group(choices, books=books), tables.group(np.array(nodes))
    for name in ("offsets", "keys", "sizes"):
        assert np.array_equal(getattr(by_string, name), getattr(by_node, name))
    for node, string in zip(nodes, strings, strict=True):
        recoding = space.recoding(string)
        levels = Levels.of(dict(zip(table.names, node, strict=True)))
        assert np.array_equal(space.of_recoding(recoding), string)
        assert np.array_equal(space.of_recoding(levels), string)
        found = Levels.fitting(recoding, table)
        assert found is not None
        assert np.array_equal(space.of_recoding(found), string)
        for one, other in zip(recoding.blocks(table), levels.blocks(table), strict=True):
            assert np.array_equal(one.block_of_leaf, other.block_of_leaf)
            assert len(one.labels) == len(other.labels) == int(one.block_of_leaf[-1]) + 1


def test_books_have_every_partition_once() -> None:
    rng = np.random.default_rng(2)
    strings = SPACE.nearest_valid(rng.random((60, SPACE.bits)) < 0.3, rng=rng)
    books, choices = SPACE.books(strings)
    for q, column in enumerate(SPACE.columns):
        part = strings[:, column.start : column.end]
        assert books[q].pages == len({row.tobytes() for row in part})
        blocks = books[q].block_of[choices[:, q]]
        assert np.array_equal(np.diff(blocks, axis=1) > 0, part)


def test_recodings_are_hashable_and_say_what_is_wrong() -> None:
    one = Cuts.of({"q0": [2], "q1": [], "q2": [1, 3]})
    assert one == Cuts.of({"q0": (2,), "q1": (), "q2": (1, 3)})
    assert len({one, Levels.of({"q0": 0, "q1": 0, "q2": 0}), one}) == 2
    assert one.cuts == {"q0": (2,), "q1": (), "q2": (1, 3)}
    assert one.levels == {}
    assert Levels.fitting(one, SPACE.table) is None
    blocks = one.blocks(SPACE.table)
    assert [b.labels for b in blocks] == [
        ("[20, 22)", "[22, 25)"),
        ("*",),
        ("20", "[21, 23)", "[23, 25)"),
    ]
    for wrong in ([2, 2], [0]):
        with raises(SettingsError, code="wrong-order", column="q0", found=str(wrong)):
            Cuts.of({"q0": wrong})
    with raises(SettingsError, code="other-columns", found="'q0'"):
        Cuts.of({"q0": [2]}).blocks(SPACE.table)
    with raises(SettingsError, code="out-of-range", column="q0", found="5"):
        Cuts.of({"q0": [5], "q1": [], "q2": []}).blocks(SPACE.table)
    with raises(SettingsError, code="unknown-level", column="q2", found="9"):
        Levels.of({"q0": 0, "q1": 0, "q2": 9}).blocks(SPACE.table)
    with raises(SettingsError, code="wrong-length", found="3", expected="15"):
        SPACE.recoding(np.zeros(3, dtype=np.bool_))
