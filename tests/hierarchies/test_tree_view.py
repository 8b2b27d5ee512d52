from __future__ import annotations

from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.hierarchies.builders import Flat, Prefixes
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.tree_view import tree_view


def test_repeated_only_children_are_drawn_once() -> None:
    rows = [
        ("Divorced", "Once married", "Once married", "*", "*"),
        ("Widowed", "Once married", "Once married", "*", "*"),
        ("Married", "Married", "Together", "*", "*"),
    ]
    assert tree_view(Hierarchy.from_rows(rows, name="demo")).splitlines() == [
        "* (3 leaves)",
        "├── Once married (2 leaves)",
        "│   ├── Divorced",
        "│   └── Widowed",
        "└── Together (1 leaf)",
        "    └── Married",
    ]


def test_long_lists_are_counted() -> None:
    zips = Prefixes(keep=(1,)).build([f"{value:02}" for value in range(30)], column="zip")
    assert tree_view(zips, most_children=2).splitlines() == [
        "* (30 leaves)",
        "├── 0* (10 leaves)",
        "│   ├── 00",
        "│   ├── 01",
        "│   └── … and 8 more",
        "├── 1* (10 leaves)",
        "│   ├── 10",
        "│   ├── 11",
        "│   └── … and 8 more",
        "└── … and 1 more (10 leaves)",
    ]


def test_exactly_the_most_children_are_all_drawn() -> None:
    view = tree_view(Flat(values=["a", "b"]).build([], column="letter"), most_children=2)
    assert view.splitlines() == ["* (2 leaves)", "├── a", "└── b"]


def test_one_leaf() -> None:
    assert tree_view(Hierarchy.from_rows([("only",)], name="demo")) == "only"
    assert tree_view(Hierarchy.from_rows([("*", "*")], name="demo")) == "*"


def test_most_children_is_checked() -> None:
    hierarchy = Flat(values=["a"]).build([], column="letter")
    with raises(SettingsError, code="out-of-range", key="most_children", found="0"):
        tree_view(hierarchy, most_children=0)
