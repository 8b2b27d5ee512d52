"""Adult with eight quasi-identifiers and hierarchies as long as ARX's: 4,320 nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import Suppression, limited
from sfumato.datasets.adult import QUASI_IDENTIFIERS
from sfumato.datasets.adult_file import hierarchy_path
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.microdata.roles import Attribute

LEFT_OUT: dict[str, tuple[int, ...]] = {
    "age": (4, 5),
    "workclass": (1,),
    "marital-status": (1,),
    "native-country": (1, 3),
}
"""The levels that the hierarchies of the package have beyond those that come with ARX."""


def without_levels(hierarchy: Hierarchy, left_out: Sequence[int], *, name: str) -> Hierarchy:
    """Return a hierarchy without some of its levels."""
    levels = [level for level in range(hierarchy.height + 1) if level not in left_out]
    rows = [
        [hierarchy.labels[level][hierarchy.levels[level][leaf]] for level in levels]
        for leaf in range(hierarchy.leaf_count)
    ]
    return Hierarchy.from_rows(rows, name=name)


def coarser_adult(
    path: Path,
    objectives: Sequence[str] = ("k", "loss"),
    *,
    suppression: Suppression | None = None,
) -> Study:
    """Return the study: the lattice on which ARX's k-loss curve was measured."""
    attributes: list[Attribute] = []
    for name in (*QUASI_IDENTIFIERS, "salary-class"):
        hierarchy = read_hierarchy_csv(hierarchy_path(name))
        attributes.append(
            quasi_identifying(name, without_levels(hierarchy, LEFT_OUT.get(name, ()), name=name))
        )
    attributes.append(sensitive("occupation"))
    return Study(
        source=CsvFile(path=path, delimiter=";", header=True),
        attributes=attributes,
        objectives=objectives,
        suppression=limited(0.01) if suppression is None else suppression,
    )
