"""Enhanced β-likeness: frequent values may gain less (Cao & Karras 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.measures.risk.beta_likeness import BetaLikeness

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.measures.risk.value_lifts import ValueLifts


@dataclass(frozen=True, kw_only=True)
class EnhancedBetaLikeness(BetaLikeness):
    """The least β with which the kept classes are enhanced β-like; infinite if there is none.

    Each gain (q - p) / p must be at most min(β, -ln p). So it is the greatest gain, and infinite
    where a gain exceeds -ln p, or if nothing is kept.

    Bound: that of β-likeness, infinite where the gain that is left exceeds -ln p.
    """

    name: ClassVar[str] = "enhanced-beta-likeness"
    reference: ClassVar[str] = "Cao & Karras 2012, def. 2"
    meaning: ClassVar[str] = (
        "How much more probable some sensitive value of a person becomes, relative to its share "
        "in the whole table, once their class is known; infinite where a frequent value gains "
        "more than the logarithm of its inverse share (enhanced β-likeness)."
    )

    def gains(self, lifts: ValueLifts, *, slack: float = 0.0) -> Floats:
        """Return what every value of a class contributes: infinite where it gains too much."""
        gains = lifts.gains
        return np.where(gains - slack * lifts.lifts > -np.log(lifts.shares), np.inf, gains)
