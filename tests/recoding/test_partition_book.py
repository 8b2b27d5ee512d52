"""Partitions that are not levels: the same metrics as an equivalent level."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.generated_tables import Generated, classes_of, clustered, hierarchy

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import BELOW_WEIGHTED_K, Threshold, given_k, limited
from sfumato.errors import SettingsError
from sfumato.measures.catalogue import every_measure
from sfumato.microdata.count_table import Leaves
from sfumato.recoding.partition_book import PartitionBook

TREES = [hierarchy(12, (2, 6)), hierarchy(300, (3, 30)), hierarchy(1, ()), hierarchy(2, ())]


def rows_of(seed: int, count: int = 120) -> Generated:
    rng = np.random.default_rng(seed)
    return Generated(
        hierarchies=TREES,
        codes=clustered(rng, TREES, count),
        sensitive={"s": (4, rng.integers(0, 4, count).astype(np.int32))},
        weights=rng.integers(1, 4, count),
    )


def maker(rows: Generated) -> ClassTables:
    table = rows.counted()
    carries = dict.fromkeys(column for m in every_measure(table) for column in m.carries(table))
    return ClassTables(table=table, carries=tuple(carries))


def test_blocks_by_hand() -> None:
    book = PartitionBook.of_partitions(
        [np.array([0, 0, 1, 1, 1]), np.array([0, 1, 2, 3, 4])],
        np.array([10, 0, 1, 2, 3]),
    )
    assert (book.pages, book.leaves) == (2, 5)
    assert book.block_sizes.tolist() == [[2, 3, 0, 0, 0], [1, 1, 1, 1, 1]]
    assert book.block_rows.tolist() == [[10, 6, 0, 0, 0], [10, 0, 1, 2, 3]]
    assert book.extents.tolist() == [10 * 1 + 6 * 2, 0]


def test_the_levels_of_a_hierarchy_are_pages() -> None:
    book = PartitionBook.of_levels(TREES[0], np.ones(12, dtype=np.int64))
    assert book.pages == 4
    for level in range(4):
        sizes = book.block_sizes[level]
        assert sizes[sizes > 0].tolist() == TREES[0].block_sizes(level).tolist()


@pytest.mark.parametrize(
    "suppression",
    [
        limited(0.1),
        limited(0.3, threshold=Threshold.EVERY),
        given_k(3),
        BELOW_WEIGHTED_K,
    ],
    ids=lambda s: f"{s.policy}-{s.threshold}",
)
def test_partitions_that_are_levels_give_the_metrics_of_the_levels(
    suppression: object,
) -> None:
    tables = maker(rows_of(1))
    # The levels of every column in another order, as partitions.
    orders = [np.random.default_rng(q).permutation(tree.height + 1) for q, tree in enumerate(TREES)]
    books = tuple(
        PartitionBook.of_partitions(
            [tree.levels[level] for level in order], tables.table.marginal(Leaves(f"q{q}"))
        )
        for q, (tree, order) in enumerate(zip(TREES, orders, strict=True))
    )
    pages = np.array(list(np.ndindex(*(book.pages for book in books))))
    nodes = np.stack([order[pages[:, q]] for q, order in enumerate(orders)], axis=1)
    by_pages = tables.group(pages, books=books)
    by_levels = tables.group(nodes)
    assert by_pages.books == books
    for name in ("offsets", "keys", "sizes"):
        assert np.array_equal(getattr(by_pages, name), getattr(by_levels, name))
    one, other = (Classes.of(b, suppression) for b in (by_pages, by_levels))  # type: ignore[arg-type]
    assert np.array_equal(one.thresholds, other.thresholds)
    for measure in every_measure(tables.table):
        if measure.name not in {"height", "precision"}:  # the measures that are about levels
            assert np.array_equal(measure.evaluate(one), measure.evaluate(other)), measure.name


@settings(max_examples=examples(30))
@given(st.integers(0, 9999))
def test_any_partitions_equal_a_dictionary_of_the_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rows_of(seed, 60)
    tables = ClassTables(table=rows.counted(), carries=("s",))
    partitions = [
        [np.cumsum(rng.random(tree.leaf_count) < rng.random()).astype(np.int32) for _ in range(3)]
        for tree in TREES
    ]
    partitions = [[blocks - blocks[0] for blocks in pages] for pages in partitions]
    books = tuple(
        PartitionBook.of_partitions(pages, tables.table.marginal(Leaves(f"q{q}")))
        for q, pages in enumerate(partitions)
    )
    choices = rng.integers(0, 3, (8, len(TREES)))
    batch = tables.group(choices, books=books)
    for n, chosen in enumerate(choices):
        blocks = [pages[page] for pages, page in zip(partitions, chosen, strict=True)]
        assert classes_of(batch, n) == rows.classes(blocks)
        for q, of in enumerate(blocks):
            leaves = Counter(of.tolist())
            inside = slice(int(batch.offsets[n]), int(batch.offsets[n + 1]))
            expected = [leaves[code] - 1 for code in batch.codes(q, inside).tolist()]
            extents = batch.block_extents(q, np.arange(inside.start, inside.stop))
            assert extents.tolist() == expected


@pytest.mark.parametrize(
    ("partitions", "code", "found"),
    [
        ([[0, 0, 1, 1]], "wrong-length", "(1, 4)"),
        ([[0, 1, 3]], "out-of-range", "0 to 3"),
        ([[0, 0, 0], [-1, 0, 1]], "out-of-range", "-1 to 1"),
    ],
)
def test_partitions_that_are_none_teach(partitions: list[list[int]], code: str, found: str) -> None:
    with raises(SettingsError, code=code, found=found):
        PartitionBook.of_partitions(
            [np.array(blocks, dtype=np.int32) for blocks in partitions], np.ones(3, dtype=np.int64)
        )


@pytest.mark.parametrize(
    ("choices", "code", "found"),
    [
        ([[0, 0, 0, 9]], "out-of-range", "(0, 0, 0, 9)"),
        ([[0, 0, 0, 0], [0, -1, 0, 0]], "out-of-range", "(0, -1, 0, 0)"),
        ([[0, 0]], "wrong-length", "(1, 2)"),
        ([0, 0, 0, 0], "wrong-length", "(4,)"),
    ],
)
def test_recodings_that_do_not_exist_teach(choices: list[object], code: str, found: str) -> None:
    tables = ClassTables(table=rows_of(2).counted())
    with raises(SettingsError, code=code, found=found):
        tables.group(np.array(choices))


def test_books_of_other_columns_teach() -> None:
    tables = ClassTables(table=rows_of(2).counted())
    with raises(SettingsError, code="other-columns", key="books"):
        tables.group(np.array([[0, 0, 0, 0]]), books=tables.level_books[::-1])
