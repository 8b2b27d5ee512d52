"""NSGA-II on Adult with the settings of the MOEA chapter, beside the exact front of the lattice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from sfumato.datasets.adult_file import adult_path, hierarchy_path
from sfumato.front.decisions.flat_regions import flat_regions
from sfumato.front.dominance import as_costs
from sfumato.front.indicators.hypervolume import hypervolume
from sfumato.front.indicators.objective_values import ObjectiveScale, values_of
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.microdata.roles import quasi_identifying
from sfumato.papers.plot import BLUE, ORANGE, require, scale_axes
from sfumato.papers.rank_sum_test import rank_sum_test
from sfumato.papers.reproduced import ReproducedTable
from sfumato.search.methods.nsga_ii import NsgaIISettings
from sfumato.search.space import Space
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from sfumato.classes.suppression import Suppression
    from sfumato.front.front import Front
    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.search.methods.nsga_ii import Start
    from sfumato.search.result import SearchResult


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

UNCONSTRAINED_BITS = 36
"""15 of age, 15 of education, 4 of race, and 1 each of sex and salary class."""


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


RUNS = 5
"""The chapter shows one run, and says that others did not differ significantly."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A way to run NSGA-II: how its rows are called, where it starts, how often bits are turned."""

    described: str
    start: Start
    mutation: float = 0.1


CHAPTER = Variant(described="random strings, as in the chapter", start="random")
"""What the figures show."""

VARIANTS = (
    CHAPTER,
    Variant(described="with the two ends of the space (our default)", start="ends"),
    Variant(described="with the exact front of the lattice", start="lattice"),
    Variant(
        described="random strings, 0.1 bits of a string turned in the mean",
        start="random",
        mutation=0.1 / UNCONSTRAINED_BITS,
    ),
)

REMARKS = (
    "The chapter's plots have no numbers to compare with, and its trees are not printed: ours are "
    "our own. It has 200 strings for 250 generations, as ours.",
    "The chapter says 'mutation rate = 0.1'. That each bit of an unconstrained column is turned "
    "with this probability is a reading; the last row has another, in which a string has 0.1 "
    "turned bits in the mean.",
    "'Weakly dominated' counts the points of the lattice's exact front for which NSGA-II has a "
    "solution that is at least as good in all objectives. Hypervolumes are on one scale for all "
    "fronts of the table.",
    "The tests compare the runs of two rows by their ranks, two-sided and exact; with 5 runs each, "
    "p is never below 0.008.",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MoeaRuns:
    """The exact front of the lattice, and what NSGA-II found from every kind of start."""

    study: Study
    lattice: SearchResult
    found: Mapping[Variant, tuple[SearchResult, ...]]

    @property
    def shown(self) -> Front:
        """The front that the figure shows: that of the first run from the chapter's start."""
        return self.found[CHAPTER][0].front


def moea_runs(
    objectives: Sequence[str], suppression: Suppression, conditions: Conditions
) -> MoeaRuns:
    """Search the lattice exactly, and the partitions with NSGA-II under every seed."""
    if conditions.runs > 1:
        require("scipy", purpose="The rank sum tests")
    conditions.stage("the exact front of the lattice")
    lattice = moea_adult(
        conditions.adult, objectives=objectives, suppression=suppression, space=Space.LATTICE
    ).search(method="exact")
    study = moea_adult(conditions.adult, objectives=objectives, suppression=suppression)
    found: dict[Variant, tuple[SearchResult, ...]] = {}
    for variant in VARIANTS:
        conditions.stage(f"{conditions.runs} runs of NSGA-II: {variant.described}")
        settings = NsgaIISettings(start=variant.start, mutation=variant.mutation)
        found[variant] = tuple(
            study.search(method="nsga-ii", settings=settings, seed=seed)
            for seed in conditions.seeds
        )
    return MoeaRuns(study=study, lattice=lattice, found=found)


def different_points(front: Front) -> int:
    """Return how many different points the solutions of a front have."""
    return len({tuple(solution.values.values()) for solution in front})


def weakly_dominated(points: Front, by: Front) -> int:
    """Return how many different points of a front are matched or beaten in all objectives."""
    directions = tuple(points.objectives.values())
    asked = as_costs(np.unique(values_of(points), axis=0), directions)
    others = as_costs(values_of(by), directions)
    return sum(bool((others <= point).all(axis=1).any()) for point in asked)


def fronts_table(runs: MoeaRuns) -> ReproducedTable:
    """Return sizes, volumes and dominance of all fronts, a row for each kind of start."""
    fronts = [result.front for results in runs.found.values() for result in results]
    exact = runs.lattice.front
    scale = ObjectiveScale.of(exact, *fronts)
    volume = hypervolume(exact, scale=scale)
    points = different_points(exact)
    rows: list[tuple[Cell, ...]] = [
        (
            "the lattice, exact",
            1,
            points,
            len(exact),
            runs.lattice.evaluated,
            volume,
            1.0,
            points,
            points,
            points,
            len(flat_regions(exact)),
        )
    ]
    for variant, results in runs.found.items():
        volumes = [hypervolume(result.front, scale=scale) for result in results]
        beaten = [weakly_dominated(exact, by=result.front) for result in results]
        rows.append(
            (
                f"NSGA-II, {variant.described}",
                len(results),
                _mean([different_points(result.front) for result in results]),
                _mean([len(result.front) for result in results]),
                _mean([result.evaluated for result in results]),
                _mean(volumes),
                _mean(volumes) / volume,
                points,
                _mean(beaten),
                min(beaten),
                _mean([len(flat_regions(result.front)) for result in results]),
            )
        )
    return ReproducedTable(
        title="Fronts: means of the runs",
        columns=(
            ("start", ""),
            ("runs", ","),
            ("points", ",.0f"),
            ("solutions", ",.0f"),
            ("evaluations", ",.0f"),
            ("hypervolume", ".4f"),
            ("to the lattice's", ".3f"),
            ("lattice points", ","),
            ("weakly dominated", ",.1f"),
            ("in the worst run", ","),
            ("flat regions", ".1f"),
        ),
        rows=tuple(rows),
    )


def tests_table(runs: MoeaRuns) -> ReproducedTable | None:
    """Return rank sum tests of the other rows against the chapter's; None of single runs.

    They compare hypervolumes, and how many points of the lattice's front are weakly dominated.
    """
    if len(runs.found[CHAPTER]) < 2:
        return None
    exact = runs.lattice.front
    fronts = [result.front for results in runs.found.values() for result in results]
    scale = ObjectiveScale.of(exact, *fronts)
    volumes = {
        variant: [hypervolume(result.front, scale=scale) for result in results]
        for variant, results in runs.found.items()
    }
    beaten = {
        variant: [float(weakly_dominated(exact, by=result.front)) for result in results]
        for variant, results in runs.found.items()
    }
    rows: list[tuple[Cell, ...]] = []
    for variant in VARIANTS[1:]:
        volume = rank_sum_test(volumes[variant], volumes[CHAPTER])
        points = rank_sum_test(beaten[variant], beaten[CHAPTER])
        rows.append(
            (
                variant.described,
                _mean(volumes[variant]) - _mean(volumes[CHAPTER]),
                1 - volume.lower,
                volume.p,
                _mean(beaten[variant]) - _mean(beaten[CHAPTER]),
                points.p,
            )
        )
    return ReproducedTable(
        title=f"Against {CHAPTER.described}: rank sum tests, two-sided",
        columns=(
            ("start", ""),
            ("difference of hypervolumes", "+.4f"),
            ("is the greater", ".2f"),
            ("p", ".2g"),
            ("difference of weakly dominated", "+.1f"),
            ("p ", ".2g"),
        ),
        rows=tuple(rows),
    )


def tables_of(runs: MoeaRuns) -> tuple[ReproducedTable, ...]:
    """Return the fronts, and their tests if there are several runs."""
    tests = tests_table(runs)
    return (fronts_table(runs),) if tests is None else (fronts_table(runs), tests)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


Points: TypeAlias = tuple[tuple[float, float], ...]


def draw_fronts(
    axes: Axes,
    found: Points,
    lattice: Points,
    *,
    legend: Literal["upper left", "lower right"] | None = None,
) -> None:
    """Draw the points of NSGA-II as dots, those of the exact front of the lattice as rings."""
    for points, marker, colour, size, name in (
        (lattice, "o", ORANGE, 6.5, "exact front of the lattice"),
        (found, ".", BLUE, 5, "NSGA-II, partitions"),
    ):
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            marker,
            color=colour,
            markersize=size,
            fillstyle="none" if marker == "o" else "full",
            label=name,
        )
    scale_axes(axes)
    if legend is not None:
        axes.legend(loc=legend)
