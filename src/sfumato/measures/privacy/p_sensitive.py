"""p-sensitive k-anonymity: p different values of every sensitive column in every class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.measures.privacy.distinct_l import DistinctL


@dataclass(frozen=True, kw_only=True)
class PSensitive(DistinctL):
    """The largest p such that the kept rows are p-sensitive; 0 if nothing is kept.

    p = min over kept classes and sensitive columns of the number of different values. It goes
    with k: a recoding is p-sensitive k-anonymous for this p and its k. With several sensitive
    columns distinct ℓ is the worst over them, so that p is ℓ, with its bound.
    """

    name: ClassVar[str] = "p-sensitive"
    reference: ClassVar[str] = "Truta & Vinay 2006"
    meaning: ClassVar[str] = (
        "The smallest number of different values that any sensitive attribute has in an "
        "equivalence class (p-sensitive k-anonymity)."
    )
