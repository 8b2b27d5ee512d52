"""Reducts and dependency against their definitions, on random tables."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.risk.dependency.attribute_dependency import attribute_dependency
from sfumato.risk.dependency.reducts import MOST_COLUMNS, reducts_of
from sfumato.testing.small_tables import small_tables

CODES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.tuples(*[st.integers(0, 2)] * columns), min_size=1, max_size=12, unique=True
    )
)


@settings(max_examples=examples(100))
@given(CODES)
def test_reducts_by_definition(rows: list[tuple[int, ...]]) -> None:
    """All sets of columns that make the classes of all, and of which no part does."""
    columns = range(len(rows[0]))
    names = [f"c{q}" for q in columns]

    def partition(chosen: tuple[int, ...]) -> set[frozenset[int]]:
        classes: dict[tuple[int, ...], set[int]] = {}
        for number, row in enumerate(rows):
            classes.setdefault(tuple(row[q] for q in chosen), set()).add(number)
        return set(map(frozenset, classes.values()))

    whole = partition(tuple(columns))
    subsets = [
        chosen
        for size in range(len(rows[0]) + 1)
        for chosen in itertools.combinations(columns, size)
    ]
    same = [set(chosen) for chosen in subsets if partition(chosen) == whole]
    minimal = [chosen for chosen in same if not any(other < chosen for other in same)]
    found = reducts_of(np.array(rows, dtype=np.int64), names)
    expected = {tuple(names[q] for q in sorted(chosen)) for chosen in minimal}
    assert set(found.reducts) == expected
    assert len(found.reducts) == len(expected)
    assert set(found.core) == set.intersection(*(set(reduct) for reduct in found.reducts))
    assert found.classes == len(whole)
    assert set(found.dispensable) == set(names) - set(found.core)
    assert list(map(len, found.reducts)) == sorted(map(len, found.reducts))


@settings(max_examples=examples(60))
@given(table=random_tables(most_identifiers=3), data=st.data())
def test_dependency_by_definition(table: RandomTable, data: st.DataObject) -> None:
    heights = table.heights
    levels = [data.draw(st.integers(0, height)) for height in heights]
    naive = table.naive
    names = [q.name for q in naive.identifiers]
    found = attribute_dependency(table.counted, dict(zip(names, levels, strict=True)))
    recoding = naive.node(levels)

    def entropy(values: list[str]) -> float:
        shares = [count / len(values) for count in Counter(values).values()]
        return -math.fsum(share * math.log2(share) for share in shares)

    for each in found.sensitive:
        values = [row[each.sensitive] for row in naive.rows]
        assert each.entropy == pytest.approx(entropy(values), abs=1e-12)
        for telling in (each.together, *each.alone, *each.without):
            groups: dict[tuple[str, ...], list[str]] = {}
            for row in naive.rows:
                key = tuple(recoding[name][row[name]] for name in telling.columns)
                groups.setdefault(key, []).append(row[each.sensitive])
            certain = sum(len(group) for group in groups.values() if len(set(group)) == 1)
            inside = math.fsum(len(group) * entropy(group) for group in groups.values())
            gain = entropy(values) - inside / len(values)
            assert telling.dependency == certain / len(values)
            assert telling.bits == pytest.approx(gain, abs=1e-12)
            assert 0 <= telling.share <= 1 + 1e-12
        assert [telling.columns for telling in each.alone] == [(name,) for name in names]


def test_too_many_dispensable_columns_are_refused() -> None:
    codes = np.repeat(np.arange(3)[:, None], MOST_COLUMNS + 1, axis=1)
    with raises(SettingsError, code="out-of-range", found=str(MOST_COLUMNS + 1)):
        reducts_of(codes, [f"c{q}" for q in range(MOST_COLUMNS + 1)])


def test_levels_must_exist() -> None:
    table = small_tables()[1]
    with raises(SettingsError, code="unknown-column", column="age"):
        attribute_dependency(table, {"age": 1})
    with raises(SettingsError, code="out-of-range", column="q0", found="99"):
        attribute_dependency(table, {"q0": 99})
