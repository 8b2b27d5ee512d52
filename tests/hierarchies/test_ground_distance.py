from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import HierarchyError, SettingsError, SfumatoError
from sfumato.hierarchies.builders import Flat, Intervals
from sfumato.hierarchies.ground_distance import (
    EqualDistance,
    GroundDistance,
    HierarchicalDistance,
    OrderedDistance,
)
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.missing import MISSING_LABEL, MissingPolicy, MissingValues
from sfumato.microdata.roles import quasi_identifying, sensitive

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable


ILLNESSES = Hierarchy.from_rows(
    [("flu", "lungs", "*"), ("asthma", "lungs", "*"), ("ulcer", "stomach", "*")], name="ill.csv"
)


def counted(
    distance: GroundDistance | None,
    *values: str | None,
    missing: MissingValues | None = None,
) -> CountTable:
    grouped = GroupedCounts.of_rows({"sex": ["F"] * len(values), "ill": list(values)})
    roles = [quasi_identifying("sex", Flat()), sensitive("ill", ground_distance=distance)]
    return build_count_table(grouped, roles, missing=missing, where="people.csv")


@pytest.mark.parametrize("distance", [None, EqualDistance()])
def test_equal_distance_takes_the_values_that_occur(distance: GroundDistance | None) -> None:
    table = counted(distance, "b", "a", None, "b")
    assert table.columns["ill"].values == (MISSING_LABEL, "a", "b")
    assert table.marginal("ill").tolist() == [1, 1, 2]


def test_an_order_is_the_domain() -> None:
    order = ("low", "middle", "high")
    table = counted(OrderedDistance(order=order), "high", "low", "low")
    assert table.columns["ill"].values == order
    assert table.marginal("ill").tolist() == [2, 0, 1]


def test_numbers_have_their_order() -> None:
    table = counted(OrderedDistance(), "10", "9", "-1.5", "1e2", "9")
    assert table.columns["ill"].values == ("-1.5", "9", "10", "1e2")
    assert table.marginal("ill").tolist() == [1, 2, 1, 1]


def test_a_hierarchy_is_the_domain() -> None:
    table = counted(HierarchicalDistance(hierarchy=ILLNESSES), "ulcer", "flu", "flu")
    assert table.columns["ill"].values == ("flu", "asthma", "ulcer")
    assert table.marginal("ill").tolist() == [2, 0, 1]


def test_a_hierarchy_finds_values_as_it_does_for_quasi_identifiers() -> None:
    # "39.0" is the leaf "39", and every value of an interval is in its leaf.
    numbers = Hierarchy.from_rows([("38", "*"), ("39", "*")], name="numbers")
    table = counted(HierarchicalDistance(hierarchy=numbers), "39", "39.0", "38")
    assert table.marginal("ill").tolist() == [1, 2]
    units = Intervals(low=0, high=19, unit=5, widths=(10,)).build([], column="ill")
    table = counted(HierarchicalDistance(hierarchy=units), "0", "4", "7", "19")
    assert table.marginal("ill").tolist() == [2, 1, 0, 1]


def test_missing_values_join_the_others_only_at_the_top() -> None:
    table = counted(HierarchicalDistance(hierarchy=ILLNESSES), "flu", None)
    column = table.columns["ill"]
    assert column.values == ("flu", "asthma", "ulcer", MISSING_LABEL)
    assert isinstance(column.ground_distance, HierarchicalDistance)
    assert column.ground_distance.hierarchy.levels[1].tolist() == [0, 0, 1, 2]
    assert table.marginal("ill").tolist() == [1, 0, 0, 1]


def test_missing_values_have_a_place_in_an_order_if_it_lists_them() -> None:
    order = (MISSING_LABEL, "1", "2")
    assert counted(OrderedDistance(order=order), "2", None).marginal("ill").tolist() == [1, 0, 1]
    dropped = MissingValues(policy=MissingPolicy.DROP)
    table = counted(OrderedDistance(), "2", "1", None, missing=dropped)
    assert table.columns["ill"].values == ("1", "2")
    for distance in (OrderedDistance(), OrderedDistance(order=("1", "2"))):
        with raises(SettingsError, code="missing-values", file="people.csv", column="ill"):
            counted(distance, "2", None)


@pytest.mark.parametrize(
    ("distance", "values", "kind", "code"),
    [
        (
            HierarchicalDistance(hierarchy=ILLNESSES),
            ("flu", "Ulcer"),
            HierarchyError,
            "value-not-in-hierarchy",
        ),
        (
            OrderedDistance(order=("1", "2")),
            tuple(map(str, range(1, 20))),
            SettingsError,
            "value-not-in-order",
        ),
        (OrderedDistance(), ("1", "two", "nan"), SettingsError, "not-a-number"),
        (OrderedDistance(), ("1", "1.0"), SettingsError, "equal-numbers"),
    ],
)
def test_values_outside(
    distance: GroundDistance, values: tuple[str, ...], kind: type[SfumatoError], code: str
) -> None:
    with raises(kind, code=code, file="people.csv", column="ill"):
        counted(distance, *values)


def test_orders_that_make_no_sense() -> None:
    with raises(SettingsError, code="duplicate", key="order", found="'a'"):
        OrderedDistance(order=("a", "b", "a"))
    with raises(SettingsError, code="no-values", key="order"):
        OrderedDistance(order=())
    with raises(SettingsError, code="not-a-list", key="order", found="'low'"):
        OrderedDistance(order="low")  # type: ignore[arg-type]
    assert OrderedDistance(order=["a", "b"]).order == ("a", "b")  # type: ignore[arg-type]
