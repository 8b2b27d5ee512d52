"""The objective values of fronts, as indicators need them: finite, and on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

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
