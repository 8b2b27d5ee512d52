"""Columns of every kind: values of kept people, and those that one suppressed person can have.

A test releases the table once for each of these values and compares what is published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain

AGES = ("21", "24", "25", "33", "38", "38")
ZIPS = ("24126", "24127", "24300", "31000", "31500", "24126")
TOWNS = ("Bonn", "Köln", "Trier", "Ulm", "Bonn", "Köln")
DAYS = ("2024-01-01", "2024-01-15", "2024-02-01", "2024-03-31", "2025-01-01", "2024-01-15")
SOME_DAYS = ("2024-01-20", "1931-12-24", "2031-12-24", None, "2024-03-31", "2024-06-01")
MORE_AGES = ("97", "3", "25", None, "-7", "39")
MORE_ZIPS = ("1000000", "24128", "2", None, "24126", "x")
TREE = [
    ("Bonn", "West", "Land", "*"),
    ("Köln", "West", "Land", "*"),
    ("Trier", "West", "Land", "*"),
    ("Ulm", "Land", "Land", "*"),
    ("Aachen", "West", "Land", "*"),
    ("Zürich", "Alps", "Alps", "*"),
]


@dataclass(frozen=True, kw_only=True)
class TracedColumn:
    """A quasi-identifier: its hierarchy, what kept rows have, and what a suppressed one may have.

    ``level`` finds, in the hierarchy that was built, the level that is meant by a number.
    """

    name: str
    hierarchy: HierarchyBuilder | PartitionedDomain
    kept: tuple[str | None, ...]
    suppressed: tuple[str | None, ...]
    outputs: tuple[str, ...] = ("hierarchy", "set")
    level: Callable[[PartitionedDomain, int], int] = lambda hierarchy, asked: min(
        asked, hierarchy.height
    )


def from_the_top(hierarchy: PartitionedDomain, asked: int) -> int:
    """Return a level by its distance from the top: values of other lengths add levels below."""
    return max(0, hierarchy.height - 1 - asked) if asked else 0


def by_name(hierarchy: PartitionedDomain, asked: int) -> int:
    """Return a partition by its name."""
    assert isinstance(hierarchy, sf.AdmissiblePartitions)
    return hierarchy.names.index(("1.0", "1.1", "2.1", "1.2")[min(asked, 3)])


INTERVALS = ("hierarchy", "set", "interval")

TREES = (
    TracedColumn(
        name="town",
        hierarchy=sf.Flat(),
        kept=TOWNS,
        suppressed=("Aachen", "Zürich", "{Bonn, Köln}", None, "Bonn", "Dorf"),
    ),
    TracedColumn(
        name="size",
        hierarchy=sf.Flat(),
        kept=("1", "2", "3", "4", "2", "4"),
        suppressed=("x", "10", "2", None, "0", "2024-01-01"),
    ),
    TracedColumn(
        name="lacking",
        hierarchy=sf.Flat(),
        kept=("1", None, "3", "4", None, "4"),
        suppressed=("x", "10", "2", None, "0", "4"),
    ),
    TracedColumn(
        name="listed",
        hierarchy=sf.Flat(values=("Ulm", "Trier", "Köln", "Bonn", "Aachen")),
        kept=TOWNS,
        suppressed=("Aachen", "Bonn", None, "Ulm", "Köln", "Trier"),
    ),
    TracedColumn(
        name="zip",
        hierarchy=sf.Prefixes(),
        kept=ZIPS,
        suppressed=MORE_ZIPS,
        level=from_the_top,
    ),
    TracedColumn(name="area", hierarchy=sf.Prefixes(keep=(3, 1)), kept=ZIPS, suppressed=MORE_ZIPS),
    TracedColumn(
        name="five",
        hierarchy=sf.Prefixes(length=5),
        kept=ZIPS,
        suppressed=("24128", "99999", None, "24126", "00000", "3100x"),
    ),
    TracedColumn(
        name="codes",
        hierarchy=sf.Prefixes(values=(*dict.fromkeys(ZIPS), "24128", "999")),
        kept=ZIPS,
        suppressed=("24128", "999", None, "24126", "31000", "24300"),
    ),
    TracedColumn(
        name="age",
        hierarchy=sf.Intervals(widths=(5, 10, 40)),
        kept=AGES,
        suppressed=MORE_AGES,
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="years",
        hierarchy=sf.Intervals(widths=(5, 10), low=-10, high=100),
        kept=AGES,
        suppressed=MORE_AGES,
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="gaps",
        hierarchy=sf.Intervals(widths=(5, 10), low=-10, high=100),
        kept=("21", None, "25", "33", "38", None),
        suppressed=MORE_AGES,
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="dose",
        hierarchy=sf.Intervals(widths=(2, 4), fractional=True),
        kept=("1", "2.5", "3", "4", "7", "3"),
        suppressed=("0.25", "9", "20.5", None, "3", "-1"),
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="half",
        hierarchy=sf.Intervals(widths=(1, 5), unit=0.5, high=20),
        kept=("1", "2.5", "3", "4", "7", "3"),
        suppressed=("0.25", "9", "20", None, "3", "-1"),
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="day",
        hierarchy=sf.Dates(levels=("day", "month", "year")),
        kept=DAYS,
        suppressed=SOME_DAYS,
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="date",
        hierarchy=sf.Dates(levels=("month", "year"), first="1930-01-01", last="2040-12-31"),
        kept=DAYS,
        suppressed=SOME_DAYS,
        outputs=INTERVALS,
    ),
    TracedColumn(
        name="group",
        hierarchy=sf.Groups(
            levels=({"West": ["Bonn", "Köln", "Trier", "Aachen"], "South": ["Ulm", "Zürich"]},)
        ),
        kept=TOWNS,
        suppressed=("Aachen", "Zürich", None, "Bonn", "Ulm", "Trier"),
    ),
    TracedColumn(
        name="tree",
        hierarchy=sf.Hierarchy.from_rows(TREE, name="tree"),
        kept=TOWNS,
        suppressed=("Aachen", "Zürich", None, "Bonn", "Ulm", "Trier"),
    ),
)
"""Columns with hierarchies: by levels, by cuts and by classes."""

PARTITIONED = (
    TracedColumn(
        name="widths",
        hierarchy=sf.Alternatives(
            hierarchies=(sf.Intervals(widths=(5, 10)), sf.Intervals(widths=(7,)))
        ),
        kept=AGES,
        suppressed=("97", "3", "25", None, "120", "59"),
        level=by_name,
    ),
    TracedColumn(
        name="ways",
        hierarchy=sf.AdmissiblePartitions.of(
            {"first": ["a", "b", "a", "b", "a", "b"], "last": ["x", "x", "x", "y", "y", "y"]},
            values=["Bonn", "Köln", "Trier", "Ulm", "Aachen", "Zürich"],
            name="ways",
        ),
        kept=TOWNS,
        suppressed=("Aachen", "Zürich", None, "Bonn", "Ulm", "Trier"),
    ),
)
"""Columns with admissible partitions: by these alone."""
