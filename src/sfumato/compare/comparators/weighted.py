"""P_WTD: a weighted sum of quality indices (Comparison §5.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import Comparator, against_text, judged, number_text
from sfumato.compare.comparators.property_indices import (
    check_one_for_each,
    checked_indices,
    checked_numbers,
    index_for_each,
)
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.vectors.common_refinement import paired
from sfumato.compare.verdict import Outcome, Verdict
from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.compare.quality_index import QualityIndex
    from sfumato.compare.vectors.common_refinement import Vectors


@dataclass(frozen=True, kw_only=True)
class Weighted(Comparator):
    """P_WTD(Υ₁, Υ₂) = Σ w_i · P_i(D₁ᵢ, D₂ᵢ), weights being divided by their sum.

    ``weights`` has one for each property in their order, all equal if left out; ``indices`` one
    for all properties or one for each. Index values are normalized first, as the paper advises,
    unless ``normalize`` is False; then lower-is-better ones are negated.

    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> sizes = [PropertyVector.of_rows(v, name="class-size") for v in ([3, 4], [3, 7])]
    >>> losses = [PropertyVector.of_rows(v, name="row-utility") for v in ([2, 1.7], [2, 0.97])]
    >>> Weighted().compare((sizes[0], losses[0]), (sizes[1], losses[1])).outcome
    <Outcome.EQUAL: 'equal'>
    """

    name: ClassVar[str] = "weighted"
    reference: ClassVar[str] = "Comparison §5.5 (P_WTD)"

    weights: tuple[float, ...] = ()
    indices: tuple[QualityIndex, ...] = (Coverage(),)
    normalize: bool = True

    def __post_init__(self) -> None:
        weights = checked_numbers(self.weights, what=f"weights of {self.name!r}")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "indices", checked_indices(self.indices, comparator=self.name))
        if not all(weight > 0 and math.isfinite(weight) for weight in self.weights):
            found = ", ".join(map(number_text, self.weights))
            raise SettingsError(
                f"weights of {self.name!r} are {found}",
                code="out-of-range",
                found=found,
                expected="finite numbers above 0",
            )

    def compare(self, first: Vectors, second: Vectors) -> Verdict:
        """Say whether the first anonymization has the greater weighted sum."""
        pairs = paired(first, second)
        indices = index_for_each(self.indices, pairs, comparator=self.name)
        weights = self.weights or (1.0,) * len(pairs)
        check_one_for_each(weights, pairs, what="weights")
        whole = math.fsum(weights)
        ours, theirs = [], []
        for pair, index, weight in zip(pairs, indices, weights, strict=True):
            if self.normalize:
                values = index.normalized(pair)
            else:
                sign = 1 if index.better(pair) is Direction.HIGHER else -1
                values = (sign * index.values(pair)[0], sign * index.values(pair)[1])
            ours.append(weight * values[0])
            theirs.append(weight * values[1])
        sums = math.fsum(ours) / whole, math.fsum(theirs) / whole
        # Volumes of 0 have infinite logarithms, whose difference is not a number.
        margin = 0.0 if sums[0] == sums[1] else sums[0] - sums[1]
        outcome = Outcome.of_sign(margin)
        names = ", ".join(
            f"{pair.first.words} by {i.name}" for pair, i in zip(pairs, indices, strict=True)
        )
        return Verdict(
            comparator=str(self),
            outcome=outcome,
            first=sums[0],
            second=sums[1],
            better=Direction.HIGHER,
            margin=margin,
            sentence=f"{judged(pairs[0], outcome, self.name)}: the weighted sum of {names} is "
            f"{against_text(max(sums), min(sums))}",
        )
