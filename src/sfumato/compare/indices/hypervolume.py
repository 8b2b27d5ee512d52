"""P_hv: the volume of the vectors that only this one dominates (Comparison §5.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.compare.comparator import number_text
from sfumato.compare.quality_index import QualityIndex
from sfumato.compare.vectors.exact_sum import is_whole, shifted
from sfumato.compare.vectors.power_product import power_product_sign
from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.compare.vectors.common_refinement import CommonRefinement
    from sfumato.compare.vectors.property_vector import PropertyVector

_ROUNDING = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, kw_only=True)
class Hypervolume(QualityIndex):
    """P_hv(D₁, D₂) = Π d_i¹ - Π min(d_i¹, d_i²); the common part plays no role in a comparison.

    Products over all rows overflow, so the index values are ln Π d_i and the margin is the
    logarithm of the ratio of the volumes. Whole numbers are compared exactly all the same, as
    products of powers of integers. Values are counted from ``origin`` in the better direction:
    by default from 0 up where higher is better, and from the worst possible value down where
    lower is (upper bound - value). One row at the origin makes the whole volume 0.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> s = PropertyVector.of_rows([3, 3, 3, 5, 5, 5, 5, 5], name="class-size", label="S")
    >>> t = PropertyVector.of_rows([4] * 8, name="class-size", label="T")
    >>> verdict = Hypervolume().compare(s, t)
    >>> verdict.outcome, math.isclose(math.exp(verdict.margin), 3**3 * 5**5 / 4**8)
    (<Outcome.BETTER: 'better'>, True)
    """

    name: ClassVar[str] = "hypervolume"
    reference: ClassVar[str] = "Comparison §5.4 (P_hv)"

    origin: float | None = None

    def __post_init__(self) -> None:
        if self.origin is not None and not math.isfinite(self.origin):
            raise SettingsError(
                f"origin of {self.name!r} is {self.origin}",
                code="not-a-number",
                found=str(self.origin),
                expected="a finite number",
            )

    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return the logarithms of both volumes; minus infinity for a volume of 0."""
        first, second = pair.first, pair.second
        return (
            _log_volume(self._heights(pair, first), first.counts),
            _log_volume(self._heights(pair, second), second.counts),
        )

    def margin(self, pair: CommonRefinement) -> float:
        """Return the logarithm of the ratio of the volumes, what both share cancelled first."""
        first, second = self.values(pair)
        if math.isinf(first) or math.isinf(second):
            return 0.0 if first == second else first - second
        return math.fsum(self._log_terms(pair))

    def sign(self, pair: CommonRefinement) -> float:
        """Compare whole numbers exactly, others by logarithms up to their rounding."""
        first, second = self.values(pair)
        if math.isinf(first) or math.isinf(second):
            return 0.0 if first == second else first - second
        heights, powers = self._powers(pair)
        if is_whole(heights):
            return power_product_sign(dict(zip(heights.tolist(), powers.tolist(), strict=True)))
        terms = self._log_terms(pair)
        total = math.fsum(terms)
        return total if abs(total) > _ROUNDING * math.fsum(map(abs, terms)) else 0.0

    def normalized(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return P_hv of both as shares of the volume that either dominates."""
        first, second = self.values(pair)
        greater = max(first, second)
        if math.isinf(greater):
            return 0.0, 0.0
        lower = np.minimum(
            self._heights(pair, pair.first)[pair.first_groups],
            self._heights(pair, pair.second)[pair.second_groups],
        )
        common = math.exp(min(0.0, _log_volume(lower, pair.counts) - greater))
        ours, theirs = math.exp(first - greater), math.exp(second - greater)
        either = ours + theirs - common
        return max(0.0, ours - common) / either, max(0.0, theirs - common) / either

    def _origin(self, pair: CommonRefinement) -> float | int:
        if self.origin is not None:
            return int(self.origin) if float(self.origin).is_integer() else self.origin
        if pair.direction is Direction.HIGHER:
            return 0
        worst = [vector.worst for vector in (pair.first, pair.second)]
        if worst[0] is None or worst[1] is None:
            raise SettingsError(
                f"lower values of {pair.first.name!r} are better, so that its hypervolume is "
                "counted from an upper bound, which is not known",
                code="missing-parameter",
                remedy="set it: Hypervolume(origin=…)",
            )
        return max(worst[0], worst[1])

    def _heights(self, pair: CommonRefinement, vector: PropertyVector) -> Counts | Floats:
        """Return how far the values of a vector are above the origin, or below where lower wins."""
        origin = self._origin(pair)
        heights = shifted(vector.values, origin)
        if pair.direction is Direction.LOWER:
            heights = -heights
        if heights.min() < 0:
            beyond = vector.values[heights.argmin()].item()
            raise SettingsError(
                f"the hypervolume is counted from {number_text(origin)}, and {vector.name!r} has "
                f"the value {number_text(beyond)}, which is worse",
                code="out-of-range",
                found=number_text(origin),
                remedy="set an origin that is worse than every value: Hypervolume(origin=…)",
            )
        return heights

    def _powers(self, pair: CommonRefinement) -> tuple[Counts | Floats, Counts]:
        """Return the heights that occur, and how many more rows of the first vector have each."""
        heights = np.concatenate([self._heights(pair, v) for v in (pair.first, pair.second)])
        counts = np.concatenate((pair.first.counts, -pair.second.counts))
        distinct, which = np.unique(heights, return_inverse=True)
        powers: Counts = np.zeros(distinct.shape[0], dtype=np.int64)
        np.add.at(powers, which, counts)
        return distinct[powers != 0], powers[powers != 0]

    def _log_terms(self, pair: CommonRefinement) -> list[float]:
        heights, powers = self._powers(pair)
        terms: list[float] = (powers * np.log(heights.astype(np.float64))).tolist()
        return terms

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return the ratio of the volumes, as a power of ten where it is large."""
        words = pair.first.words
        if math.isinf(better):
            return f"both volumes are 0, as each leaves a row with the worst {words}"
        if math.isinf(other):
            return f"the other volume is 0, as some row has the worst {words} there"
        size = f"the volume of {words} vectors that it dominates"
        if better == other:
            return f"{size} has the logarithm {number_text(better)} in both"
        powers = abs(self.margin(pair)) / math.log(10)
        times = f"{10**powers:,.3g}" if powers < 6 else f"10^{powers:,.0f}"
        return f"{size} is {times} times as large"


def _log_volume(heights: Counts | Floats, counts: Counts) -> float:
    if heights.min() == 0:
        return -math.inf
    return math.fsum((counts * np.log(heights.astype(np.float64))).tolist())
