from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@settings(deadline=None)
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


@settings(deadline=None)
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
    with pytest.raises(HierarchyError, match=r"'Once married' .* already a label of level 1"):
        hierarchy.with_missing("Once married")


def test_levels_have_their_range() -> None:
    hierarchy = Hierarchy.from_rows(MARITAL, name="marital status")
    with pytest.raises(HierarchyError, match="from 0 to 2, not 3"):
        hierarchy.block_count(3)
    with pytest.raises(HierarchyError, match="from 0 to 2, not -1"):
        hierarchy.between(-1, 2)
    with pytest.raises(HierarchyError, match=r"ask for between\(0, 1\)"):
        hierarchy.between(1, 0)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "demo: a hierarchy needs at least one row"),
        ([()], "demo: the first row has no columns"),
        (
            [("a", "*"), ("b",), ("c", "x", "*")],
            r"2 expected; row 2 \('b'\) has 1, row 3 \('c'\) has 3",
        ),
        (
            [("a", "*"), ("b", "*"), ("a", "*"), ("b", "*"), ("b", "*")],
            r"2 values came more than once: 'a' \(rows 1 and 3\), 'b' \(rows 2 and 4 and 5\)",
        ),
        (
            [("a", "x", "p", "*"), ("b", "x", "q", "*")],
            r"1 label splits: 'x' of level 1 is under 'p' \(row 1\) and under 'q' \(row 2\)",
        ),
        ([("a", "x"), ("b", "y")], "it has 2 labels: 'x', 'y'; add a last column"),
        (
            [("age", "top"), ("1", "*"), ("2", "*")],
            "row 1 alone has 'top': if it is a header, remove it",
        ),
        ([("a", "*", ""), ("b", "*", "")], "last column is empty in every row"),
    ],
)
def test_rows_that_are_no_tree(rows: Rows, message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        Hierarchy.from_rows(rows, name="demo")


def test_long_lists_of_offenders_are_counted() -> None:
    rows = [(str(value % 25), "*") for value in range(50)]
    with pytest.raises(HierarchyError, match=r"25 values .*'9' \(rows 10 and 35\), … and 15 more"):
        Hierarchy.from_rows(rows, name="demo")
    splits = [(str(value), str(value % 25), str(value), "*") for value in range(50)]
    with pytest.raises(HierarchyError, match=r"25 labels split: .*; … and 15 more"):
        Hierarchy.from_rows(splits, name="demo")


LEAVES = ("a", "b", "c")


@pytest.mark.parametrize(
    ("levels", "labels", "message"),
    [
        ([], [], "at least level 0"),
        ([[0, 1, 2], [0, 0, 0]], [LEAVES], "got 2 levels and labels for 1"),
        ([[0, 1, 2], [0, 0]], [LEAVES, ("*",)], "level 1 has codes of shape .*: 'c' without one"),
        ([[0, 1, 2], [0, 1, 0], [0, 0, 0]], [LEAVES, ("x", "y"), ("*",)], "breaks at 'c'"),
        ([[0, 1, 2], [1, 1, 1]], [LEAVES, ("*",)], "at level 1 this breaks at 'a'"),
        ([[0, 1, 2], [0, 2, 2], [0, 0, 0]], [LEAVES, ("x", "y"), ("*",)], "breaks at 'b'"),
        ([[0, 1, 2], [0, 0, 0]], [LEAVES, ("x", "y")], "1 block and 2 labels: 'x', 'y'"),
        (
            [[0, 1, 2], [0, 1, 1], [0, 0, 0]],
            [LEAVES, ("x", "x"), ("*",)],
            "more than one block: 'x'",
        ),
        ([[0, 0, 1], [0, 0, 0]], [("a", "c"), ("*",)], "joins 'b' to the leaf before"),
        ([[0, 1, 2], [0, 0, 0]], [("a", "b", "d"), ("*",)], "but it has 'd'"),
        (
            [[0, 1, 2], [0, 1, 1], [0, 0, 1], [0, 0, 0]],
            [LEAVES, ("x", "y"), ("p", "q"), ("*",)],
            "level 2 splits 1 block of level 1: 'y'",
        ),
        ([[0, 1, 2], [0, 1, 1]], [LEAVES, ("x", "y")], "it has 2 blocks: 'x', 'y'"),
    ],
)
def test_levels_that_are_no_tree(
    levels: list[list[int]], labels: list[tuple[str, ...]], message: str
) -> None:
    with pytest.raises(HierarchyError, match=message):
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
    with pytest.raises(HierarchyError, match="its domain is empty"):
        Hierarchy(domain=EmptyDomain(), levels=(), labels=())
