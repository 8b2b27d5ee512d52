"""All that is said of the risk of a table, with the estimates for its population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.risk.identifying.column_subsets import identifying_subsets
from sfumato.risk.identifying.special_uniques import special_uniques
from sfumato.risk.population_models.benedetti_franconi import individual_risks
from sfumato.risk.population_models.dankar import bootstrap_interval, population_uniques
from sfumato.risk.population_models.sample_classes import SampleClasses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.risk.assessment.exposed_table import ExposedTable
    from sfumato.risk.assessment.risk_distribution import RiskDistribution
    from sfumato.risk.identifying.column_subsets import IdentifyingSubset
    from sfumato.risk.identifying.special_uniques import SpecialUniques
    from sfumato.risk.population_models.dankar import PopulationUniques, UniquesInterval


@dataclass(frozen=True, kw_only=True)
class RiskSettings:
    """How a risk is assessed.

    Combinations of up to ``largest`` columns are counted, risks are told above ``thresholds``, and
    the interval of an estimate comes from ``draws`` of a bootstrap; 0 draws give none.
    """

    largest: int = 3
    thresholds: tuple[float, ...] = (0.05, 0.1, 0.2)
    draws: int = 100
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        for threshold in self.thresholds:
            if not 0 < threshold <= 1:
                raise SettingsError(
                    code="out-of-range",
                    key="threshold",
                    found=str(threshold),
                    expected="a probability above 0 and up to 1",
                )
        if self.draws < 0:
            raise SettingsError(
                code="out-of-range",
                key="draws",
                found=str(self.draws),
                expected="a number of draws, 0 for no interval",
            )


@dataclass(frozen=True, kw_only=True)
class IndividualRisk:
    """Estimated journalist risks: E(1 / F | f) of every row (Benedetti & Franconi 1998).

    F follows from sampling weights, or from a sampling fraction, where everybody stands for as
    many people. ``expected`` is the sum of the risks: the right links of an intruder who knows
    everybody.
    """

    highest: float
    mean: float
    expected: float
    above: Mapping[float, int]


@dataclass(frozen=True, kw_only=True)
class EstimatedUniques:
    """How many people are unique in the population, of ``population`` people, and how sure."""

    fraction: float
    population: float
    estimate: PopulationUniques
    interval: UniquesInterval | None


@dataclass(frozen=True, kw_only=True, eq=False)
class TableRisk:
    """The risk of a table: of the source before it is recoded, or of what is released of it.

    ``journalist`` needs a table of the population, ``uniques`` its size, and ``individual``, which
    estimates the journalist risk, its size or sampling weights; they are None where these are not
    known.
    """

    label: str
    rows: int
    suppressed: int
    classes: int
    prosecutor: RiskDistribution
    journalist: RiskDistribution | None
    subsets: tuple[IdentifyingSubset, ...]
    special: SpecialUniques
    uniques: EstimatedUniques | None
    individual: IndividualRisk | None


def table_risk(
    table: ExposedTable, *, population: float | None = None, settings: RiskSettings
) -> TableRisk:
    """Assess the risk of a table that was drawn from so large a ``population``."""
    estimated = population is not None and table.rows > 0
    fraction = int(table.units.sum()) / population if population else None
    return TableRisk(
        label=table.label,
        rows=table.rows,
        suppressed=table.suppressed,
        classes=int(table.cells.sizes.shape[0]),
        prosecutor=table.prosecutor,
        journalist=table.journalist,
        subsets=identifying_subsets(table.cells, largest=settings.largest, threads=settings.threads)
        if table.rows
        else (),
        special=special_uniques(
            table.cells, largest=settings.largest, fraction=fraction, threads=settings.threads
        ),
        uniques=_uniques(table, fraction, settings) if estimated and fraction else None,
        individual=_individual(table, fraction, settings),
    )


def _uniques(table: ExposedTable, fraction: float, settings: RiskSettings) -> EstimatedUniques:
    fraction = min(1.0, fraction)
    sample = SampleClasses.of(table.units, fraction=fraction)
    return EstimatedUniques(
        fraction=fraction,
        population=sample.population,
        estimate=population_uniques(sample),
        interval=bootstrap_interval(
            table.units, fraction=fraction, draws=settings.draws, seed=settings.seed
        )
        if settings.draws
        else None,
    )


def _individual(
    table: ExposedTable, fraction: float | None, settings: RiskSettings
) -> IndividualRisk | None:
    if not table.rows or (table.weights is None and not fraction):
        return None
    sizes = table.units
    weights = table.weights if table.weights is not None else sizes / min(1.0, fraction or 1.0)
    risks = individual_risks(sizes, weights)
    expected = float((risks * sizes).sum())
    return IndividualRisk(
        highest=float(risks.max()),
        mean=expected / int(sizes.sum()),
        expected=expected,
        above={
            threshold: int(sizes[np.greater(risks, threshold)].sum())
            for threshold in settings.thresholds
        },
    )
