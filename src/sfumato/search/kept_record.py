"""The points that a stopped search has kept, as its state has them: which, not their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.finished_tables import FinishedTables
from sfumato.search.points import Points

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.recoding.admissible_space import Choice
    from sfumato.search.problem import Problem


def kept_record(points: Points) -> list[list[object]]:
    """Return the recoding and the threshold of every point."""
    return [
        [levels, threshold]
        for levels, threshold in zip(
            points.levels.tolist(), points.thresholds.tolist(), strict=True
        )
    ]


def kept_points(problem: Problem, record: Iterable[Sequence[object]]) -> Points:
    """Return the points of a record, measured again, or raise a ValueError if there is no such."""
    finished = FinishedTables(problem.tables)
    measured: dict[Choice, Points] = {}
    kept = [Points.none(len(problem.table.names), len(problem.objectives))]
    for levels, threshold in record:
        choice = recorded_choice(problem, levels)
        if choice not in measured:
            measured[choice] = problem.points(finished.group(choice))
        points = measured[choice]
        chosen = np.flatnonzero(points.thresholds == threshold)
        if chosen.size != 1:
            raise ValueError(f"recoding {list(choice)} has no threshold {threshold}")
        kept.append(points.where(chosen))
    return Points.together(kept)


def recorded_choice(problem: Problem, levels: object) -> Choice:
    """Return the recoding that a state has, or raise a ValueError if it is not one of the space."""
    orders = problem.admissible.orders
    if not isinstance(levels, list | tuple) or len(levels) != len(orders):
        raise ValueError(f"{levels} is not a recoding of {len(orders)} columns")
    for level, order in zip(levels, orders, strict=True):
        # A level that repeats another one is a node of the lattice, too.
        if not isinstance(level, int) or not order.minimum_level <= level < len(order.refines):
            raise ValueError(f"{list(levels)} is not a recoding of this space")
    return tuple(levels)
