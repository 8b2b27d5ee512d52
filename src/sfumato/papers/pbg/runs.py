"""PBG-EA and the anytime search on Adult, for one set of objectives of the PBG paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.datasets.adult import adult
from sfumato.front.indicators.convergence_error import ConvergenceError, convergence_error
from sfumato.front.indicators.representation_ratio import representation_ratio
from sfumato.papers.reproduced import ReproducedTable
from sfumato.search.bounds.discretization import discretization
from sfumato.search.control import after_evaluations
from sfumato.search.methods.anytime.anytime import AnytimeSettings
from sfumato.search.methods.pbg_ea import PbgEaSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.front.front import Front
    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.search.result import SearchResult
    from sfumato.study.study import Study


@dataclass(frozen=True, kw_only=True, eq=False)
class PbgRuns:
    """The exact front, and what the runs of PBG-EA found of it."""

    asked: PaperSet
    study: Study
    true: Front
    epsilon: Mapping[str, float]
    results: tuple[SearchResult, ...]

    @property
    def nodes(self) -> int:
        """The size of the lattice."""
        return self.study.lattice.nodes

    @property
    def ratios(self) -> list[float]:
        """RR of every run."""
        return [self.ratio(result.front) for result in self.results]

    @property
    def errors(self) -> list[ConvergenceError]:
        """CE of every run."""
        return [convergence_error(result.front, self.true) for result in self.results]

    @property
    def evaluations(self) -> list[int]:
        """How many different nodes every run evaluated."""
        return [result.evaluated for result in self.results]

    def ratio(self, front: Front) -> float:
        """Return RR of a front."""
        return representation_ratio(front, self.true, epsilon=self.epsilon)


def pbg_runs(asked: PaperSet, conditions: Conditions) -> PbgRuns:
    """Search Adult exactly, and with PBG-EA under every seed, with the settings of the paper."""
    conditions.stage(f"{asked.text}: the exact front")
    study = adult(conditions.adult, objectives=asked.objectives, salary_as_label=asked.labelled)
    widths = dict(zip(asked.objectives, asked.widths or (), strict=False))
    epsilon = discretization(study.problem, widths)
    true = study.search(method="exact").front
    conditions.stage(f"{asked.text}: {conditions.runs} runs of PBG-EA")
    settings = PbgEaSettings(epsilon=epsilon)
    results = tuple(
        study.search(method="pbg-ea", settings=settings, seed=seed) for seed in conditions.seeds
    )
    return PbgRuns(asked=asked, study=study, true=true, epsilon=epsilon, results=results)


def longer_ratios(runs: PbgRuns, conditions: Conditions) -> list[float]:
    """Return RR of runs of PBG-EA that go on to the paper's number of evaluations."""
    conditions.stage(f"{runs.asked.text}: PBG-EA to {runs.asked.evaluations} evaluations")
    settings = PbgEaSettings(epsilon=runs.epsilon, iterations=1000)
    return [
        runs.ratio(
            runs.study.search(
                method="pbg-ea",
                settings=settings,
                seed=seed,
                should_stop=after_evaluations(runs.asked.evaluations),
            ).front
        )
        for seed in conditions.seeds
    ]


def anytime_run(
    runs: PbgRuns, conditions: Conditions, *, evaluations: int | None = None
) -> SearchResult:
    """Return what the anytime search has, after the paper's number of evaluations unless given.

    It draws nothing at random, so that there is one run. Where the paper has widths, it keeps an
    archive with them.
    """
    count = runs.asked.evaluations if evaluations is None else evaluations
    conditions.stage(f"{runs.asked.text}: the anytime search")
    epsilon = None if runs.asked.widths is None else runs.epsilon
    return runs.study.search(
        method="anytime",
        settings=AnytimeSettings(epsilon=epsilon),
        should_stop=after_evaluations(count),
    )


def mean(values: list[float] | list[int]) -> float:
    """Return the mean."""
    return float(np.mean(values))


def variance(values: list[float] | list[int]) -> float:
    """Return the variance, as the mean of the squared differences."""
    return float(np.var(values))


def means_table(
    name: str,
    columns: tuple[tuple[str, str], ...],
    sets: Sequence[PaperSet],
    row: Callable[[PaperSet, Conditions], tuple[Cell, ...]],
    conditions: Conditions,
) -> ReproducedTable:
    """Return a table of the paper with a row for each set of objectives."""
    return ReproducedTable(
        title=f"{name}: PBG-EA, mean of {conditions.runs} runs, beside the paper",
        columns=columns,
        rows=tuple(row(asked, conditions) for asked in sets),
    )
