"""The solutions of a run, the one that a rule picks, and what a publisher could have instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.decisions.alternatives import alternatives
from sfumato.front.decisions.metric import metric_named
from sfumato.front.decisions.picking import select
from sfumato.measures.catalogue import measure
from sfumato.views.run.column_view import column_views
from sfumato.views.run.freedoms_view import exactness, freedoms_view
from sfumato.views.run.solution_view import every_threshold, solution_views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.front.decisions.alternatives import Tolerance
    from sfumato.front.decisions.flat_regions import FlatRegion
    from sfumato.front.front import Solution
    from sfumato.measures.measure import Direction
    from sfumato.study.runs.run import Run
    from sfumato.views.run.column_view import ColumnView
    from sfumato.views.run.freedoms_view import FreedomsView
    from sfumato.views.run.solution_view import SolutionView


@dataclass(frozen=True, kw_only=True)
class PickView:
    """The solution that a rule picks, why, and what it makes of every quasi-identifier."""

    id: int
    reason: str
    columns: tuple[ColumnView, ...]


@dataclass(frozen=True, kw_only=True)
class FrontView:
    """Solutions of a front: all ``size`` of them, or those that a rule allows.

    ``every_threshold`` says that they differ in their thresholds of suppression too, ``freedoms``
    what each freedom of recoding loses where there are several. ``policy`` is what the study
    requires of a release. ``pick`` is what the rule picks, or without one what the policy does.
    """

    run: str
    objectives: Mapping[str, Direction]
    exact: bool
    exactness: str
    rows: int
    size: int
    every_threshold: bool
    solutions: tuple[SolutionView, ...]
    freedoms: FreedomsView | None
    policy: tuple[str, ...]
    pick: PickView | None


def front_view(run: Run, *, rule: str | None = None, sort: str | None = None) -> FrontView:
    """Return the solutions of a run that a rule allows, the best in a measure first.

    ``sort`` is a measure, ``suppressed`` or ``id``, which is the default.
    """
    front = run.result.front
    solutions: Sequence[Solution] = front.solutions
    picked = None
    if rule is not None:
        solutions = select(rule, front, run.metrics, policy=run.policy)
    if rule is not None or (run.policy and front.solutions):
        chosen = run.pick(rule)
        picked = PickView(
            id=chosen.solution.id,
            reason=chosen.reason,
            columns=column_views(
                run.columns,
                chosen.solution.recoding,
                run.study_file.study,
                labels=run.details[chosen.solution.id].labels,
            ),
        )
    return FrontView(
        run=str(run.folder),
        objectives=front.objectives,
        exact=run.result.exact,
        exactness=exactness(run),
        rows=run.source.rows,
        size=len(front),
        every_threshold=every_threshold(run),
        solutions=solution_views(
            run, _sorted(run, solutions, sort), keep=None if picked is None else picked.id
        ),
        freedoms=freedoms_view(run),
        policy=tuple(map(str, run.policy)),
        pick=picked,
    )


def _sorted(run: Run, solutions: Sequence[Solution], by: str | None) -> Sequence[Solution]:
    if by is None or by == "id":
        return solutions
    if by == "suppressed":
        return sorted(solutions, key=lambda solution: solution.suppressed)
    name = known_measure(run, by, option="--sort")
    metric = metric_named(name)
    return sorted(solutions, key=lambda s: metric.cost(run.details[s.id].metrics[name]))


def known_measure(run: Run, name: str, *, option: str) -> str:
    """Return the text of a measure as the run has it; refuse one that the run does not have."""
    if name in run.before.metrics:
        return name
    text = str(measure(name))
    if text not in run.before.metrics:
        raise SettingsError(
            f"the run has no metrics of {text!r}",
            code="unknown-metric",
            key=option,
            found=repr(text),
            expected=tuple(run.before.metrics),
            remedy=f"name {text!r} among the objectives to have it",
        )
    return text


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
