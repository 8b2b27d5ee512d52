"""Adult with nine quasi-identifiers and finer hierarchies: over 200,000 or 1,000,000 nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import limited
from sfumato.datasets.adult import QUASI_IDENTIFIERS
from sfumato.datasets.adult_file import hierarchy_path
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.roles import quasi_identifying
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def refined(hierarchy: Hierarchy, *, name: str, at: Sequence[int]) -> Hierarchy:
    """Insert a level above each level of ``at`` that pairs neighbouring blocks of one parent."""
    rows = []
    for leaf in range(hierarchy.leaf_count):
        row = []
        for level in range(hierarchy.height + 1):
            row.append(hierarchy.labels[level][hierarchy.levels[level][leaf]])
            if level in at:
                parent = hierarchy.levels[level + 1]
                block = int(hierarchy.levels[level][leaf])
                siblings = sorted(
                    {
                        int(b)
                        for b, p in zip(hierarchy.levels[level], parent, strict=True)
                        if p == parent[leaf]
                    }
                )
                pair = siblings.index(block) // 2
                label = hierarchy.labels[level + 1][parent[leaf]]
                row.append(f"{label} / {level} / {pair + 1}")
        rows.append(row)
    return Hierarchy.from_rows(rows, name=name)


FINER: dict[str, tuple[int, ...]] = {
    "education": (0,),
    "marital-status": (0,),
    "native-country": (0, 1),
    "occupation": (0,),
}
"""Above which levels another one is put: 224,000 nodes."""

FINEST: dict[str, tuple[int, ...]] = {
    **FINER,
    "workclass": (0, 1),
    "education": (0, 1),
    "marital-status": (0, 1),
    "native-country": (0, 1, 2),
    "occupation": (0, 1, 2),
    "race": (0,),
}
"""The same with more levels: 1,161,216 nodes."""


def finer_adult(
    path: Path,
    objectives: Sequence[str] = ("k", "loss"),
    *,
    inserted: dict[str, tuple[int, ...]] = FINER,
) -> Study:
    """Return the study; occupation is a quasi-identifier in it."""
    attributes = [
        quasi_identifying("age", Intervals(widths=(2, 4, 8, 16, 32, 64), low=17, high=90))
    ]
    for name in (*QUASI_IDENTIFIERS[1:], "salary-class", "occupation"):
        hierarchy = read_hierarchy_csv(hierarchy_path(name))
        attributes.append(
            quasi_identifying(name, refined(hierarchy, name=name, at=inserted.get(name, ())))
        )
    return Study(
        source=CsvFile(path=path, delimiter=";", header=True),
        attributes=attributes,
        objectives=objectives,
        suppression=limited(0.01),
    )
