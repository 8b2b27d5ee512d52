"""Which estimate of population uniqueness to trust (Dankar et al. 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.population_models.pitman import pitman_uniques
from sfumato.risk.population_models.sample_classes import SampleClasses
from sfumato.risk.population_models.slide_negative_binomial import (
    slide_negative_binomial_uniques,
)
from sfumato.risk.population_models.zayatz import zayatz_uniques

if TYPE_CHECKING:
    from sfumato.arrays import Counts

_LARGEST_FOR_PITMAN = 0.1


@dataclass(frozen=True, kw_only=True)
class PopulationUniques:
    """Estimates of how many people are unique in the population; None where there is none.

    ``chosen`` names the one to trust: Pitman's up to a sampling fraction of 0.1, the smaller one of
    the others beyond that; another where it has no estimate.
    """

    pitman: float | None
    zayatz: float
    slide_negative_binomial: float | None
    chosen: str

    @property
    def uniques(self) -> float:
        """The estimate that was chosen."""
        found = {
            "pitman": self.pitman,
            "zayatz": self.zayatz,
            "slide-negative-binomial": self.slide_negative_binomial,
        }[self.chosen]
        assert found is not None, "only an estimate is chosen"
        return found


def population_uniques(sample: SampleClasses) -> PopulationUniques:
    """Return all estimates and the choice between them."""
    pitman = pitman_uniques(sample)
    zayatz = zayatz_uniques(sample)
    snb = slide_negative_binomial_uniques(sample)
    chosen = "zayatz" if snb is None or zayatz <= snb else "slide-negative-binomial"
    if sample.fraction <= _LARGEST_FOR_PITMAN and pitman is not None:
        chosen = "pitman"
    return PopulationUniques(
        pitman=pitman, zayatz=zayatz, slide_negative_binomial=snb, chosen=chosen
    )


@dataclass(frozen=True, kw_only=True)
class UniquesInterval:
    """Between which numbers so large a share of the bootstrap estimates lies."""

    low: float
    high: float
    level: float
    draws: int


def bootstrap_interval(
    class_sizes: Counts, *, fraction: float, draws: int = 200, level: float = 0.95, seed: int = 0
) -> UniquesInterval:
    """Return an interval of the chosen estimate, by drawing as many people again with replacement.

    A sample with replacement has fewer uniques than the one that it is drawn from. So the interval
    is the basic one: the estimate, less the deviations of the draws from their own mean.
    """
    sizes = class_sizes[class_sizes > 0]
    rng = np.random.default_rng(seed)
    people = int(sizes.sum())
    found = np.array(
        [
            population_uniques(
                SampleClasses.of(rng.multinomial(people, sizes / people), fraction=fraction)
            ).uniques
            for _ in range(draws)
        ]
    )
    estimate = population_uniques(SampleClasses.of(sizes, fraction=fraction)).uniques
    low, high = np.quantile(found - found.mean(), [(1 - level) / 2, (1 + level) / 2])
    most = people / fraction
    return UniquesInterval(
        low=float(max(0.0, estimate - high)),
        high=float(min(most, estimate - low)),
        level=level,
        draws=draws,
    )
