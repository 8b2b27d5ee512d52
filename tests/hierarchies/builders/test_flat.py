from __future__ import annotations

from tests.raised import raises

from sfumato.errors import HierarchyError
from sfumato.hierarchies.builders import Flat


def test_values_and_a_top() -> None:
    hierarchy = Flat().build(["Male", "Female"], column="sex")
    assert hierarchy.labels == (("Female", "Male"), ("*",))
    assert hierarchy.height == 1


def test_declared_values_keep_their_order() -> None:
    hierarchy = Flat(values=["low", "middle", "high"]).build(["middle"], column="income")
    assert hierarchy.domain.leaves == ("low", "middle", "high")


def test_numbers_come_in_natural_order() -> None:
    assert Flat().build(["10", "9"], column="grade").domain.leaves == ("9", "10")


def test_errors_teach() -> None:
    with raises(HierarchyError, code="no-values", column="sex"):
        Flat().build([], column="sex")
    with raises(HierarchyError, code="value-not-in-hierarchy", column="sex"):
        Flat(values=["M", "F"]).build(["X"], column="sex")
    with raises(HierarchyError, code="duplicate", column="sex", key="values", found="'M'"):
        Flat(values=["M", "M"]).build([], column="sex")
