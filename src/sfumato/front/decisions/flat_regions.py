"""Locally flat regions of a front: much more privacy for little more loss (MOEA fig. 1.6)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.decisions.knee import balances
from sfumato.front.decisions.staircase import some_privacy_falls, staircase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.front.decisions.metric import Metric
    from sfumato.front.decisions.staircase import Step
    from sfumato.front.front import Front, Solution

_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class FlatRegion:
    """A run of neighbouring solutions, from the least private one to the most private one.

    ``privacy_gain`` and ``loss_gain`` are what it gains and costs from start to end, in the units
    of the two metrics; the shares are the same as parts of what lies between the extremes of the
    front, counts of rows on a logarithmic scale. ``solutions`` are all that lie in it, ties
    included.
    """

    privacy: Metric
    loss: Metric
    start: Solution
    end: Solution
    solutions: tuple[Solution, ...]
    privacy_gain: float
    loss_gain: float
    privacy_share: float
    loss_share: float


@dataclass(frozen=True, kw_only=True)
class Flatness:
    """What counts as flat.

    Every step of a region gains privacy at least ``bargain`` times as cheaply as the front does
    from one extreme to the other, and no objective of privacy gets worse. The whole region
    multiplies a count of rows, like k, by at least ``least_factor``; of other metrics it gains
    at least ``least_share`` of what lies between the extremes.
    """

    bargain: float = 2.0
    least_factor: float = 1.5
    least_share: float = 0.05

    def __post_init__(self) -> None:
        for name in ("bargain", "least_factor"):
            value = getattr(self, name)
            if not value >= 1:
                raise SettingsError.wrong_setting(name, value, "at least 1", code="out-of-range")
        if not 0 <= self.least_share <= 1:
            raise SettingsError.wrong_setting(
                "least_share", self.least_share, "a share from 0 to 1", code="out-of-range"
            )

    def enough(self, region: FlatRegion) -> bool:
        """Say whether a region gains enough privacy to be one."""
        if not region.privacy.logarithmic:
            return region.privacy_share >= self.least_share - _ROUNDING
        low, high = sorted(s.values[region.privacy.name] for s in (region.start, region.end))
        return high >= self.least_factor * low


DEFAULT_FLATNESS = Flatness()


def flat_regions(front: Front, *, flatness: Flatness = DEFAULT_FLATNESS) -> tuple[FlatRegion, ...]:
    """Return the flat regions of a front, the best one first.

    Solutions are taken in the order of their loss, on the staircase of the first objective of
    privacy and the first of loss. A step between neighbours is flat if

        share of all privacy gained >= bargain x share of all loss added

    and no further objective of privacy is worse after it. A region is a
    longest run of flat steps. The best region is the one whose far end balances the
    objectives best (`balances`); ties go to the lowest id. There are none if
    the front lacks an objective of privacy or one of loss.
    """
    stairs = staircase(front)
    if stairs is None or len(stairs.steps) < 2:
        return ()
    privacy, loss = stairs.privacy, stairs.loss
    gains = privacy.gains([step.privacy for step in stairs.steps])
    costs = [1 - gain for gain in loss.gains([step.loss for step in stairs.steps])]
    found = []
    flat = [
        gains[place + 1] - gains[place]
        >= flatness.bargain * (costs[place + 1] - costs[place]) - _ROUNDING
        and not some_privacy_falls(front, one.solutions, other.solutions)
        for place, (one, other) in enumerate(pairwise(stairs.steps))
    ]
    for first, last in _runs(flat):
        start, end = stairs.steps[first], stairs.steps[last]
        region = FlatRegion(
            privacy=privacy,
            loss=loss,
            start=start.first,
            end=end.first,
            solutions=_all(stairs.steps[first : last + 1]),
            privacy_gain=abs(end.privacy - start.privacy),
            loss_gain=abs(end.loss - start.loss),
            privacy_share=gains[last] - gains[first],
            loss_share=costs[last] - costs[first],
        )
        if flatness.enough(region):
            found.append(region)
    balance = dict(zip((solution.id for solution in front), balances(front), strict=True))
    return tuple(sorted(found, key=lambda region: (-balance[region.end.id], region.end.id)))


def _runs(flat: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of every longest run of flat steps.

    >>> list(_runs([True, True, False, False, True]))
    [(0, 2), (4, 5)]
    """
    start = 0
    for place, still in enumerate((*flat, False)):
        if not still:
            if place > start:
                yield start, place
            start = place + 1


def _all(steps: Sequence[Step]) -> tuple[Solution, ...]:
    return tuple(solution for step in steps for solution in step.solutions)
