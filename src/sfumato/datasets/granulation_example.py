"""Granulation, figs 1 and 3: the eleven people of the running example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.arrays import sealed_codes
from sfumato.hierarchies.domains.category_domain import CategoryDomain
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.microdata.roles import Attribute, identifying, quasi_identifying, sensitive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

COLUMNS = ("ID", "D.O.B.", "ZIP", "Height", "Income", "Health")

PEOPLE = (
    ("u1", "24/09/56", "24126", "161", "400K", "1"),
    ("u2", "06/09/56", "24129", "167", "300K", "1"),
    ("u3", "30/09/56", "24133", "163", "300K", "1"),
    ("u4", "23/03/56", "10427", "160", "300K", "0"),
    ("u5", "18/03/56", "10431", "165", "100K", "2"),
    ("u6", "05/03/56", "10466", "168", "100K", "2"),
    ("u7", "20/04/55", "26015", "175", "400K", "2"),
    ("u8", "18/04/55", "26032", "170", "300K", "1"),
    ("u9", "09/04/55", "26617", "173", "100K", "0"),
    ("u10", "01/04/55", "26628", "171", "400K", "0"),
    ("u11", "23/04/55", "26328", "176", "400K", "0"),
)
"""Fig. 1. Health is normal (0), slightly ill (1) or seriously ill (2)."""

FIGURE_2 = {"D.O.B.": 1, "ZIP": 3, "Height": 2}
"""The recoding τ = (mm/yy, d1d2***, I_10) of §3.2 and fig. 2, as levels of the hierarchies.

Levels are numbered as §4.3 numbers the admissible partitions: its code is (1, 3, 2).
"""


def _of_levels(
    values: Sequence[str],
    *,
    order: Callable[[str], object],
    labels: Sequence[Callable[[str], str]],
) -> Hierarchy:
    """Return the hierarchy of values in their order, with a function for every level's label."""
    leaves = sorted(set(values), key=order)  # type: ignore[arg-type]
    named = [leaves, *([label(leaf) for leaf in leaves] for label in labels)]
    blocks = [list(dict.fromkeys(names)) for names in named]
    return Hierarchy(
        domain=CategoryDomain(values=tuple(leaves), ordered=True),
        levels=tuple(
            sealed_codes([of.index(name) for name in names])
            for of, names in zip(blocks, named, strict=True)
        ),
        labels=tuple(map(tuple, blocks)),
    )


def _column(name: str) -> list[str]:
    return [person[COLUMNS.index(name)] for person in PEOPLE]


def birth_hierarchy() -> Hierarchy:
    """Return the dates of birth, earliest first: dd/mm/yy, mm/yy, yy, all."""
    return _of_levels(
        _column("D.O.B."),
        order=lambda day: day.split("/")[::-1],
        labels=(lambda day: day[3:], lambda day: day[6:], lambda _: TOP),
    )


def zip_hierarchy() -> Hierarchy:
    """Return the ZIP codes with their last digits starred, one after another: d1d2d3d4d5 to all.

    >>> zip_hierarchy().labels[3]
    ('10***', '24***', '26***')
    """

    def starred(kept: int) -> Callable[[str], str]:
        return lambda code: code[:kept] + "*" * (5 - kept)

    return _of_levels(_column("ZIP"), order=str, labels=[starred(kept) for kept in (4, 3, 2, 1, 0)])


def height_hierarchy() -> Hierarchy:
    """Return the heights in intervals: I_1, I_5, I_10, I_20, all.

    All heights of the table lie in one interval of I_20, which is a level of its own all the same.

    >>> height_hierarchy().labels[2:]
    (('[160, 170)', '[170, 180)'), ('[160, 180)',), ('*',))
    """

    def interval(width: int) -> Callable[[str], str]:
        def label(height: str) -> str:
            low = int(height) // width * width
            return f"[{low}, {low + width})"

        return label

    return _of_levels(
        _column("Height"),
        order=int,
        labels=(interval(5), interval(10), interval(20), lambda _: TOP),
    )


def granulation_attributes() -> list[Attribute]:
    """Return the roles of the columns, with the admissible partitions of fig. 3 as hierarchies.

    The domains are the values of the table, as the metrics of the paper's measures need it.
    """
    return [
        identifying("ID"),
        quasi_identifying("D.O.B.", birth_hierarchy()),
        quasi_identifying("ZIP", zip_hierarchy(), statistic="median"),
        quasi_identifying("Height", height_hierarchy()),
        sensitive("Income"),
        sensitive("Health"),
    ]


def write_granulation_example(path: Path) -> None:
    """Write fig. 1 as a CSV file."""
    lines = (",".join(row) for row in (COLUMNS, *PEOPLE))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
