"""What a publisher could have instead of a choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.alternatives import alternatives
from sfumato.front.decisions.metric import metric_named
from sfumato.views.run.solution_view import every_threshold, solution_views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.decisions.alternatives import Tolerance
    from sfumato.front.decisions.flat_regions import FlatRegion
    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run
    from sfumato.views.run.solution_view import SolutionView


@dataclass(frozen=True, kw_only=True)
class RegionView:
    """The flat region that a choice lies in: its ends, and what it costs to cross it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class AlternativesView:
    """Solutions that could take the place of a choice, the best of each kind first.

    ``choice`` is what was ``chosen``, in words; ``partial`` says that it leaves objectives open.
    """

    run: str
    chosen: Mapping[str, float]
    choice: str
    partial: bool
    tolerance: Tolerance
    every_threshold: bool
    at_no_cost: tuple[SolutionView, ...]
    more_privacy: tuple[SolutionView, ...]
    less_loss: tuple[SolutionView, ...]
    flat_region: RegionView | None


def alternatives_view(
    run: Run, choice: Solution | Mapping[str, float], *, tolerance: Tolerance
) -> AlternativesView:
    """Return what a front has instead of one of its solutions, or of wished metrics."""
    objectives = run.result.front.objectives
    found = alternatives(run.result.front, choice, tolerance=tolerance)
    return AlternativesView(
        run=str(run.folder),
        chosen=found.chosen,
        choice=", ".join(
            f"{name} = {metric_named(name, direction=objectives.get(name)).written(value)}"
            for name, value in found.chosen.items()
        ),
        partial=len(found.chosen) < len(objectives),
        tolerance=tolerance,
        every_threshold=every_threshold(run),
        at_no_cost=solution_views(run, found.at_no_cost),
        more_privacy=solution_views(run, found.more_privacy),
        less_loss=solution_views(run, found.less_loss),
        flat_region=None if found.region is None else _region(found.region),
    )


def _region(region: FlatRegion) -> RegionView:
    name, loss = region.privacy.name, region.loss
    ends = (region.start, region.end)
    start, end = (region.privacy.written(each.values[name]) for each in ends)
    low, high = (loss.written(each.values[loss.name]) for each in ends)
    return RegionView(
        start=region.start.id,
        end=region.end.id,
        text=f"from {name} = {start} (solution {region.start.id}) to {name} = {end} (solution "
        f"{region.end.id}) the {loss.name} goes from {low} to {high}",
    )
