"""The minimality attack where several values can fail a recoding: tables drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.arrays import Counts, Flags, Floats


@dataclass(frozen=True, kw_only=True)
class GroupedClass:
    """A released class: the sizes of its groups in a finer recoding, and the rows of each value."""

    sizes: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def most(self) -> int:
        """The rows of the most frequent value."""
        return max(self.values)


@dataclass(frozen=True, kw_only=True)
class SampledPosteriors:
    """The greatest probability of a value in every group of every class.

    ``error`` is three standard errors of such a probability.
    """

    greatest: tuple[tuple[float, ...], ...]
    error: float


def sampled_posteriors(
    classes: Sequence[GroupedClass],
    *,
    most_share: Fraction,
    least: int,
    draws: int,
    rng: np.random.Generator,
) -> SampledPosteriors | None:
    """Deal out the values of every class over its people, and keep the tables that fail somewhere.

    Classes are independent, so that each is drawn by itself: with P_c the probability that class
    c meets the finer recoding, the posterior of a value in a group of c is
    (prior − E[share · met] Π_{d≠c} P_d) / (1 − Π_d P_d). Groups below ``least`` are suppressed and
    fail nothing. None if the finer recoding is met in all tables that were drawn.
    """
    met, means = [], []
    for each in classes:
        share, mean = _drawn(each, most_share, least, draws, rng)
        met.append(share)
        means.append(mean)
    fine = float(np.prod(met))
    if fine >= 1:
        return None
    greatest, weights = [], [0.0]
    for number, each in enumerate(classes):
        others = float(np.prod([share for place, share in enumerate(met) if place != number]))
        weights.append(others)
        prior = np.array(each.values) / sum(each.values)
        posterior = (prior - means[number] * others) / (1 - fine)
        greatest.append(tuple(posterior.max(axis=1).tolist()))
    error = 3 * 0.5 / draws**0.5 * max(weights) / (1 - fine)
    return SampledPosteriors(greatest=tuple(greatest), error=error)


def _drawn(
    each: GroupedClass, most_share: Fraction, least: int, draws: int, rng: np.random.Generator
) -> tuple[float, Floats]:
    """Return how often a class meets the finer recoding, and E[share · met] by group and value."""
    sizes = np.array(each.sizes, dtype=np.int64)
    values = np.repeat(np.arange(len(each.values)), each.values)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    most: Counts = np.array(
        [size if size < least else int(size * most_share) for size in each.sizes], dtype=np.int64
    )
    dealt = rng.permuted(np.broadcast_to(values, (draws, values.shape[0])), axis=1)
    counts = np.stack(
        [
            np.add.reduceat((dealt == value).astype(np.int32), starts, axis=1)
            for value in range(len(each.values))
        ],
        axis=2,
    )
    fits: Flags = np.asarray((counts <= most[:, np.newaxis]).all(axis=(1, 2)))
    mean: Floats = counts[fits].sum(axis=0) / draws / sizes[:, np.newaxis]
    return float(fits.mean()), mean
