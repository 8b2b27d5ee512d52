"""The solutions of a run, and the one that a rule picks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.decisions.metric import metric_named
from sfumato.front.decisions.picking import select
from sfumato.measures.catalogue import measure
from sfumato.views.run.column_view import column_views
from sfumato.views.run.solution_view import every_threshold, solution_views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.front.front import Solution
    from sfumato.measures.measure import Direction
    from sfumato.study.runs.run import Run
    from sfumato.views.run.column_view import ColumnView
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

    ``every_threshold`` says that they differ in their thresholds of suppression too.
    """

    run: str
    objectives: Mapping[str, Direction]
    exact: bool
    rows: int
    size: int
    every_threshold: bool
    solutions: tuple[SolutionView, ...]
    pick: PickView | None


def front_view(run: Run, *, rule: str | None = None, sort: str | None = None) -> FrontView:
    """Return the solutions of a run that a rule allows, the best in a measure first.

    ``sort`` is a measure, ``suppressed`` or ``id``, which is the default.
    """
    front = run.result.front
    solutions: Sequence[Solution] = front.solutions
    picked = None
    if rule is not None:
        solutions = select(rule, front, run.metrics)
        chosen = run.pick(rule)
        places = {column.name: column.place(chosen.solution.recoding) for column in run.columns}
        picked = PickView(
            id=chosen.solution.id,
            reason=chosen.reason,
            columns=column_views(run.columns, places, run.study_file.study),
        )
    return FrontView(
        run=str(run.folder),
        objectives=front.objectives,
        exact=run.result.exact,
        rows=run.source.rows,
        size=len(front),
        every_threshold=every_threshold(run),
        solutions=solution_views(run, _sorted(run, solutions, sort)),
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
