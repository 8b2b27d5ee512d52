"""How far the truth can still be from the front of a search that was stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Floats

_PAIRS_AT_ONCE = 2_000_000
_ROUNDING = 2.0**-50
"""More than a subtraction, a division and a multiplication can lose together."""


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """What is proved about all recodings of the lattice, found or not.

    For every recoding x of the lattice there is a solution a of the front such that, in every
    objective i, a is at most ``slacks[i]`` worse than x. If the search keeps the whole front,
    ``slacks[i]`` = ε·``scales[i]`` with ε = ``epsilon``; if it keeps an archive, it is at least
    the width of a box. ``scales`` are the differences between the two ends of the lattice.

    For every x and every objective i there is also a solution that is as good as x in all other
    objectives and at most ``single_slacks[i]`` worse in i (infinite if that is not proved; none
    of them is if the search keeps an archive).

    ``settled`` of the ``nodes`` of the lattice are known to be evaluated or excluded by a proof.
    Proved in docs/method.md ("The guarantee of the anytime search").
    """

    epsilon: float
    scales: Mapping[str, float]
    slacks: Mapping[str, float]
    single_slacks: Mapping[str, float]
    settled: int
    nodes: int

    @property
    def settled_share(self) -> float:
        """The share of the lattice that is settled."""
        return self.settled / self.nodes

    def in_words(self) -> str:
        """Return the guarantee in words.

        >>> Guarantee(
        ...     epsilon=0.01,
        ...     scales={"k": 900.0, "loss": 5000.0},
        ...     slacks={"k": 9.0, "loss": 50.0},
        ...     single_slacks={"k": float("inf"), "loss": 61.5},
        ...     settled=20,
        ...     nodes=80,
        ... ).in_words()
        'for every recoding a solution is at most k 9, loss 50 worse (ε = 0.01), or as good in all
        else and at most loss 61.5 worse'
        """
        if not np.isfinite(self.epsilon):
            return "nothing is proved about the other recodings yet"
        if not any(self.slacks.values()):
            return "for every recoding a solution is as good, so that only ties can be missing"
        joint = ", ".join(f"{name} {_rounded_up(slack)}" for name, slack in self.slacks.items())
        single = " or ".join(
            f"{name} {_rounded_up(slack)}"
            for name, slack in self.single_slacks.items()
            if np.isfinite(slack)
        )
        alone = f", or as good in all else and at most {single} worse" if single else ""
        return (
            f"for every recoding a solution is at most {joint} worse (ε = {self.epsilon:.3g})"
            f"{alone}"
        )


def _rounded_up(slack: float) -> str:
    """Return a slack with four digits, or without decimals if it is great; rounded up."""
    # What _ROUNDING added is not worth another digit.
    shown = slack * (1 - 1e-12)
    if slack >= 1000 or slack == 0:
        return f"{math.ceil(shown):,}"
    digits = 3 - math.floor(math.log10(shown))
    return f"{math.ceil(shown * 10**digits) / 10**digits:.4g}"


def excesses(costs: Floats, bounds: Floats) -> Floats:
    """Return how much worse each point is than each bound: (points, bounds, objectives)."""
    with np.errstate(invalid="ignore"):
        worse: Floats = np.where(
            costs[:, None, :] <= bounds[None], 0.0, costs[:, None, :] - bounds[None]
        )
    return worse


def gap(costs: Floats, bounds: Floats, scales: Floats) -> float:
    """Return the least ε for which a point is within ε of the bounds, in units of the scales.

    Infinite where there is no point, as before one is found that meets the criteria.
    """
    if not costs.shape[0]:
        return math.inf
    return float((excesses(costs, bounds[None])[:, 0] / scales).max(axis=1).min())


def guaranteed(
    costs: Floats,
    bounds: Floats,
    scales: Mapping[str, float],
    *,
    settled: int,
    nodes: int,
    widths: Sequence[float] | None = None,
) -> Guarantee:
    """Return the guarantee of a front (its costs) where open boxes have these ``bounds``.

    ``widths`` are the sides of the boxes of an archive; None if the whole front is kept.
    """
    sides = np.array(list(scales.values()))
    epsilon, single = 0.0, np.zeros(len(sides))
    if not costs.shape[0] and bounds.shape[0]:
        epsilon, single, bounds = math.inf, np.full(len(sides), np.inf), bounds[:0]
    step = max(1, _PAIRS_AT_ONCE // max(1, costs.shape[0]))
    for start in range(0, bounds.shape[0], step):
        worse = excesses(costs, bounds[start : start + step])
        epsilon = max(epsilon, float((worse / sides).max(axis=2).min(axis=0).max()))
        matched = (worse == 0).sum(axis=2, keepdims=True) - (worse == 0)
        others = np.where(matched == len(sides) - 1, worse, np.inf)
        single = np.maximum(single, others.min(axis=0).max(axis=0))
    epsilon *= 1 + _ROUNDING
    single *= 1 + _ROUNDING
    least = np.zeros(len(sides)) if widths is None else np.array(widths)
    slacks = np.maximum(epsilon * sides, least)
    single = single if widths is None else np.full(len(sides), np.inf)
    return Guarantee(
        epsilon=epsilon,
        scales=dict(scales),
        slacks=dict(zip(scales, map(float, slacks), strict=True)),
        single_slacks=dict(zip(scales, map(float, single), strict=True)),
        settled=settled,
        nodes=nodes,
    )
