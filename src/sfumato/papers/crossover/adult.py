"""Adult as the Crossover paper has it: 15,000 rows, eight quasi-identifiers, 92 bits (§4)."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import given_k
from sfumato.datasets.adult_file import adult_path, hierarchy_path
from sfumato.hierarchies.builders.groups import Groups
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.microdata.roles import quasi_identifying
from sfumato.papers.crossover.paper import CONSTRAINED, QUASI_IDENTIFIERS, ROWS, K
from sfumato.search.space import Space
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from sfumato.microdata.roles import Attribute
    from sfumato.search.problem import Problem

SAMPLE_SEED = 2006
"""The paper does not say which rows it drew; with this seed ours are always the same."""

YOUNGEST = 20
"""The decades of age begin here, as in the domain {20, 30, …, 80} of §2.3."""

WORKCLASS = Groups(
    levels=(
        {
            "Self-employed": ("Self-emp-inc", "Self-emp-not-inc"),
            "Government": ("Federal-gov", "State-gov", "Local-gov"),
            "Private": ("Private",),
            "Unemployed": ("Without-pay", "Never-worked"),
        },
    )
)
"""Fig. 2: 8 leaves, the last of which no complete row has, 7 bits and 9 valid strings."""

AGE = Intervals(widths=(20, 40), unit=10, low=YOUNGEST, high=90, origin=YOUNGEST)


def crossover_problem(path: str | Path | None = None) -> Problem:
    """Return the paper's problem: the least GL + SL at k = 15 on 15,000 rows of Adult.

    The rows are drawn without replacement from the 30,162 complete ones. ``path`` names the Adult
    file, as in `sfumato.datasets.adult_file.adult_path`.
    """
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        sample = Path(folder) / "sample.csv"
        _write_sample(adult_path(path), sample)
        return Study(
            source=CsvFile(path=sample, delimiter=";", header=True, encoding="utf-8"),
            attributes=[_attribute(name) for name in QUASI_IDENTIFIERS],
            objectives=("loss",),
            suppression=given_k(K),
            space=Space.PARTITIONS,
        ).problem


def _attribute(name: str) -> Attribute:
    constrained = name in CONSTRAINED
    if name == "age":
        return quasi_identifying(name, AGE, constrained=constrained)
    if name == "workclass":
        return quasi_identifying(name, WORKCLASS, constrained=constrained)
    return quasi_identifying(
        name, read_hierarchy_csv(hierarchy_path(name)), constrained=constrained
    )


def _write_sample(source: Path, target: Path) -> None:
    """Write the drawn rows with the columns that count; who is younger than 20 counts as 20."""
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    rng = np.random.Generator(np.random.PCG64(SAMPLE_SEED))
    drawn = np.sort(rng.choice(len(rows), ROWS, replace=False)).tolist()
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";", lineterminator="\n")
        writer.writerow(QUASI_IDENTIFIERS)
        for place in drawn:
            row = {**rows[place], "age": str(max(YOUNGEST, int(rows[place]["age"])))}
            writer.writerow([row[name] for name in QUASI_IDENTIFIERS])
