"""The objective values of fronts, as indicators need them: finite, and on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.front.dominance import as_costs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Floats
    from sfumato.front.front import Front
    from sfumato.measures.measure import Direction


def values_of(front: Front) -> Floats:
    """Return the objective values of a front: a row for each solution, a column for each."""
    rows = [[solution.values[name] for name in front.objectives] for solution in front]
    values: Floats = np.array(rows, dtype=np.float64).reshape(len(front), len(front.objectives))
    return values


def finite_values_of(front: Front) -> Floats:
    """Return the objective values of a front, or refuse those that are not finite."""
    values = values_of(front)
    for name, column in zip(front.objectives, values.T, strict=True):
        if not np.isfinite(column).all():
            raise SettingsError(
                f"objective {name!r} has values that are not finite, so that there is no distance "
                "between solutions and no volume",
                code="not-finite",
                key=name,
                remedy="leave these solutions out, or use another objective",
            )
    return values


def same_objectives(found: Front, true: Front) -> Mapping[str, Direction]:
    """Return the objectives of two fronts, or refuse fronts that cannot be compared."""
    if dict(found.objectives) != dict(true.objectives) or list(found.objectives) != list(
        true.objectives
    ):
        raise SettingsError(
            f"one front has the objectives {', '.join(found.objectives)}, the other "
            f"{', '.join(true.objectives)}",
            code="other-objectives",
            key="objectives",
            found=", ".join(found.objectives),
            expected="fronts with the same objectives",
        )
    if not len(true):
        raise SettingsError(
            "the front to compare with is empty",
            code="empty-front",
            remedy="search for it first",
        )
    return true.objectives


@dataclass(frozen=True, kw_only=True, eq=False)
class ObjectiveScale:
    """Turns values into costs from 0 (the ideal point) to 1 (the nadir point), lower being better.

    The ideal point has the best value of every objective in the fronts that the scale was made
    of, the nadir point the worst. An objective that is the same everywhere counts in its own unit.
    Values beyond those of the fronts give costs below 0 or above 1.
    """

    objectives: Mapping[str, Direction]
    ideal: Floats
    nadir: Floats

    @classmethod
    def of(cls, first: Front, *others: Front) -> ObjectiveScale:
        """Return the scale of all solutions of some fronts."""
        for other in others:
            same_objectives(other, first)
        objectives = same_objectives(first, first)
        together = np.concatenate([finite_values_of(front) for front in (first, *others)])
        costs = as_costs(together, tuple(objectives.values()))
        return cls(objectives=objectives, ideal=costs.min(axis=0), nadir=costs.max(axis=0))

    def costs(self, front: Front) -> Floats:
        """Return the scaled costs of a front, a row for each solution."""
        values = as_costs(finite_values_of(front), tuple(self.objectives.values()))
        width = self.nadir - self.ideal
        scaled: Floats = (values - self.ideal) / np.where(width > 0, width, 1.0)
        return scaled
