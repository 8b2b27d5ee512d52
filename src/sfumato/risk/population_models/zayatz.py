"""Population uniques by the sizes of the sample's classes (Zayatz 1991)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.risk.population_models.sample_classes import SampleClasses


def zayatz_uniques(sample: SampleClasses) -> float:
    """Return the expected number of population uniques: s_1 · Pr(unique | sample unique) / π.

    The classes of the population are taken to have the distribution of sizes that those of the
    sample have. A class of x people has one of them in the sample with the hypergeometric
    probability h(x), and Pr = s_1 h(1) / Σ_x s_x h(x).
    """
    uniques = sample.of_size(1)
    if not uniques:
        return 0.0
    population, people = round(sample.population), sample.people
    seen = math.fsum(
        many * _once(size, population, people)
        for size, many in zip(sample.sizes.tolist(), sample.times.tolist(), strict=True)
    )
    share = uniques * _once(1, population, people) / seen
    return uniques * share / sample.fraction


def _once(size: int, population: int, people: int) -> float:
    """Return the probability that exactly one of ``size`` people is drawn.

    It is size · C(N − size, n − 1) / C(N, n), by logarithms.
    """
    if people - 1 > population - size:
        return 0.0

    def choose(n: int, k: int) -> float:
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    return size * math.exp(choose(population - size, people - 1) - choose(population, people))
