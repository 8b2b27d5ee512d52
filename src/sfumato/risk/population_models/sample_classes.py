"""The class sizes of a sample, as the estimators of population uniqueness see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from sfumato.arrays import Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class SampleClasses:
    """How many classes of a sample have each size, and the share of the population in it.

    >>> sample = SampleClasses.of(np.array([1, 1, 3]), fraction=0.5)
    >>> sample.people, sample.classes, sample.of_size(1), sample.population
    (5, 3, 2, 10.0)
    """

    sizes: Counts
    times: Counts
    fraction: float

    @classmethod
    def of(cls, class_sizes: Counts, *, fraction: float) -> SampleClasses:
        """Count the sizes of some classes."""
        if not 0 < fraction <= 1:
            raise SettingsError(
                code="out-of-range",
                key="fraction",
                found=str(fraction),
                expected="a sampling fraction above 0 and up to 1",
            )
        sizes, times = np.unique(class_sizes[class_sizes > 0], return_counts=True)
        if not sizes.shape[0]:
            raise SettingsError(
                "there are no classes to estimate from", code="too-few", expected="some rows"
            )
        return cls(
            sizes=sizes.astype(np.int64), times=times.astype(np.int64), fraction=float(fraction)
        )

    @property
    def people(self) -> int:
        """The number of people of the sample: n."""
        return int((self.sizes * self.times).sum())

    @property
    def classes(self) -> int:
        """The number of classes of the sample: u."""
        return int(self.times.sum())

    @property
    def population(self) -> float:
        """The number of people of the population: N = n / fraction."""
        return self.people / self.fraction

    def of_size(self, size: int) -> int:
        """Return the number of classes of a size: s_i."""
        return int(self.times[self.sizes == size].sum())
