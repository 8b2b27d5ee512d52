"""A solution of a front as it is listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sfumato.classes.suppression import Threshold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run

Thing = TypeVar("Thing")


@dataclass(frozen=True, kw_only=True)
class SolutionView:
    """A solution: its recoding, its objective ``values`` and all ``metrics`` of the run.

    A recoding has ``levels``, or ``cuts`` if its columns are divided without levels; the other is
    None. Classes of fewer rows than ``threshold`` are suppressed.
    """

    id: int
    levels: Mapping[str, int] | None
    cuts: Mapping[str, tuple[int, ...]] | None
    values: Mapping[str, float]
    suppressed: int
    threshold: int
    classes: int
    metrics: Mapping[str, float]

    @property
    def coarseness(self) -> Mapping[str, int]:
        """The level of every quasi-identifier, or its number of blocks if it has no levels."""
        if self.cuts is not None:
            return {name: len(cuts) + 1 for name, cuts in self.cuts.items()}
        return self.levels or {}


def solution_views(run: Run, solutions: Iterable[Solution]) -> tuple[SolutionView, ...]:
    """Return solutions of a run as they are listed."""
    return tuple(
        SolutionView(
            id=solution.id,
            levels=dict(solution.levels) if solution.cuts is None else None,
            cuts=solution.cuts,
            values=solution.values,
            suppressed=solution.suppressed,
            threshold=solution.threshold,
            classes=run.details[solution.id].classes,
            metrics=run.details[solution.id].metrics,
        )
        for solution in solutions
    )


def every_threshold(run: Run) -> bool:
    """Say whether the search tried every threshold of suppression."""
    return run.study_file.study.suppression.threshold is Threshold.EVERY


def spread(things: Sequence[Thing], most: int) -> Sequence[Thing]:
    """Return at most ``most`` of several things, the first and the last among them, evenly spread.

    >>> spread(range(100), 4)
    [0, 33, 66, 99]
    """
    if len(things) <= most:
        return things
    last = len(things) - 1
    return [things[round(place * last / (most - 1))] for place in range(most)]
