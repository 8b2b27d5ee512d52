"""P_GOAL: how far quality indices are from where they should be (Comparison §5.7)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.comparator import Comparator, against_text, judged, number_text
from sfumato.compare.comparators.property_indices import (
    check_one_for_each,
    checked_indices,
    index_for_each,
)
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.quality_index import UnaryIndex
from sfumato.compare.vectors.common_refinement import paired
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome, Verdict
from sfumato.errors import SettingsError, shown
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.compare.quality_index import QualityIndex
    from sfumato.compare.vectors.common_refinement import CommonRefinement, Vectors


@dataclass(frozen=True, kw_only=True)
class Goal(Comparator):
    """P_GOAL(Υ₁, Υ₂) = Σ (P_i(D₁ᵢ, D₂ᵢ) - g_i)²; the smaller is better.

    ``goals`` has for each property the index value that is desired, or, where the index is of one
    vector, a goal vector D_g: then g_i = P_i(D_g). Overshooting counts like falling short, so that
    an anonymization that dominates another can be the worse one.

    >>> from sfumato.compare.indices.mean import Mean
    >>> sizes = [PropertyVector.of_rows(v, name="class-size") for v in ([3, 4], [3, 7])]
    >>> verdict = Goal(goals=(4.0,), indices=(Mean(),)).compare(*sizes)
    >>> verdict.first, verdict.second, verdict.outcome
    (0.25, 1.0, <Outcome.BETTER: 'better'>)
    """

    name: ClassVar[str] = "goal"
    reference: ClassVar[str] = "Comparison §5.7 (P_GOAL)"

    goals: tuple[float | PropertyVector, ...]
    indices: tuple[QualityIndex, ...] = (Coverage(),)

    def __post_init__(self) -> None:
        given: object = self.goals
        several = (given,) if isinstance(given, int | float | PropertyVector) else given
        if not isinstance(several, tuple | list) or not several:
            raise SettingsError(
                f"goals of {self.name!r} are {shown(given)}",
                code="not-a-list",
                found=shown(given),
                expected="one for each property",
            )
        for goal in several:
            number = isinstance(goal, int | float) and math.isfinite(goal)
            if not number and not isinstance(goal, PropertyVector):
                raise SettingsError(
                    f"goals of {self.name!r} have {shown(goal)}",
                    code="wrong-type",
                    found=shown(goal),
                    expected="a finite number or a property vector",
                )
        object.__setattr__(self, "goals", tuple(several))
        object.__setattr__(self, "indices", checked_indices(self.indices, comparator=self.name))

    def compare(self, first: Vectors, second: Vectors) -> Verdict:
        """Say which anonymization is nearer to the goals."""
        pairs = paired(first, second)
        indices = index_for_each(self.indices, pairs, comparator=self.name)
        goals = self._values(pairs, indices)
        values = [index.values(pair) for pair, index in zip(pairs, indices, strict=True)]
        ours, theirs = (
            math.fsum((value[side] - goal) ** 2 for value, goal in zip(values, goals, strict=True))
            for side in (0, 1)
        )
        margin = 0.0 if ours == theirs else theirs - ours
        outcome = Outcome.of_sign(margin)
        names = ", ".join(
            f"{number_text(goal)} for {index.name} of {pair.first.words}"
            for goal, index, pair in zip(goals, indices, pairs, strict=True)
        )
        return Verdict(
            comparator=str(self),
            outcome=outcome,
            first=ours,
            second=theirs,
            better=Direction.LOWER,
            margin=margin,
            sentence=f"{judged(pairs[0], outcome, self.name)}: the squared distance to the goals "
            f"({names}) is {against_text(min(ours, theirs), max(ours, theirs))}",
        )

    def _values(
        self, pairs: Sequence[CommonRefinement], indices: Sequence[QualityIndex]
    ) -> list[float]:
        check_one_for_each(self.goals, pairs, what="goals")
        values = []
        for goal, index, pair in zip(self.goals, indices, pairs, strict=True):
            if not isinstance(goal, PropertyVector):
                values.append(float(goal))
            elif not isinstance(index, UnaryIndex):
                raise SettingsError(
                    f"the goal of {pair.first.name!r} is a vector, and {index.name!r} is an index "
                    "of two vectors",
                    code="conflicting-settings",
                    found=repr(index.name),
                    remedy="give the desired value, or an index of one vector, like 'min'",
                )
            elif goal.name != pair.first.name:
                raise SettingsError(
                    f"the goal of {pair.first.name!r} is a vector of {goal.name!r}",
                    code="other-property",
                    found=repr(goal.name),
                    expected="a vector of the same property",
                )
            else:
                values.append(float(index.value(goal)))
        return values
