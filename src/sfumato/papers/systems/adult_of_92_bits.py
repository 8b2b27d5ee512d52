"""Adult with the quasi-identifiers of the Crossover paper, whose partitions have 92 bits."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.classes.suppression import given_k
from sfumato.datasets.adult_file import adult_path, hierarchy_path
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.measures.catalogue import measure
from sfumato.microdata.roles import Attribute, insensitive, quasi_identifying
from sfumato.papers.crossover.runs import AGE, CONSTRAINED, QUASI_IDENTIFIERS, YOUNGEST
from sfumato.papers.crossover.trees import WORKCLASS
from sfumato.search.space import Space
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

LABEL = "salary-class"


def adult_of_92_bits(objective: str, k: int, path: str | Path | None = None) -> Problem:
    """Return the problem of the least loss, dm or cm at a k on all rows, with the class label.

    ``path`` names the Adult file, as in `sfumato.datasets.adult_file.adult_path`.
    """
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        table = Path(folder) / "adult.csv"
        _write(adult_path(path), table)
        return Study(
            source=CsvFile(path=table, delimiter=";", header=True, encoding="utf-8"),
            attributes=[*map(_attribute, QUASI_IDENTIFIERS), insensitive(LABEL, label=True)],
            objectives=(measure(objective),),
            suppression=given_k(k),
            space=Space.PARTITIONS,
        ).problem


def _attribute(name: str) -> Attribute:
    constrained = name in CONSTRAINED
    if name == "age":
        return quasi_identifying(name, AGE, constrained=constrained)
    if name == "workclass":
        return quasi_identifying(name, WORKCLASS, constrained=constrained)
    tree = read_hierarchy_csv(hierarchy_path(name))
    return quasi_identifying(name, tree, constrained=constrained)


def _write(source: Path, target: Path) -> None:
    """Write the columns that count; who is younger than 20 counts as 20."""
    names = (*QUASI_IDENTIFIERS, LABEL)
    with (
        source.open(encoding="utf-8", newline="") as file,
        target.open("w", encoding="utf-8", newline="") as written,
    ):
        writer = csv.writer(written, delimiter=";", lineterminator="\n")
        writer.writerow(names)
        for row in csv.DictReader(file, delimiter=";"):
            age = str(max(YOUNGEST, int(row["age"])))
            writer.writerow([age if name == "age" else row[name] for name in names])
