"""Identifying combinations and special uniques against naive versions over rows."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.risk.identifying.column_subsets import identifying_subsets
from sfumato.risk.identifying.counted_cells import CountedCells
from sfumato.risk.identifying.special_uniques import (
    data_intrusion_simulation,
    special_uniques,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = tuple[int, ...]
SHAPES = [(1, 1, 3), (12, 3, 2), (40, 4, 3), (60, 5, 4), (25, 6, 9), (80, 4, 400_000)]
"""Rows, columns and values: the last ones have more combinations than places, and are hashed."""


def random_rows(seed: int, shape: tuple[int, int, int]) -> list[Row]:
    many, columns, values = shape
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, values, size=(many, columns))
    # Some rows are almost others, so that columns single out rows together only.
    for place in range(1, many):
        if rng.random() < 0.5:
            rows[place] = rows[rng.integers(place)]
            rows[place, rng.integers(columns)] = rng.integers(values)
    return [tuple(row) for row in rows.tolist()]


def cells_of(rows: Sequence[Row]) -> CountedCells:
    counted = Counter(rows)
    return CountedCells(
        names=tuple(f"c{place}" for place in range(len(rows[0]))),
        codes=np.array(list(counted), dtype=np.int32).T,
        sizes=np.array(list(counted.values()), dtype=np.int64),
    )


def part(row: Row, columns: Sequence[int]) -> Row:
    return tuple(row[place] for place in columns)


def naive_minimal(rows: Sequence[Row], largest: int) -> dict[Row, list[tuple[int, ...]]]:
    """Return the minimal sample uniques of every row that has one."""
    found: dict[Row, list[tuple[int, ...]]] = {}
    for row in rows:
        for size in range(1, largest + 1):
            for columns in itertools.combinations(range(len(row)), size):
                agree = sum(part(other, columns) == part(row, columns) for other in rows)
                own = found.get(row, [])
                if agree == 1 and not any(set(less) < set(columns) for less in own):
                    found.setdefault(row, []).append(columns)
    return found


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_subsets_against_rows(seed: int, shape: tuple[int, int, int]) -> None:
    rows = random_rows(seed, shape)
    found = identifying_subsets(cells_of(rows), largest=3)
    wanted = [
        columns
        for size in range(1, min(3, len(rows[0])) + 1)
        for columns in itertools.combinations(range(len(rows[0])), size)
    ]
    assert [each.columns for each in found] == [tuple(f"c{c}" for c in cs) for cs in wanted]
    for each, columns in zip(found, wanted, strict=True):
        shown = [part(row, columns) for row in rows]
        counts = Counter(shown)
        told = sum(one != other for one, other in itertools.combinations(shown, 2))
        pairs = math.comb(len(rows), 2)
        assert each.distinct == len(counts)
        assert each.distinction == len(counts) / len(rows)
        assert each.separation == pytest.approx(told / pairs if pairs else 0.0)
        assert each.unique == sum(counts[one] == 1 for one in shown) / len(rows)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("largest", [None, 1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_special_uniques_against_rows(
    seed: int, largest: int | None, shape: tuple[int, int, int]
) -> None:
    rows = random_rows(seed, shape)
    columns = len(rows[0])
    most = columns if largest is None else min(largest, columns)
    wanted = naive_minimal(rows, most)

    def score(size: int) -> int:
        if most == columns:
            return math.factorial(columns - size)
        return math.prod(columns - i for i in range(size, most + 1))

    cells = cells_of(rows)
    found = special_uniques(cells, largest=largest)
    own = [tuple(row) for row in cells.codes[:, found.cells].T.tolist()]
    assert dict(zip(own, found.minimal.tolist(), strict=True)) == {
        row: len(sets) for row, sets in wanted.items()
    }
    assert dict(zip(own, found.scores.tolist(), strict=True)) == {
        row: sum(score(len(each)) for each in sets) for row, sets in wanted.items()
    }
    every = [each for sets in wanted.values() for each in sets]
    assert found.by_size == dict(Counter(len(each) for each in every))
    assert found.by_subset == {
        tuple(f"c{place}" for place in each): many for each, many in Counter(every).items()
    }
    total = sum(score(len(each)) for each in every)
    for place in range(columns):
        has = sum(score(len(each)) for each in every if place in each)
        assert found.by_column[f"c{place}"] == pytest.approx(has / total if total else 0.0)


def test_the_number_of_threads_does_not_matter() -> None:
    cells = cells_of(random_rows(7, (200, 6, 5)))
    one, two = (special_uniques(cells, threads=threads) for threads in (1, 2))
    assert one.scores.tolist() == two.scores.tolist()
    assert one.by_subset == two.by_subset
    assert identifying_subsets(cells, threads=1) == identifying_subsets(cells, threads=2)


def test_wide_columns_are_ranked_again_before_they_overflow() -> None:
    rng = np.random.default_rng(3)
    rows = [tuple(row) for row in rng.integers(0, 2**31 - 2, size=(30, 5)).tolist()]
    rows += [(*row[:4], 0) for row in rows[:10]]
    found = {each.columns: each for each in identifying_subsets(cells_of(rows), largest=5)}
    assert found["c0", "c1", "c2", "c3"].distinct == 30
    assert found["c0", "c1", "c2", "c3", "c4"].distinct == 40
    assert special_uniques(cells_of(rows)).by_size == {1: 20 * 5 + 10, 2: 4 * 10}


def test_a_match_with_a_unique_is_right_as_often_as_simulated() -> None:
    # Skinner & Elliot 2002: uniques that are copied, against pairs that lose one of them.
    assert data_intrusion_simulation(np.array([1] * 30 + [2] * 10 + [3]), 0.1) == pytest.approx(
        0.1 * 30 / (0.1 * 30 + 2 * 0.9 * 10)
    )
    assert data_intrusion_simulation(np.array([2, 2]), 0.1) == 0.0
    assert special_uniques(cells_of([(1, 2), (1, 1)]), fraction=1.0).dis == 1.0


@pytest.mark.parametrize("largest", [0, -2])
def test_sizes_of_combinations_that_are_none(largest: int) -> None:
    cells = cells_of([(1, 2), (3, 4)])
    with raises(SettingsError, code="out-of-range", key="largest", found=str(largest)):
        special_uniques(cells, largest=largest)
    with raises(SettingsError, code="out-of-range", key="largest", found=str(largest)):
        identifying_subsets(cells, largest=largest)


def test_too_many_combinations() -> None:
    cells = cells_of([tuple(range(60)), (0,) * 60])
    with raises(SettingsError, code="too-many", key="largest", found="4"):
        identifying_subsets(cells, largest=4)
