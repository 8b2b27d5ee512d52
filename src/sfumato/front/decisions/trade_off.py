"""The trade-off in words: what the next step of privacy costs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.decisions.flat_regions import flat_regions
from sfumato.front.decisions.metric import Metric, metric_named
from sfumato.front.decisions.staircase import PrivacyFall, Staircase, Step, privacy_falls, staircase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.front.front import Front, Solution

MOST_SENTENCES = 8


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """The price of going from one solution to one with more of the first objective of privacy.

    ``falls`` are the further objectives of privacy that get worse on the way.
    """

    privacy: Metric
    loss: Metric
    start: int
    end: int
    privacy_before: float
    privacy_after: float
    loss_before: float
    loss_after: float
    flat: bool = False
    """Whether all of the way lies in a flat region."""
    falls: tuple[PrivacyFall, ...] = ()

    @property
    def price(self) -> str:
        """What it does to the loss, like ``costs 0.8 percentage points more loss``.

        >>> k, loss = metric_named("k"), metric_named("normalized-loss")
        >>> TradeOff(privacy=k, loss=loss, start=4, end=9, privacy_before=5, privacy_after=12,
        ...     loss_before=0.21, loss_after=0.218).price
        'costs 0.8 percentage points more loss'
        """
        added = self.loss_after - self.loss_before
        what = "loss" if self.loss.percent else self.loss.name
        if added == 0:
            return "costs no more loss"
        if not math.isfinite(added):
            return f"makes {self.loss.name} {'infinite' if added > 0 else 'finite'}"
        if added < 0:
            # Only where a further objective pays for it.
            paid = "" if self.falls else " and gives up another objective"
            return f"takes {self._amount(-added)} off the {what}{paid}"
        return f"costs {self._amount(added)} more {what}"

    def _amount(self, added: float) -> str:
        if not self.loss.percent:
            return self.loss.written(added)
        points = 100 * added
        if points < 0.005:
            return "less than 0.01 percentage points"
        written = f"{points:.2f}" if points < 0.095 else f"{points:.1f}"
        return f"{written} percentage point{'' if written == '1.0' else 's'}"

    @property
    def sentence(self) -> str:
        """The trade-off in a sentence: ``from k = 5 to k = 12 costs … more loss``.

        What gets worse is said: ``…, and distinct-l falls from 3 to 2``.
        """
        name = self.privacy.name
        before, after = map(self.privacy.written, (self.privacy_before, self.privacy_after))
        falls = f", and {' and '.join(map(str, self.falls))}" if self.falls else ""
        return f"from {name} = {before} to {name} = {after} {self.price}{falls}"


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """What a publisher who looks at a solution could have instead.

    ``up`` goes to the cheapest solution with more of the first objective of privacy, ``down`` comes
    from the one with the most of it that is cheaper and has less.
    """

    up: TradeOff | None
    down: TradeOff | None


def trade_offs(
    front: Front, metrics: Sequence[Mapping[str, float]], *, most: int = MOST_SENTENCES
) -> tuple[TradeOff, ...]:
    """Return the trade-offs between milestones along the front, from least to most private.

    The milestones of a count like k are the solutions that first reach 2, 3, 5, 10, 20, 50,
    100, and so on; of other metrics, those that first reach equal parts of the way. There are at
    most ``most`` trade-offs. ``metrics`` are all metrics of every solution by id.
    """
    stairs = staircase(front)
    if stairs is None:
        return ()
    marks = _milestones(stairs, most)
    regions = [{s.id for s in region.solutions} for region in flat_regions(front)]
    return tuple(
        _between(front, stairs, start, end, metrics, regions) for start, end in pairwise(marks)
    )


def between(
    front: Front, start: Solution, end: Solution, metrics: Sequence[Mapping[str, float]]
) -> TradeOff:
    """Return the trade-off between two solutions of a front with privacy and loss objectives."""
    stairs = staircase(front)
    if stairs is None:
        raise SettingsError(
            "a trade-off needs an objective of privacy and one of loss",
            code="missing-setting",
            key="objectives",
            found=", ".join(front.objectives),
        )
    regions = [{s.id for s in region.solutions} for region in flat_regions(front)]
    return _between(front, stairs, _place(stairs, start), _place(stairs, end), metrics, regions)


def neighbours(front: Front, metrics: Sequence[Mapping[str, float]]) -> tuple[Neighbours, ...]:
    """Return, by id, the next solutions up and down from every solution of the front.

    They use the same freedom of recoding: what more of it brings is another question.
    """
    regions = [{s.id for s in region.solutions} for region in flat_regions(front)]
    found: dict[int, Neighbours] = {}
    for freedom in front.freedoms:
        own = front.with_freedom(freedom)
        beside = _neighbours(own, metrics, regions)
        found |= {s.id: each for s, each in zip(own, beside, strict=True)}
    return tuple(found[solution.id] for solution in front)


def _neighbours(
    front: Front, metrics: Sequence[Mapping[str, float]], regions: Sequence[set[int]]
) -> list[Neighbours]:
    stairs = staircase(front)
    if stairs is None:
        return [Neighbours(up=None, down=None) for _ in front]
    # Both rise along the steps.
    privacies = [-stairs.privacy.cost(step.privacy) for step in stairs.steps]
    losses = [stairs.loss.cost(step.loss) for step in stairs.steps]
    found = []
    for solution in front:
        here = _place(stairs, solution)
        above = bisect_right(privacies, -stairs.privacy.cost(here.privacy))
        below = bisect_left(losses, stairs.loss.cost(here.loss)) - 1
        below = min(below, bisect_left(privacies, -stairs.privacy.cost(here.privacy)) - 1)
        up = stairs.steps[above] if above < len(stairs.steps) else None
        down = stairs.steps[below] if below >= 0 else None
        found.append(
            Neighbours(
                up=None if up is None else _between(front, stairs, here, up, metrics, regions),
                down=None
                if down is None
                else _between(front, stairs, down, here, metrics, regions),
            )
        )
    return found


def _place(stairs: Staircase, solution: Solution) -> Step:
    return Step(
        solutions=(solution,),
        privacy=solution.values[stairs.privacy.name],
        loss=solution.values[stairs.loss.name],
    )


def _milestones(stairs: Staircase, most: int) -> list[Step]:
    steps = stairs.steps
    marks = [steps[0]]
    gains = stairs.privacy.gains([step.privacy for step in steps])
    if stairs.privacy.logarithmic:
        goals = round_counts(steps[-1].privacy)
        reached = [next(s for s in steps if s.privacy >= goal) for goal in goals]
    else:
        parts = [(part + 1) / most for part in range(most)]
        reached = [
            next((s for s, gain in zip(steps, gains, strict=True) if gain >= part), steps[-1])
            for part in parts
        ]
    for step in (*reached, steps[-1]):
        if step is not marks[-1] and step.privacy != marks[-1].privacy:
            marks.append(step)
    while len(marks) > most + 1:
        # The first marks are what publishers ask for; a far stretch is told in one sentence.
        del marks[-2]
    return marks


def round_counts(most: float) -> list[float]:
    """Return the milestones of a count up to one: 2, 3, 5, 10, 20, 50 and so on."""
    goals = [2.0, 3.0, 5.0]
    while goals[-1] < most:
        goals += [2 * goals[-1], 4 * goals[-1], 10 * goals[-1]]
    return [goal for goal in goals if goal <= most]


def _between(
    front: Front,
    stairs: Staircase,
    start: Step,
    end: Step,
    metrics: Sequence[Mapping[str, float]],
    regions: Sequence[set[int]],
) -> TradeOff:
    loss, loss_before, loss_after = stairs.loss, start.loss, end.loss
    if loss.name == "loss" and all("normalized-loss" in metrics[s.first.id] for s in (start, end)):
        # The same loss as a share of all cells: a number of cells tells people little.
        loss = metric_named("normalized-loss")
        loss_before = metrics[start.first.id][loss.name]
        loss_after = metrics[end.first.id][loss.name]
    falls = privacy_falls(front, start.first, end.first)
    inside = any(start.first.id in region and end.first.id in region for region in regions)
    return TradeOff(
        privacy=stairs.privacy,
        loss=loss,
        start=start.first.id,
        end=end.first.id,
        privacy_before=start.privacy,
        privacy_after=end.privacy,
        loss_before=loss_before,
        loss_after=loss_after,
        flat=inside and not falls,
        falls=falls,
    )
