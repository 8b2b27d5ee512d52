"""What a comparator answers."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.measures.measure import Direction


class Outcome(enum.StrEnum):
    """How the first anonymization fares against the second."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    INCOMPARABLE = "incomparable"

    @property
    def mirrored(self) -> Outcome:
        """The outcome with the two anonymizations swapped.

        >>> Outcome.BETTER.mirrored, Outcome.EQUAL.mirrored
        (<Outcome.WORSE: 'worse'>, <Outcome.EQUAL: 'equal'>)
        """
        swapped = {Outcome.BETTER: Outcome.WORSE, Outcome.WORSE: Outcome.BETTER}
        return swapped.get(self, self)

    @classmethod
    def of_sign(cls, sign: float) -> Outcome:
        """Return BETTER for what is positive, WORSE for what is negative."""
        return cls.EQUAL if sign == 0 else cls.BETTER if sign > 0 else cls.WORSE


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Which of two anonymizations a comparator prefers, and by how much.

    ``first`` and ``second`` are the index values of both, of which ``better`` ones are better.
    ``margin`` is what the first one leads by, negative where it lags; of the hypervolume it is
    the logarithm of the ratio of the volumes. ``sentence`` says all of it in words.
    """

    comparator: str
    outcome: Outcome
    first: float
    second: float
    better: Direction
    margin: float
    sentence: str
