"""The discretization vector of a problem: how wide a box is in every objective (PBG §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.front.box_dominance import checked_epsilon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.search.problem import Problem


def discretization(problem: Problem, given: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return ε for every objective: as given, else the default.

    The paper's vector is all ones (§7), which for whole numbers is plain dominance. So it is
    1 for a measure that counts rows, cells or values, and 1/N for a share or a mean, which is what
    one row of N can change: ε = 1 would put all of ``t`` or ``cm`` into one box.
    """
    given = {} if given is None else given
    for name in given:
        if name not in problem.names:
            raise SettingsError(
                f"epsilon has a width for {name!r}, which is not an objective",
                code="unknown-objective",
                key="epsilon",
                found=repr(name),
                expected=problem.names,
                suggestion=closest(name, problem.names, cutoff=0.5),
            )
    epsilon = {
        str(objective): given.get(
            str(objective), 1.0 if objective.counts else 1.0 / problem.table.rows
        )
        for objective in problem.objectives
    }
    checked_epsilon(tuple(epsilon.values()), objectives=len(epsilon))
    return epsilon
