"""P_rank: the distance to the most desired vector (Comparison §5.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.compare.comparator import number_text
from sfumato.compare.quality_index import UnaryIndex
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.exact_sum import exact_sum, is_whole, shifted
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats

_SQUARE_ROOM = 2**31


@dataclass(frozen=True, kw_only=True)
class Rank(UnaryIndex):
    """P_rank(D) = ‖D - D_max‖, Euclidean; ranks that differ by ``tolerance`` or less are equal.

    ``point`` is D_max, the point of interest: a vector of the same property, or one value that
    is desired for every row; without it the best value that the property can have (for class
    sizes N). A dominated vector is never preferred if D_max is at least as good as both.

    >>> a = PropertyVector.of_rows([2, 4], name="class-size")
    >>> Rank(point=5).value(a) == math.hypot(3, 1)
    True
    """

    name: ClassVar[str] = "rank"
    reference: ClassVar[str] = "Comparison §5.1 (P_rank)"

    tolerance: float = 0.0
    point: float | PropertyVector | None = None

    def __post_init__(self) -> None:
        if not (self.tolerance >= 0 and math.isfinite(self.tolerance)):
            raise SettingsError(
                f"tolerance of {self.name!r} is {self.tolerance}",
                code="out-of-range",
                found=str(self.tolerance),
                expected="a number from 0 up",
            )
        if isinstance(self.point, int | float) and not math.isfinite(self.point):
            raise SettingsError(
                f"point of {self.name!r} is {self.point}",
                code="not-a-number",
                found=str(self.point),
                expected="a finite number",
            )

    def better(self, pair: CommonRefinement) -> Direction:  # noqa: ARG002
        """Say that nearer is better."""
        return Direction.LOWER

    def value(self, vector: PropertyVector) -> float:
        """Return the distance to the point of interest."""
        return math.sqrt(self._squares(vector))

    def sign(self, pair: CommonRefinement) -> float:
        """Return 0 within the tolerance; without one, compare the squares, which can be exact."""
        if self.tolerance > 0:
            margin = self.margin(pair)
            return 0.0 if abs(margin) <= self.tolerance else margin
        return self._squares(pair.second) - self._squares(pair.first)

    def _squares(self, vector: PropertyVector) -> int | float:
        if isinstance(self.point, PropertyVector):
            pair = CommonRefinement.of(vector, self.point)
            return _squared(pair.gains, pair.counts)
        point = vector.best if self.point is None else self.point
        if point is None:
            raise SettingsError(
                f"{self.name!r} needs a point of interest, and the best {vector.words} is not "
                "known",
                code="missing-parameter",
                remedy="give a value or a vector: Rank(point=…)",
            )
        return _squared(shifted(vector.values, point), vector.counts)

    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return both distances."""
        what = f"distance to the desired {pair.first.words}"
        if better == other:
            return f"the {what} is {number_text(better)} in both"
        within = f", within the tolerance of {number_text(self.tolerance)}"
        close = within if abs(better - other) <= self.tolerance else ""
        return f"its {what} is {number_text(better)}, against {number_text(other)}{close}"


def _squared(differences: Counts | Floats, counts: Counts) -> int | float:
    if not is_whole(differences):
        return exact_sum((differences * differences, counts))
    if np.abs(differences).max() < _SQUARE_ROOM:
        return exact_sum((differences * differences, counts))
    whole: list[int] = differences.tolist()
    rows: list[int] = counts.tolist()
    return sum(d * d * c for d, c in zip(whole, rows, strict=True))
