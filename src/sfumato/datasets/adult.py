"""The Adult census extract as a study, with the set-up of the PBG paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import Suppression, limited
from sfumato.datasets.adult_file import adult_path, hierarchy_path
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.microdata.roles import insensitive, quasi_identifying, sensitive
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.measures.measure import Measure

QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
)
"""The quasi-identifiers of PBG Table 1(a) beside the salary class, in the table's order."""


def adult(
    path: str | Path | None = None,
    *,
    objectives: Sequence[Measure | str] = ("k", "loss"),
    suppression: Suppression | None = None,
    salary_as_label: bool = False,
) -> Study:
    """Return the Adult study of the PBG paper: 30,162 rows, occupation sensitive, 1 % limit.

    With the salary class as eighth quasi-identifier the lattice has 17,920 nodes; with
    ``salary_as_label`` it is the class label of the classification metric instead, and the
    lattice has 8,960 (PBG §7). The data are read from ``path``, from the file that the variable
    SFUMATO_ADULT names, from the cache, or downloaded (`sfumato.datasets.adult_file`).
    """
    attributes = [
        quasi_identifying(name, read_hierarchy_csv(hierarchy_path(name)))
        for name in QUASI_IDENTIFIERS
    ]
    if salary_as_label:
        attributes.append(insensitive("salary-class", label=True))
    else:
        attributes.append(
            quasi_identifying("salary-class", read_hierarchy_csv(hierarchy_path("salary-class")))
        )
    attributes.append(sensitive("occupation"))
    return Study(
        source=CsvFile(path=adult_path(path), delimiter=";", header=True, encoding="utf-8"),
        attributes=attributes,
        objectives=objectives,
        suppression=limited(0.01) if suppression is None else suppression,
    )
