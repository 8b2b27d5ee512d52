"""Adult as the MOEA chapter has it: nine quasi-identifiers, four of them constrained (§1.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.datasets.adult_file import adult_path, hierarchy_path
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.microdata.roles import quasi_identifying
from sfumato.search.space import Space
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.classes.suppression import Suppression

QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
)
CONSTRAINED = frozenset({"workclass", "marital-status", "occupation", "native-country"})

AGE = Intervals(widths=(10, 20, 40), unit=5, low=10, high=90, origin=10)
"""§1.4.2: [10, 90] in units of 5, which is 15 bits."""


def moea_adult(
    path: str | Path | None = None,
    *,
    objectives: Sequence[str],
    suppression: Suppression,
    space: Space = Space.PARTITIONS,
) -> Study:
    """Return the chapter's study of Adult with some objectives.

    ``path`` names the Adult file, as in `sfumato.datasets.adult_file.adult_path`.
    """
    return Study(
        source=CsvFile(path=adult_path(path), delimiter=";", header=True, encoding="utf-8"),
        attributes=[
            quasi_identifying(
                name,
                AGE if name == "age" else read_hierarchy_csv(hierarchy_path(name)),
                constrained=name in CONSTRAINED,
            )
            for name in QUASI_IDENTIFIERS
        ],
        objectives=objectives,
        suppression=suppression,
        space=space,
    )
