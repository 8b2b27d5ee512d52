"""How much of the true front a search represents, box by box (PBG §7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.box_dominance import boxes, checked_epsilon, nondominated_boxes
from sfumato.front.indicators.objective_values import same_objectives, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.front import Front


def representation_ratio(found: Front, true: Front, *, epsilon: Mapping[str, float]) -> float:
    """Return RR: the share of the non-dominated boxes of the true front that are occupied.

    The solutions of the true front are assigned their boxes ⌊I_i/ε_i⌋, and the non-dominated
    boxes are marked. RR is the share of marked boxes that hold a solution of ``found``.
    ``epsilon`` has the width of a box for every objective.

    >>> from sfumato.front.front import Front
    >>> from sfumato.measures.measure import Direction
    >>> def front(*pairs):
    ...     return Front.of_values({"k": Direction.HIGHER, "loss": Direction.LOWER}, pairs)
    >>> true = front((1, 0), (4, 190), (11, 250))  # boxes (0, 0), (0, 1), (2, 2): one is dominated
    >>> representation_ratio(front((2, 80)), true, epsilon={"k": 5, "loss": 100})
    0.5
    """
    objectives = same_objectives(found, true)
    if set(epsilon) != set(objectives):
        raise SettingsError(
            f"epsilon is given for {', '.join(epsilon) or 'nothing'}",
            code="wrong-length",
            key="epsilon",
            found=", ".join(epsilon),
            expected=f"a width for each of {', '.join(objectives)}",
        )
    sides = checked_epsilon([epsilon[name] for name in objectives], objectives=len(objectives))
    directions = tuple(objectives.values())
    marked = {tuple(box) for box in nondominated_boxes(values_of(true), directions, sides).tolist()}
    occupied = {tuple(box) for box in boxes(values_of(found), sides).tolist()}
    return len(marked & occupied) / len(marked)
