"""Comparison, Tables 1 to 3: ten people, two 3-anonymous and one 4-anonymous generalization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.papers.comparison.people import (
    PEOPLE,
    interval,
    marital_hierarchy,
    zip_hierarchy,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def candidates(age_width: int, age_low: int, zip_level: int, marital_level: int) -> Classes:
    """Count the ten people and generalize them; the tables use three different age intervals."""
    ages = [(a, interval(int(a), age_low, age_width), "*") for a in sorted(p[1] for p in PEOPLE)]
    zips, years, states = zip(*PEOPLE, strict=True)
    rows = {"zip": zips, "age": years, "marital": states, "status": states}
    table = build_count_table(
        GroupedCounts.of_rows(rows),
        [
            quasi_identifying("zip", zip_hierarchy()),
            quasi_identifying("age", Hierarchy.from_rows(ages, name="age")),
            quasi_identifying("marital", marital_hierarchy()),
            sensitive("status"),
        ],
    )
    tables = ClassTables(table=table, carries=("status",))
    return Classes.of(tables.group(np.array([[zip_level, 1, marital_level]])))


T3A = candidates(10, 25, 1, 1)
T3B = candidates(20, 15, 2, 1)
T4 = candidates(20, 20, 3, 2)


def metric(text: str, of: Classes) -> float:
    return float(measure(text).evaluate(of)[0])


@pytest.mark.parametrize(
    ("generalized", "vector"),
    [
        (T3A, (3, 3, 3, 3, 4, 4, 4, 3, 3, 4)),
        (T3B, (3, 7, 7, 3, 7, 7, 7, 3, 7, 7)),
        (T4, (4, 6, 4, 4, 6, 6, 6, 4, 6, 6)),
    ],
    ids=["T3a", "T3b", "T4"],
)
def test_class_sizes(generalized: Classes, vector: Sequence[int]) -> None:
    by_class = sorted(size for size in generalized.batch.sizes for _ in range(size))
    assert by_class == sorted(vector)
    assert metric("k", generalized) == min(vector)
    assert metric("s-k", generalized) == sum(vector)
    assert metric("weighted-k", generalized) == sum(vector) / 10


def test_mean_class_size_of_t3a() -> None:
    assert metric("weighted-k", T3A) == 3.4


def test_own_value_counts_of_t3a() -> None:
    # The vector of the paper is (2,2,1,2,2,1,2,1,2,1): row 10 is the only Separated of its class.
    assert metric("s-l", T3A) == sum((2, 2, 1, 2, 2, 1, 2, 1, 2, 1))


def test_the_class_with_two_of_three_alike() -> None:
    assert metric("frequency-l", T3A) == 1.5
    assert metric("distinct-l", T3A) == 2
