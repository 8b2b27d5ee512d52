from __future__ import annotations

import itertools
import math
import random
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

import sfumato as sf
from sfumato.front.dominance import dominates
from sfumato.measures.measure import Direction
from sfumato.search.points import Points

if TYPE_CHECKING:
    from collections.abc import Sequence

Row: TypeAlias = tuple[tuple[int, ...], int, int, tuple[float, ...]]

DIRECTIONS = {"k": Direction.HIGHER, "loss": Direction.LOWER}


def points_of(rows: Sequence[Row]) -> Points:
    """Return points of (levels, threshold, suppressed, values)."""
    return Points(
        levels=np.array([row[0] for row in rows]),
        thresholds=np.array([row[1] for row in rows]),
        suppressed=np.array([row[2] for row in rows]),
        values=np.array([row[3] for row in rows], dtype=np.float64),
    )


ROWS: list[Row] = [
    ((1, 0), 2, 0, (2.0, 0.5)),
    ((0, 0), 1, 0, (1.0, 0.0)),
    ((0, 2), 2, 3, (2.0, 0.5)),
    ((1, 2), 5, 1, (5.0, math.inf)),
    ((1, 1), 1, 1, (1.0, 0.75)),
    ((1, 0), 3, 4, (2.0, 0.5)),
]


def front_of(rows: Sequence[Row]) -> sf.Front:
    return points_of(rows).front(("age", "zip"), tuple(DIRECTIONS), tuple(DIRECTIONS.values()))


FRONT = front_of(ROWS)


def test_a_part_of_a_front_has_the_ids_of_the_whole() -> None:
    part = sf.Front(objectives=FRONT.objectives, solutions=FRONT.solutions[2:])
    assert part[3] is FRONT[3]
    with raises(sf.SettingsError, code="unknown-solution", found="0"):
        part[0]


def test_solutions_are_ordered_by_values_then_levels_then_threshold() -> None:
    assert [(tuple(s.levels.values()), s.threshold) for s in FRONT] == [
        ((0, 0), 1),
        ((0, 2), 2),
        ((1, 0), 2),
        ((1, 0), 3),
        ((1, 2), 5),
    ]
    assert [s.id for s in FRONT] == [0, 1, 2, 3, 4]
    assert len(FRONT) == 5
    assert FRONT[3] == FRONT.solutions[3]


def test_the_same_points_in_any_order_are_the_same_front() -> None:
    for order in itertools.permutations(ROWS, len(ROWS)):
        assert front_of(order) == FRONT


@given(st.integers(0, 10**6))
def test_a_front_never_dominates_itself_and_misses_nothing(seed: int) -> None:
    rng = random.Random(seed)
    rows = [((i, 0), 1, 0, (float(rng.randrange(5)), float(rng.randrange(5)))) for i in range(30)]
    front = front_of(rows)
    directions = list(front.objectives.values())
    values = [np.array(list(solution.values.values())) for solution in front]
    for one, other in itertools.product(values, repeat=2):
        assert not dominates(one, other, directions)
    inside = {solution.levels["age"] for solution in front}
    for levels, _, _, metrics in rows:
        beaten = any(dominates(value, np.array(metrics), directions) for value in values)
        assert (levels[0] in inside) != beaten


def test_columns() -> None:
    assert FRONT.columns() == {
        "id": [0, 1, 2, 3, 4],
        "k": [1.0, 2.0, 2.0, 2.0, 5.0],
        "loss": [0.0, 0.5, 0.5, 0.5, math.inf],
        "suppressed": [0, 3, 0, 4, 1],
        "threshold": [1, 2, 2, 3, 5],
        "level:age": [0, 0, 1, 1, 1],
        "level:zip": [0, 2, 0, 0, 2],
    }


def test_pandas_and_polars_tables_have_the_same_columns_and_values() -> None:
    in_pandas, in_polars = FRONT.to_pandas(), FRONT.to_polars()
    assert list(in_pandas.columns) == in_polars.columns == list(FRONT.columns())
    for name, values in FRONT.columns().items():
        assert in_pandas[name].tolist() == in_polars[name].to_list() == values
        whole = name not in FRONT.objectives
        assert in_pandas[name].dtype == (np.int64 if whole else np.float64)
        assert in_polars[name].dtype.is_integer() == whole


def test_an_empty_front() -> None:
    empty = sf.Front(objectives=DIRECTIONS, solutions=())
    assert len(empty) == 0
    assert list(empty) == []
    columns = ["id", "k", "loss", "suppressed", "threshold"]
    assert list(empty.to_pandas().columns) == empty.to_polars().columns == columns
    assert empty.to_pandas().empty
    assert empty.to_polars().is_empty()
    with raises(sf.SettingsError, code="unknown-solution", key="id", found="0"):
        empty[0]
    nothing = Points.none(2, 2).front(("age", "zip"), ("k", "loss"), tuple(DIRECTIONS.values()))
    assert nothing == empty


@pytest.mark.parametrize("wrong", [5, -1, 10**30, True, 1.5, "1", slice(0, 2)])
def test_a_wrong_id_teaches(wrong: int) -> None:
    with raises(sf.SettingsError, code="unknown-solution", key="id"):
        FRONT[wrong]


def test_an_id_from_a_table_works() -> None:
    assert FRONT[FRONT.to_pandas()["id"].iloc[2]].id == 2
