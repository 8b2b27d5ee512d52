"""α of (α, k)-anonymity: the greatest share of a sensitive value in a class (Wong et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.measure import (
    Direction,
    Kind,
    Measure,
    Monotone,
    Proved,
    Scale,
    column_of,
)
from sfumato.measures.privacy.frequency_l import FrequencyL

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes


@dataclass(frozen=True, kw_only=True)
class Alpha(Measure):
    """The greatest share of a sensitive value in a kept class; 1 if nothing is kept.

    α = max over kept classes of max_v count_v / |class| = 1 / frequency-l, the general model in
    which every value is sensitive. It goes with k: a recoding is (α, k)-anonymous for this α and
    its k. Missing values and people are counted as frequency-l counts them; a class whose values
    are all missing has α = 1.

    Bound: one over that of frequency-l (docs/method.md, B31).
    """

    name: ClassVar[str] = "alpha"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.FALLS
    reference: ClassVar[str] = "Wong, Li, Fu & Wang 2006"
    unit: ClassVar[str] = "share of the class"
    scale: ClassVar[Scale] = Scale.SHARE
    meaning: ClassVar[str] = (
        "The greatest probability with which an intruder who knows the class of a person guesses "
        "their sensitive value ((α, k)-anonymity)."
    )
    needs_sensitive: ClassVar[bool] = True
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return the greatest share in every class."""
        return _inverse(FrequencyL().class_values(batch))

    def evaluate(self, classes: Classes) -> Floats:
        """Return α of every candidate."""
        return classes.max_kept(self.class_values(classes.batch), empty=1.0)

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return one over the least ℓ that suppression cannot free of its worst value."""
        return column_of(1.0 / np.maximum(FrequencyL().evidence(classes, budget)[:, 0], 1.0))


def _inverse(values: Floats) -> Floats:
    inverse: Floats = np.ones(values.shape)
    np.divide(1.0, values, out=inverse, where=values > 0)
    return inverse
