"""What a quality index is: a value of one or of two property vectors (Comparison def. 3)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.compare.comparator import Comparator, against_text, judged
from sfumato.compare.vectors.common_refinement import CommonRefinement, Vectors, paired
from sfumato.compare.verdict import Outcome, Verdict
from sfumato.errors import SettingsError
from sfumato.errors.listing import listed
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.compare.vectors.property_vector import PropertyVector


@dataclass(frozen=True, kw_only=True)
class QualityIndex(Comparator):
    """An index P with its comparator: the better value of P(D₁, D₂) and P(D₂, D₁) wins."""

    @abstractmethod
    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return P(first, second) and P(second, first)."""

    @abstractmethod
    def reason(self, pair: CommonRefinement, better: float, other: float) -> str:
        """Return the second half of the sentence: why the index value ``better`` wins, or ties."""

    def better(self, pair: CommonRefinement) -> Direction:  # noqa: ARG002
        """Say which index values are better."""
        return Direction.HIGHER

    def margin(self, pair: CommonRefinement) -> float:
        """Return by how much the first leads: positive where its index value is better."""
        first, second = self.values(pair)
        return first - second if self.better(pair) is Direction.HIGHER else second - first

    def sign(self, pair: CommonRefinement) -> float:
        """Return a positive number if the first is better, 0 if both are equally good."""
        return self.margin(pair)

    def normalized(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return both values from -1 to 1, higher ones better, so that indices can be added.

        Unless an index knows its own scale, values are divided by the larger of the two.
        """
        first, second = self.values(pair)
        scale = max(abs(first), abs(second)) or 1.0
        turned = scale if self.better(pair) is Direction.HIGHER else -scale
        return first / turned, second / turned

    def compare(self, first: Vectors, second: Vectors) -> Verdict:
        """Say whether the first anonymization is better than the second."""
        pairs = paired(first, second)
        if len(pairs) > 1:
            names = listed([pair.first.name for pair in pairs])
            raise SettingsError(
                f"the index {self.name!r} compares one property and got {len(pairs)}: {names}",
                code="several-properties",
                found=names,
                remedy="compare them one by one, or together by 'weighted', 'lexicographic', "
                "'goal' or 'dominance'",
            )
        (pair,) = pairs
        values = self.values(pair)
        outcome = Outcome.of_sign(self.sign(pair))
        ahead, behind = values if outcome is not Outcome.WORSE else values[::-1]
        return Verdict(
            comparator=str(self),
            outcome=outcome,
            first=float(values[0]),
            second=float(values[1]),
            better=self.better(pair),
            margin=float(self.margin(pair)),
            sentence=f"{judged(pair, outcome, self.name)}: {self.reason(pair, ahead, behind)}",
        )


@dataclass(frozen=True, kw_only=True)
class UnaryIndex(QualityIndex):
    """An index of one vector alone, like its least value: P(D₁, D₂) = P(D₁)."""

    @abstractmethod
    def value(self, vector: PropertyVector) -> float:
        """Return P(vector)."""

    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        """Return the index of both vectors."""
        return self.value(pair.first), self.value(pair.second)

    def better(self, pair: CommonRefinement) -> Direction:
        """Say that the index has the direction of its property."""
        return pair.direction

    def both_said(self, what: str, better: float, other: float) -> str:
        """Return a reason that names both values: "its mean class size is 4, against 3"."""
        return f"{'the' if better == other else 'its'} {what} is {against_text(better, other)}"
