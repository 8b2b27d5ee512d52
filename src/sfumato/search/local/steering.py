"""What steers local recodings towards objectives that are not judged class by class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.measures.loss.generalization_loss import GeneralizationLoss
from sfumato.measures.loss.loss import Loss
from sfumato.measures.loss.normalized_loss import NormalizedLoss
from sfumato.measures.loss.suppression_loss import SuppressionLoss
from sfumato.measures.measure import Direction, Measure
from sfumato.measures.privacy.k import K

if TYPE_CHECKING:
    from sfumato.search.local.cell_arrays import CellArrays
    from sfumato.search.problem import Problem

_OF_CELLS = (K, Loss, NormalizedLoss, GeneralizationLoss, SuppressionLoss)
"""The objectives that a search follows anyway."""
_LEAST_LOSS = 1e-6


@dataclass(frozen=True, kw_only=True)
class Steering:
    """A cost of classes in place of the loss of their rows.

    ``losses`` weighs the squares of the losses: then few classes lose far more than others, which
    measures of bias see. ``sizes`` weighs the sizes of the classes of the rows: then few classes
    are larger than they have to be, which discernibility and the average class see. Both are in
    units of what rows lose at present.
    """

    name: str
    losses: float = 0.0
    sizes: float = 0.0

    def applied(self, arrays: CellArrays, *, mean_loss: float, k: int) -> CellArrays:
        """Return arrays in which classes have this cost; rows lose ``mean_loss`` at present."""
        least = max(mean_loss, _LEAST_LOSS)
        return arrays._replace(
            steering=np.array([self.losses / least, self.sizes * least / max(1, k)])
        )


STEERINGS = (
    Steering(name="equal losses", losses=4.0),
    Steering(name="more equal losses", losses=64.0),
    Steering(name="equal sizes", sizes=0.5),
    Steering(name="more equal sizes", sizes=8.0),
)
MOST_SIZES = 5
"""For how many sizes of classes recodings are steered."""


def needs_steering(problem: Problem) -> bool:
    """Say whether an objective is neither judged class by class nor the loss of the rows."""
    return any(map(_is_of_the_whole_table, problem.objectives))


def grows_with_classes(problem: Problem) -> bool:
    """Say whether larger classes can be better in an objective that is of the whole table."""
    return any(
        _is_of_the_whole_table(each) and each.direction is Direction.HIGHER
        for each in problem.objectives
    )


def _is_of_the_whole_table(objective: Measure) -> bool:
    return type(objective).class_values is Measure.class_values and not isinstance(
        objective, _OF_CELLS
    )
