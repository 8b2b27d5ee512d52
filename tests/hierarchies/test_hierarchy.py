from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import HierarchyError
from sfumato.hierarchies.domains.domain import CategoryDomain
from sfumato.hierarchies.hierarchy import Hierarchy

Rows = list[tuple[str, ...]]

MARITAL: Rows = [
    ("Divorced", "Once married", "*"),
    ("Widowed", "Once married", "*"),
    ("Separated", "Once married", "*"),
    ("Never Married", "Never Married", "*"),
    ("Married", "Married", "*"),
]


@st.composite
def row_sets(draw: st.DrawFn) -> Rows:
    """Rows of a random tree, in random order."""
    texts = st.one_of(st.text(max_size=4), st.integers(-20, 20).map(str), st.dates().map(str))
    leaves = draw(st.lists(texts, min_size=1, max_size=12, unique=True))
    paths: dict[str, list[str]] = {leaf: [leaf] for leaf in leaves}
    blocks = [[leaf] for leaf in leaves]
    for level in range(1, draw(st.integers(0, 4)) + 1):
        groups = draw(st.integers(1, len(blocks)))
        merged: list[list[str]] = [[] for _ in range(groups)]
        for block in blocks:
            merged[draw(st.integers(0, groups - 1))] += block
        blocks = [block for block in merged if block]
        for number, block in enumerate(blocks):
            for leaf in block:
                paths[leaf].append(f"{level}:{number}")
    rows = [(*path, "*") for path in paths.values()]
    return draw(st.permutations(rows))


@given(row_sets())
def test_laws_of_every_hierarchy(rows: Rows) -> None:
    hierarchy = Hierarchy.from_rows(rows, name="random")
    leaves = hierarchy.domain.leaves
    assert hierarchy.leaf_count == len(rows)
    assert hierarchy.height == len(rows[0]) - 1
    assert hierarchy.levels[0].tolist() == list(range(len(rows)))
    assert hierarchy.block_count(hierarchy.height) == 1
    row_of = {row[0]: row for row in rows}
    for level, codes in enumerate(hierarchy.levels):
        assert not codes.flags.writeable
        assert codes.dtype == np.int32
        assert [hierarchy.labels[level][block] for block in codes] == [
            row_of[leaf][level] for leaf in leaves
        ]
        assert set(np.diff(codes)) <= {0, 1}
        assert hierarchy.block_sizes(level).sum() == hierarchy.leaf_count
        assert len(hierarchy.block_sizes(level)) == hierarchy.block_count(level)
        assert np.array_equal(hierarchy.between(0, level), codes)
        assert np.array_equal(codes[hierarchy.block_starts(level)], hierarchy.between(level, level))
        for coarse in range(level, hierarchy.height + 1):
            through = hierarchy.between(level, coarse)
            assert np.array_equal(through[codes], hierarchy.levels[coarse])
            for middle in range(level, coarse + 1):
                composed = hierarchy.between(middle, coarse)[hierarchy.between(level, middle)]
                assert np.array_equal(composed, through)


@given(row_sets())
def test_a_missing_leaf_stays_alone_until_the_top(rows: Rows) -> None:
    plain = Hierarchy.from_rows(rows, name="random")
    hierarchy = plain.with_missing("missing")
    assert hierarchy.missing_leaf == plain.leaf_count
    assert plain.missing_leaf is None
    assert hierarchy.height == max(plain.height, 1)
    for level in range(hierarchy.height):
        assert hierarchy.labels[level] == (*plain.labels[level], "missing")
        assert hierarchy.levels[level][:-1].tolist() == plain.levels[level].tolist()
        assert hierarchy.block_sizes(level)[-1] == 1
    assert hierarchy.locate(["missing"]).tolist() == [plain.leaf_count]


def test_the_order_of_rows_gives_the_order_of_categories() -> None:
    rows = [("c", "y", "*"), ("a", "x", "*"), ("d", "y", "*"), ("b", "x", "*")]
    hierarchy = Hierarchy.from_rows(rows, name="demo")
    assert hierarchy.domain.leaves == ("c", "d", "a", "b")
    assert not hierarchy.domain.ordered


def test_numbers_come_in_natural_order() -> None:
    rows = [("10", "high", "*"), ("9", "low", "*"), ("-1.5", "low", "*")]
    hierarchy = Hierarchy.from_rows(rows, name="demo")
    assert hierarchy.domain.leaves == ("-1.5", "9", "10")
    assert hierarchy.labels[1] == ("low", "high")
    assert hierarchy.domain.ordered
    assert hierarchy.locate(["9.0"]).tolist() == [1]


def test_dates_come_in_natural_order() -> None:
    rows = [("2000-02-29", "*"), ("1999-12-31", "*")]
    hierarchy = Hierarchy.from_rows(rows, name="demo")
    assert hierarchy.domain.leaves == ("1999-12-31", "2000-02-29")
    assert hierarchy.domain.ordered


@pytest.mark.parametrize(
    "rows",
    [
        [("1", "odd", "*"), ("2", "even", "*"), ("3", "odd", "*")],
        [("2", "*"), ("1", "*"), ("one", "*")],
        [("2", "*"), ("1", "*"), ("1.0", "*")],
        [("2000-01-02", "*"), ("2000-01-01", "*"), ("2", "*")],
    ],
)
def test_natural_order_yields_where_it_does_not_fit(rows: Rows) -> None:
    hierarchy = Hierarchy.from_rows(rows, name="demo")
    assert not hierarchy.domain.ordered
    assert hierarchy.domain.leaves[0] == rows[0][0]


def test_moea_marital_status_knows_which_partitions_are_cuts() -> None:
    hierarchy = Hierarchy.from_rows(MARITAL, name="marital status")
    nodes = {
        frozenset(np.array(hierarchy.domain.leaves)[codes == block].tolist())
        for codes in hierarchy.levels
        for block in range(codes.max() + 1)
    }
    assert frozenset({"Divorced", "Widowed", "Separated"}) in nodes
    assert frozenset({"Divorced", "Widowed"}) not in nodes
    assert frozenset({"Separated", "Never Married"}) not in nodes


def test_equal_hierarchies_are_equal() -> None:
    first = Hierarchy.from_rows(MARITAL, name="one")
    second = Hierarchy.from_rows(MARITAL, name="two")
    other = Hierarchy.from_rows(MARITAL[:-1], name="three")
    assert first == second
    assert hash(first) == hash(second)
    assert first != other
    assert first != "a tree"
    assert repr(first) == "<Hierarchy of CategoryDomain, blocks 5 → 3 → 1>"


def test_a_copy_from_another_process_is_sealed_and_hashes_anew() -> None:
    hierarchy = Hierarchy.from_rows(MARITAL, name="marital status")
    hash(hierarchy)
    copy = pickle.loads(pickle.dumps(hierarchy))
    assert "_hash" not in vars(copy)
    assert copy == hierarchy
    assert hash(copy) == hash(hierarchy)
    assert not copy.levels[1].flags.writeable


def test_one_leaf_may_be_its_own_top() -> None:
    hierarchy = Hierarchy.from_rows([("only",)], name="demo")
    assert (hierarchy.height, hierarchy.leaf_count) == (0, 1)
    assert hierarchy.with_missing("?").labels == (("only", "?"), ("*",))


def test_a_missing_label_must_be_free() -> None:
    hierarchy = Hierarchy.from_rows(MARITAL, name="marital status")
    with raises(HierarchyError, code="taken-label", key="label", found="'Once married'"):
        hierarchy.with_missing("Once married")


def test_levels_have_their_range() -> None:
    hierarchy = Hierarchy.from_rows(MARITAL, name="marital status")
    with raises(HierarchyError, code="out-of-range", found="3", expected="from 0 to 2"):
        hierarchy.block_count(3)
    with raises(HierarchyError, code="out-of-range", found="-1", expected="from 0 to 2"):
        hierarchy.between(-1, 2)
    with raises(HierarchyError, code="no-refinement", suggestion="between(0, 1)"):
        hierarchy.between(1, 0)


@pytest.mark.parametrize(
    ("rows", "code", "found"),
    [
        ([], "no-values", None),
        ([()], "no-columns", None),
        ([("a", "*"), ("b",), ("c", "x", "*")], "ragged-rows", "1"),
        ([("a", "*"), ("b", "*"), ("a", "*"), ("b", "*"), ("b", "*")], "duplicate", "'a', 'b'"),
        ([("a", "x", "p", "*"), ("b", "x", "q", "*")], "level-splits", "'x'"),
        ([("a", "x"), ("b", "y")], "several-tops", "'x', 'y'"),
        ([("age", "top"), ("1", "*"), ("2", "*")], "several-tops", "'top', '*'"),
        ([("a", "*", ""), ("b", "*", "")], "empty-top", None),
    ],
)
def test_rows_that_are_not_a_tree(rows: Rows, code: str, found: str | None) -> None:
    with raises(HierarchyError, code=code, file="demo", found=found):
        Hierarchy.from_rows(rows, name="demo")


def test_long_lists_of_offenders_are_counted() -> None:
    rows = [(str(value % 25), "*") for value in range(50)]
    ten = ", ".join(repr(str(value)) for value in range(10))
    with raises(HierarchyError, code="duplicate", found=f"{ten}, … and 15 more"):
        Hierarchy.from_rows(rows)
    splits = [(str(value), str(value % 25), str(value), "*") for value in range(50)]
    with raises(HierarchyError, code="level-splits", found=f"{ten}, … and 15 more"):
        Hierarchy.from_rows(splits)


LEAVES = ("a", "b", "c")


@pytest.mark.parametrize(
    ("levels", "labels", "code", "found"),
    [
        ([], [], "level-count", "0"),
        ([[0, 1, 2], [0, 0, 0]], [LEAVES], "level-count", "2"),
        ([[0, 1, 2], [0, 0]], [LEAVES, ("*",)], "uncovered-leaf", "'c'"),
        ([[0, 1, 2], [0, 1, 0], [0, 0, 0]], [LEAVES, ("x", "y"), ("*",)], "torn-block", "'c'"),
        ([[0, 1, 2], [1, 1, 1]], [LEAVES, ("*",)], "torn-block", "'a'"),
        ([[0, 1, 2], [0, 2, 2], [0, 0, 0]], [LEAVES, ("x", "y"), ("*",)], "torn-block", "'b'"),
        ([[0, 1, 2], [0, 0, 0]], [LEAVES, ("x", "y")], "label-count", "'x', 'y'"),
        ([[0, 1, 2], [0, 1, 1], [0, 0, 0]], [LEAVES, ("x", "x"), ("*",)], "duplicate", "'x'"),
        ([[0, 0, 1], [0, 0, 0]], [("a", "c"), ("*",)], "not-the-identity", "'b'"),
        ([[0, 1, 2], [0, 0, 0]], [("a", "b", "d"), ("*",)], "not-the-identity", "'d'"),
        (
            [[0, 1, 2], [0, 1, 1], [0, 0, 1], [0, 0, 0]],
            [LEAVES, ("x", "y"), ("p", "q"), ("*",)],
            "level-splits",
            "'y'",
        ),
        ([[0, 1, 2], [0, 1, 1]], [LEAVES, ("x", "y")], "several-tops", "'x', 'y'"),
    ],
)
def test_levels_that_are_not_a_tree(
    levels: list[list[int]], labels: list[tuple[str, ...]], code: str, found: str
) -> None:
    with raises(HierarchyError, code=code, found=found):
        Hierarchy(
            domain=CategoryDomain(values=LEAVES),
            levels=tuple(np.array(level, dtype=np.int32) for level in levels),
            labels=tuple(labels),
        )


@dataclass(frozen=True)
class EmptyDomain:
    leaves: tuple[str, ...] = ()
    ordered: bool = False

    def locate(self, values: object) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        raise NotImplementedError


def test_a_domain_has_a_leaf() -> None:
    with raises(HierarchyError, code="no-values"):
        Hierarchy(domain=EmptyDomain(), levels=(), labels=())
