"""The median: what half of the rows reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.compare.comparator import number_text
from sfumato.compare.quality_index import UnaryIndex

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class Median(UnaryIndex):
    """The least value that at least half of the rows do not exceed."""

    name: ClassVar[str] = "example-median"
    reference: ClassVar[str] = "Galton 1881"

    def value(self, vector: PropertyVector) -> float:
        """Return the median of the rows; groups of rows share a value."""
        order = np.argsort(vector.values)
        reached = np.cumsum(vector.counts[order])
        half = np.searchsorted(2 * reached, reached[-1])
        return float(vector.values[order[half]])

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both medians."""
        return f"its median {pair.first.words} is {number_text(better)}, not {number_text(other)}"
