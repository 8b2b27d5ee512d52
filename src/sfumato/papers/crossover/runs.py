"""The settings of GENITOR that the Crossover paper compares, run once each."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import given_k
from sfumato.datasets.adult_file import adult_path
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.roles import quasi_identifying
from sfumato.papers.crossover.kept_trials import kept_trials
from sfumato.papers.crossover.trees import tree_of_column
from sfumato.papers.plot import require
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.space import Space
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.microdata.roles import Attribute
    from sfumato.papers.crossover.trees import Trees
    from sfumato.papers.crossover.trials import Trials
    from sfumato.papers.reproduced import Conditions
    from sfumato.search.methods.genitor.settings import Operator, Start
    from sfumato.search.problem import Problem


QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
)
CONSTRAINED = frozenset({"workclass", "education", "marital-status", "native-country"})

ROWS = 15_000
K = 15
UNCONSTRAINED_BITS, CONSTRAINED_BITS = 24, 68
LOG_OF_SPACE = 42
"""The space has "a size on the order of 2^42"; without constraints it would be 2^92."""

POPULATIONS = (200, 500, 1000)
IYENGAR = 5_000
"""Iyengar's population, which §5 expects to converge "much slower"."""

EVALUATIONS = 30_000
TRIALS = 15
"""§4; the caption of fig. 4 says 20."""


SAMPLE_SEED = 2006
"""The paper does not say which rows it drew; with this seed ours are always the same."""

YOUNGEST = 20
"""The decades of age begin here, as in the domain {20, 30, …, 80} of §2.3."""

AGE = Intervals(widths=(20, 40), unit=10, low=YOUNGEST, high=90, origin=YOUNGEST)


def crossover_problem(path: str | Path | None = None, *, trees: Trees = "deep") -> Problem:
    """Return the paper's problem: the least GL + SL at k = 15 on 15,000 rows of Adult.

    The rows are drawn without replacement from the 30,162 complete ones. ``trees`` are our own,
    which are deep, or flat ones, with which the space is as large as the paper's. ``path`` names
    the Adult file, as in `sfumato.datasets.adult_file.adult_path`.
    """
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        sample = Path(folder) / "sample.csv"
        _write_sample(adult_path(path), sample)
        return Study(
            source=CsvFile(path=sample, delimiter=";", header=True, encoding="utf-8"),
            attributes=[_attribute(name, trees) for name in QUASI_IDENTIFIERS],
            objectives=("loss",),
            suppression=given_k(K),
            space=Space.PARTITIONS,
        ).problem


def _attribute(name: str, trees: Trees) -> Attribute:
    return quasi_identifying(
        name,
        AGE if name == "age" else tree_of_column(name, trees if name in CONSTRAINED else "deep"),
        constrained=name in CONSTRAINED,
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


@dataclass(frozen=True, kw_only=True)
class CrossoverRuns:
    """A problem, and the trials of every setting in the order that was asked for."""

    problem: Problem
    trials: tuple[Trials, ...]


def genitor_setting(
    operator: Operator, population: int, *, start: Start, duplicates: bool = False
) -> GenitorSettings:
    """Return the paper's settings with one of its operators and populations, and a start."""
    return GenitorSettings(
        operator=operator,
        population=population,
        evaluations=EVALUATIONS,
        start=start,
        duplicates=duplicates,
    )


def crossover_runs(
    settings: Sequence[GenitorSettings], conditions: Conditions, *, trees: Trees = "deep"
) -> CrossoverRuns:
    """Run all trials of every setting; what compares them needs scipy, so that it must be there."""
    require("scipy", purpose="The rank sum tests")
    conditions.stage("counting 15,000 rows of Adult")
    problem = crossover_problem(conditions.adult, trees=trees)
    found = []
    for each in settings:
        duplicates = ", duplicates allowed" if each.duplicates else ""
        conditions.stage(
            f"{each.operator.upper()}, population {each.population:,}, start {each.start!r}"
            f"{duplicates}: {conditions.runs} trials of {each.evaluations:,} evaluations"
        )
        found.append(kept_trials(problem, each, conditions.seeds, folder=conditions.keep))
    return CrossoverRuns(problem=problem, trials=tuple(found))
