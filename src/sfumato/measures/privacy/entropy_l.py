"""Entropy ℓ-diversity: values evenly spread in every class (Machanavajjhala et al., 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.class_batch import by_class
from sfumato.measures.measure import column_of
from sfumato.measures.privacy.diversity import DescendingCounts, Diversity

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.classes import Classes


def _entropy_l(batch: ClassBatch, column: str) -> Floats:
    """Return exp(-Σ p ln p) of every class."""
    known = batch.known_values(column)
    shares = known.shares
    inverse_share = np.repeat(known.totals, np.diff(shares.starts)) / shares.counts
    entropy = by_class(np.add, np.log(inverse_share) / inverse_share, shares.starts)
    return np.where(known.unknown, 0.0, np.exp(entropy))


def _capped_entropy_l(batch: ClassBatch, column: str, budget: int) -> Floats:
    """Return the greatest ℓ of every class without ``budget`` of its rows; inf if it may lose all.

    The rows are taken from the largest counts, down to a common level λ with
    Σ max(count - λ, 0) = budget, which is λ = max_j (r_1 + … + r_j - budget) / j.
    """
    ranked = DescendingCounts.of(batch, column)
    lost = budget * ranked.scale
    levels = (ranked.before + ranked.counts - lost) / ranked.rank
    remaining = ranked.totals - lost
    survives = remaining > 0
    level = np.where(survives, np.maximum.reduceat(levels, ranked.first), 1.0)
    left = np.minimum(ranked.counts, level[ranked.of_class])
    inverse_share = np.where(survives, remaining, 1)[ranked.of_class] / left
    entropy = np.add.reduceat(np.log(inverse_share) / inverse_share, ranked.first)
    values: Floats = np.where(survives, np.exp(np.where(survives, entropy, 0.0)), np.inf)
    return values


@dataclass(frozen=True, kw_only=True)
class EntropyL(Diversity):
    """exp(entropy) of the least diverse kept class; 0 if nothing is kept.

    ℓ = min over kept classes of exp(-Σ_v p_v ln p_v), p_v = count_v / |class|; with several
    sensitive columns the worst. Only rows with a value count, unless the study counts missing as
    one. With a person key everybody weighs 1, split equally over their different values in the
    class.

    Bound: entropy is concave, so among the kept parts of a class C of the coarsest corner one
    has at most the entropy of all kept rows of C. These are C without at most B rows, whose
    entropy is greatest if the rows come from the largest counts, which are cut to one level:
    every other choice majorizes this one.
    """

    name: ClassVar[str] = "entropy-l"
    reference: ClassVar[str] = "Machanavajjhala et al. 2007"
    meaning: ClassVar[str] = (
        "The number of equally frequent sensitive values that would be as uncertain as the "
        "least diverse class (entropy l-diversity)."
    )

    def class_values(self, batch: ClassBatch) -> Floats:
        """Return ℓ of every class."""
        columns = batch.table.sensitive
        values: Floats = np.minimum.reduce([_entropy_l(batch, c.name) for c in columns])
        return values

    def evidence(self, classes: Classes, budget: int) -> Floats:
        """Return the least ℓ of the classes that suppression cannot remove, at its best."""
        columns = classes.table.sensitive
        values = np.minimum.reduce(
            [_capped_entropy_l(classes.batch, c.name, budget) for c in columns]
        )
        return column_of(self.relaxed(classes.min_kept(values, empty=np.inf)))
