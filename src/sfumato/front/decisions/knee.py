"""The knee of a front: where a little more of one side starts to cost much of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import objective_metrics
from sfumato.measures.measure import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.front.decisions.metric import Metric
    from sfumato.front.front import Front, Solution

_ROUNDING = 1e-9


def knee(front: Front, *, among: Sequence[Solution] | None = None) -> Solution | None:
    """Return the solution with the greatest balance, None if the front has no knee.

    With two objectives the extremes have the gains (1, 0) and (0, 1), and the balance is, up to a
    factor, the signed distance from the line between them (Das 1999). A knee must lie beyond that
    line: its balance is above 1. A single point is its own knee. Ties go to the lowest id.
    ``among`` restricts the choice and its scale to some solutions of the front.
    """
    solutions = sorted(front.solutions if among is None else among, key=lambda s: s.id)
    if not solutions:
        return None
    metrics = _varying(front, solutions)
    if not metrics:
        return solutions[0]
    balances = _balances(metrics, solutions)
    best = max(balances)
    # A gap of rounding is a tie.
    found = next(s for s, b in zip(solutions, balances, strict=True) if b >= best - _ROUNDING)
    # With one objective left there is nothing to trade: its best is best.
    return found if best > 1 + _ROUNDING or len(metrics) == 1 else None


def knee_weighs(front: Front, *, among: Sequence[Solution] | None = None) -> str:
    """Return what the knee weighs against each other, in words; nothing if all is the same.

    A count of rows to hide among, like k, enters as the risk 1/k.
    """
    metrics = _varying(front, front.solutions if among is None else among)
    sides = [
        " and ".join(
            f"1/{f.name}" if f.enters_as_risk else f.name for f in metrics if f.kind is kind
        )
        for kind in (Kind.PRIVACY, Kind.LOSS)
    ]
    return " against ".join(side for side in sides if side)


def balances(front: Front) -> list[float]:
    """Return how well every solution balances the objectives, by id.

    Every objective is brought to a gain from 0 (the worst of the front) to 1 (the best). Counts of
    rows to hide among, like k, enter as the risk 1 / k: a logarithm would see as much in the
    step from 1,000 to 2,000 as in that from 1 to 2, and put the knee of Adult at k = 9,782 with 88
    % loss (risk: k = 10 with 32 %). The balance is

        mean gain of the privacy objectives + mean gain of the loss objectives,

    or the sum of all gains if the objectives are of one kind only. The common generalization to
    more than two objectives, the distance from the plane through the extremes, is fragile: the
    plane need not exist, and one odd extreme tilts it. The balance needs none, and the means keep
    two objectives that say nearly the same, like k and weighted-k, from outvoting the loss.
    """
    metrics = _varying(front, front.solutions)
    return _balances(metrics, front.solutions)


def _varying(front: Front, solutions: Sequence[Solution]) -> list[Metric]:
    return [
        metric
        for metric in objective_metrics(front)
        if len({solution.values[metric.name] for solution in solutions}) > 1
    ]


def _balances(metrics: Sequence[Metric], solutions: Sequence[Solution]) -> list[float]:
    gains = {f.name: f.risk_gains([s.values[f.name] for s in solutions]) for f in metrics}
    kinds = sorted({metric.kind for metric in metrics})
    groups = [[f.name for f in metrics if f.kind is kind] for kind in kinds]
    if len(kinds) == 1:
        groups = [[metric.name] for metric in metrics]
    return [
        sum(sum(gains[name][place] for name in group) / len(group) for group in groups)
        for place in range(len(solutions))
    ]
