"""Class tables grouped directly and rolled up, against dictionaries of the rows."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.generated_tables import (
    Generated,
    check_ascending,
    check_identical,
    check_sorted,
    classes_of,
    clustered,
    hierarchy,
    sorted_classes,
)

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import given_k, limited
from sfumato.errors import SourceError
from sfumato.measures.catalogue import measure
from sfumato.microdata.count_table import MOST_ROWS, Leaves

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy

SHAPES: dict[str, tuple[list[Hierarchy], int]] = {
    "one column": ([hierarchy(300, (10, 100))], 1),
    "one column of two leaves": ([hierarchy(2, ())], 1),
    "one column of one leaf": ([hierarchy(1, ())], 1),
    "only one-leaf domains": ([hierarchy(1, ()) for _ in range(70)], 2),
    "31 columns of two leaves": ([hierarchy(2, ()) for _ in range(31)], 1),
    "64 columns of two leaves": ([hierarchy(2, ()) for _ in range(64)], 1),
    "65 columns of two leaves": ([hierarchy(2, ()) for _ in range(65)], 2),
    "exactly 64 bits": ([hierarchy(256, (16,)) for _ in range(8)], 1),
    "one bit more than 64": ([hierarchy(256, (16,)) for _ in range(7)] + [hierarchy(257, ())], 2),
    "two words": ([hierarchy(200, (5, 50)) for _ in range(15)], 2),
    "three words": ([hierarchy(600, (7, 49)) for _ in range(15)], 3),
    "five words": ([hierarchy(300 + q, (4, 20, 100)[: 1 + q % 3]) for q in range(30)], 5),
    "mixed with one-leaf domains": (
        [hierarchy((1, 700, 1, 90, 3)[q % 5], (3,) if q % 2 else ()) for q in range(25)],
        2,
    ),
}


def generated(name: str, *, rows: int = 150, seed: int = 1) -> Generated:
    rng = np.random.default_rng(seed)
    trees = SHAPES[name][0]
    return Generated(
        hierarchies=trees,
        codes=clustered(rng, trees, rows),
        sensitive={
            "few": (3, rng.integers(0, 3, rows).astype(np.int32)),
            "many": (2000, rng.integers(0, 2000, rows).astype(np.int32)),
        },
        weights=rng.integers(1, 5, rows),
    )


def some_nodes(tables: ClassTables, count: int, seed: int = 2) -> list[tuple[int, ...]]:
    """The bottom, the top, and nodes near and far from them."""
    rng = np.random.default_rng(seed)
    heights = np.array(tables.lattice.heights)
    nodes = [tables.lattice.bottom, tables.lattice.top]
    for _ in range(count):
        share = rng.random()
        drawn = np.where(rng.random(heights.size) < share, heights, 0)
        nodes.append(tuple(np.minimum(drawn, rng.integers(0, heights + 1) + 1).tolist()))
    return nodes


@pytest.mark.parametrize("name", SHAPES)
def test_grouped_directly_equals_a_dictionary_of_the_rows(name: str) -> None:
    rows = generated(name)
    tables = ClassTables(table=rows.counted(), carries=("few", "many"))
    assert tables.layout.words == SHAPES[name][1]
    nodes = some_nodes(tables, 12)
    batch = tables.group(np.array(nodes))
    check_ascending(batch)
    for n, node in enumerate(nodes):
        assert classes_of(batch, n) == rows.classes(rows.at(node))


MANY_ROLL_UPS = ("words", "31 columns", "64 columns")
"""Shapes that take long; others have as many words and columns of two leaves."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if any(m in name for m in MANY_ROLL_UPS) else ())
        for name in SHAPES
    ],
)
def test_rolled_up_equals_a_dictionary_of_the_rows(name: str) -> None:
    rows = generated(name, rows=60, seed=3)
    tables = ClassTables(table=rows.counted(), carries=("many", "few"))
    assert tables.layout.words == SHAPES[name][1]
    for node in some_nodes(tables, 2):
        outer = tuple(node[q] for q in tables.outer_columns)
        batch = tables.sweep_batch(outer)
        check_ascending(batch)
        inner = [range(tables.lattice.heights[q] + 1) for q in tables.inner_columns]
        assert batch.recodings == np.prod([len(levels) for levels in inner])
        for n, levels in enumerate(itertools.product(*inner)):
            full = dict(zip(tables.outer_columns, outer, strict=True))
            full |= dict(zip(tables.inner_columns, levels, strict=True))
            chosen = tuple(full[q] for q in range(len(full)))
            assert tuple(batch.choices[n].tolist()) == chosen
            assert classes_of(batch, n) == rows.classes(rows.at(chosen))


@pytest.mark.parametrize("name", SHAPES)
def test_order_and_arrays_are_independent_of_the_path(name: str) -> None:
    rows = generated(name, rows=500, seed=4)
    tables = ClassTables(table=rows.counted(), carries=("few", "many"))
    for node in some_nodes(tables, 2):
        swept = tables.sweep_batch(tuple(node[q] for q in tables.outer_columns))
        check_identical(swept, tables.group(swept.choices))


def test_a_single_roll_up_step_from_any_finer_node() -> None:
    for name in ("one column", "two words", "five words"):
        rows = generated(name, rows=300, seed=5)
        tables = ClassTables(table=rows.counted(), carries=("few",))
        for fine, coarse in itertools.pairwise(some_nodes(tables, 6, seed=6)):
            node = tuple(map(max, fine, coarse))
            finer = tables.group(np.array([fine]))
            check_identical(tables.roll_up(finer, node), tables.group(np.array([node])))


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = generated("two words", rows=400)
    shuffle = np.random.default_rng(0).permutation(400)
    shuffled = Generated(
        hierarchies=rows.hierarchies,
        codes=rows.codes[:, shuffle],
        sensitive={n: (width, codes[shuffle]) for n, (width, codes) in rows.sensitive.items()},
        weights=rows.counts[shuffle],
    )
    nodes = np.array([(0,) * 15, (1,) * 15, (2,) * 15])
    one, other = (
        ClassTables(table=r.counted(), carries=("few", "many")).group(nodes)
        for r in (rows, shuffled)
    )
    check_identical(one, other)


def test_all_nodes_of_a_small_lattice_come_once_in_a_sweep() -> None:
    trees = [hierarchy(30, (2, 6)), hierarchy(4, (2,)), hierarchy(1, ()), hierarchy(2, ())]
    rng = np.random.default_rng(7)
    rows = Generated(hierarchies=trees, codes=clustered(rng, trees, 200))
    tables = ClassTables(table=rows.counted())
    found = [
        tuple(node)
        for outer in tables.outer_nodes()
        for node in tables.sweep_batch(outer).choices.tolist()
    ]
    assert sorted(found) == sorted(tables.lattice)


def test_a_lattice_of_one_node() -> None:
    trees = [hierarchy(1, ()), hierarchy(1, ())]
    rows = Generated(hierarchies=trees, codes=np.zeros((2, 9), dtype=np.int32))
    tables = ClassTables(table=rows.counted())
    batch = tables.sweep_batch(())
    assert (batch.recodings, batch.sizes.tolist()) == (1, [9])
    check_identical(batch, tables.group(np.array([[0, 0]])))


@pytest.mark.parametrize("carries", [(), ("few",), ("many",), ("many", "few"), ("few", "many")])
def test_what_is_carried_changes_nothing_else(carries: tuple[str, ...]) -> None:
    rows = generated("two words", rows=300)
    plain = ClassTables(table=rows.counted())
    tables = ClassTables(table=rows.counted(), carries=carries)
    outer = tuple(1 for _ in tables.outer_columns)
    batch, bare = tables.sweep_batch(outer), plain.sweep_batch(outer)
    check_identical(batch, tables.group(batch.choices))
    assert np.array_equal(batch.keys, bare.keys)
    assert np.array_equal(batch.sizes, bare.sizes)
    assert bare.carried.values.size == 0
    for name in carries:
        counts = batch.counts(name)
        assert np.array_equal(np.add.reduceat(counts.counts, counts.starts[:-1]), batch.sizes)


@pytest.mark.parametrize("width", [2, 40, 5000])
@pytest.mark.parametrize("rows", [40, 3000])
def test_carried_counts_dense_and_sparse(width: int, rows: int) -> None:
    # Many entries for few values are tallied, few entries of thousands of values are inserted;
    # at the top of a table of 3,000 rows even 5,000 values are tallied.
    rng = np.random.default_rng(width)
    trees = [hierarchy(12, (2, 6)), hierarchy(20, (4,)), hierarchy(3, ())]
    given_rows = Generated(
        hierarchies=trees,
        codes=clustered(rng, trees, rows, clusters=30),
        sensitive={
            "s": (width, rng.integers(0, width, rows).astype(np.int32)),
            "t": (7, rng.integers(0, 7, rows).astype(np.int32)),
        },
    )
    tables = ClassTables(table=given_rows.counted(), carries=("s", "t"))
    for outer in tables.outer_nodes():
        batch = tables.sweep_batch(outer)
        check_identical(batch, tables.group(batch.choices))
        for n in range(batch.recodings):
            assert classes_of(batch, n) == given_rows.classes(given_rows.at(batch.choices[n]))


def test_carried_leaves_are_the_rows_of_the_leaves() -> None:
    rows = generated("one column", rows=400)
    tables = ClassTables(table=rows.counted(), carries=(Leaves("q0"),))
    batch = tables.sweep_batch(())
    counts = batch.counts(Leaves("q0"))
    for n in range(batch.recodings):
        begin, end = counts.starts[batch.offsets[n]], counts.starts[batch.offsets[n + 1]]
        totals = np.zeros(300, dtype=np.int64)
        np.add.at(totals, counts.values[begin:end], counts.counts[begin:end])
        assert np.array_equal(totals, tables.table.marginal(Leaves("q0")))


@settings(max_examples=examples(60))
@given(st.data())
def test_grouping_equals_numpy_sorting(data: st.DataObject) -> None:
    shapes = data.draw(
        st.lists(
            st.tuples(st.integers(1, 400), st.lists(st.integers(2, 9), max_size=2)),
            min_size=1,
            max_size=20,
        )
    )
    trees = [
        hierarchy(leaves, np.cumprod(factors, dtype=np.int64).tolist())
        for leaves, factors in shapes
    ]
    rng = np.random.default_rng(data.draw(st.integers(0, 9999)))
    count = data.draw(st.sampled_from([1, 2, 15, 16, 17, 18, 300, 4095, 4096, 4097, 6000]))
    clusters = data.draw(st.sampled_from([1, 5, 6000]))
    rows = Generated(hierarchies=trees, codes=clustered(rng, trees, count, clusters=clusters))
    tables = ClassTables(table=rows.counted())
    node = tuple(data.draw(st.integers(0, tree.height)) for tree in trees)
    batch = tables.group(np.array([node, tables.lattice.bottom]))
    check_sorted(batch, 0)
    check_sorted(batch, 1)
    swept = tables.sweep_batch(tuple(node[q] for q in tables.outer_columns))
    check_sorted(swept, data.draw(st.integers(0, swept.recodings - 1)))
    check_identical(swept, tables.group(swept.choices))


@pytest.mark.parametrize("inner", [8, 1000, 4095, 4096, 4097, 20_000])
def test_rolling_up_a_column_before_the_last_merges_runs_of_any_length(inner: int) -> None:
    # Level 1 of the first column joins five runs of up to ``inner`` ascending keys each, so that
    # segments of all lengths are sorted: by insertion, by merging, by radix.
    trees = [hierarchy(10, (5,)), hierarchy(inner, (2, 4, 8))]
    rng = np.random.default_rng(inner)
    cells = np.flatnonzero(rng.random(10 * inner) < 0.7)
    codes = np.stack((cells // inner, cells % inner)).astype(np.int32)
    rows = Generated(hierarchies=trees, codes=codes)
    tables = ClassTables(table=rows.counted())
    assert tables.layout.order == (0, 1)
    assert tables.inner_columns == (0, 1)
    batch = tables.sweep_batch(())
    longest = max(int((batch.table.cell_codes[0] // 5 == block).sum()) for block in (0, 1))
    assert (longest > 4096) == (inner >= 4095)
    for n in range(batch.recodings):
        check_sorted(batch, n)
    check_identical(batch, tables.group(batch.choices))


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "leaves", "words"), [(3, 128, 1), (8, 512, 2)])
def test_millions_of_classes(columns: int, leaves: int, words: int) -> None:
    cells = 1_200_000
    rng = np.random.default_rng(8)
    trees = [hierarchy(leaves, (leaves // 4,)) for _ in range(columns)]
    if words == 1:
        numbers = rng.permutation(leaves**columns)[:cells]
        codes = np.stack([numbers // leaves**q % leaves for q in range(columns)])
    else:
        codes = rng.integers(0, leaves, (columns, cells))
    rows = Generated(
        hierarchies=trees,
        codes=codes.astype(np.int32),
        sensitive={"s": (5, rng.integers(0, 5, cells).astype(np.int32))},
        weights=rng.integers(1, 4, cells),
    )
    tables = ClassTables(table=rows.counted(), carries=("s",))
    assert tables.layout.words == words
    batch = tables.group(np.array([tables.lattice.bottom, tables.lattice.top]))
    assert batch.class_counts.tolist() == [cells, 1]
    check_sorted(batch, 0)
    swept = tables.sweep_batch((0,) * len(tables.outer_columns))
    assert swept.class_counts[0] == cells
    totals = np.add.reduceat(swept.sizes, swept.offsets[:-1])
    assert (totals == tables.table.rows).all()
    check_sorted(swept, 1)
    counts = swept.counts("s")
    assert np.array_equal(np.add.reduceat(counts.counts, counts.starts[:-1]), swept.sizes)
    for n in range(swept.recodings):
        begin, end = counts.starts[swept.offsets[n]], counts.starts[swept.offsets[n + 1]]
        values, weights = counts.values[begin:end], counts.counts[begin:end]
        sums = [int(weights[values == value].sum()) for value in range(5)]
        assert sums == tables.table.marginal("s").tolist()


def test_class_sizes_beyond_32_bits_stay_exact() -> None:
    big = 2**31 + 5
    rows = Generated(
        hierarchies=[hierarchy(4, (2,))],
        codes=np.array([[0, 1, 2, 3]], dtype=np.int32),
        sensitive={"s": (2, np.array([0, 1, 1, 1], dtype=np.int32))},
        weights=np.array([big, 3, 2, 2]),
    )
    tables = ClassTables(table=rows.counted(), carries=("s",))
    batch = tables.sweep_batch(())
    assert batch.sizes.tolist() == [big, 3, 2, 2, big + 3, 4, big + 7]
    candidates = Classes.of(batch)
    squares = [big**2 + 9 + 4 + 4, (big + 3) ** 2 + 16, (big + 7) ** 2]
    assert candidates.sum_kept(batch.sizes * batch.sizes).tolist() == squares
    assert measure("s-k").evaluate(candidates).tolist() == [float(s) for s in squares]
    assert measure("k").evaluate(candidates).tolist() == [2.0, 4.0, float(big + 7)]
    assert measure("s-l").evaluate(candidates).tolist() == [
        float(s) for s in (big**2 + 9 + 4 + 4, big**2 + 9 + 16, big**2 + 49)
    ]
    limit = Classes.of(batch, limited(7))
    assert limit.thresholds.tolist() == [big, big + 3, big + 7]
    assert limit.suppressed_rows.tolist() == [7, 4, 0]
    assert Classes.of(batch, given_k(2**31)).suppressed_rows.tolist() == [7, 4, 0]


def test_more_rows_than_squares_fit_are_refused() -> None:
    rows = Generated(
        hierarchies=[hierarchy(2, ())],
        codes=np.array([[0, 1]], dtype=np.int32),
        weights=np.array([MOST_ROWS - 1, 1]),
    )
    batch = ClassTables(table=rows.counted()).group(np.array([[1]]))
    assert measure("s-k").evaluate(Classes.of(batch)).tolist() == [float(MOST_ROWS**2)]
    assert MOST_ROWS**2 < 2**63 <= (MOST_ROWS + 1) ** 2
    too_many = Generated(
        hierarchies=rows.hierarchies, codes=rows.codes, weights=np.array([MOST_ROWS, 1])
    )
    with raises(SourceError, code="too-many-rows"):
        too_many.counted()


def test_the_judges_agree() -> None:
    rows = generated("three words", rows=300)
    batch = ClassTables(table=rows.counted()).group(np.array([(1,) * 15]))
    codes, sizes = sorted_classes(batch, (1,) * 15)
    found = {key: members["", ""] for key, members in rows.classes(rows.at((1,) * 15)).items()}
    by_column = np.empty_like(codes)
    by_column[list(batch.layout.order)] = codes
    assert found == dict(zip(map(tuple, by_column.T.tolist()), sizes.tolist(), strict=True))


def test_the_arrays_are_sealed() -> None:
    tables = ClassTables(table=generated("one column").counted(), carries=("few",))
    for batch in (tables.group(np.array([[1]])), tables.sweep_batch(())):
        arrays = (batch.choices, batch.offsets, batch.keys, batch.sizes)
        carried = (batch.carried.starts, batch.carried.values, batch.carried.counts)
        assert not any(array.flags.writeable for array in (*arrays, *carried))
