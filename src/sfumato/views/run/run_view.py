"""A run as ``sfumato search`` shows it: what was searched, how, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.search.space_size import size_record
from sfumato.views.run.run_facts import run_facts
from sfumato.views.run.solution_view import every_threshold, solution_views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.measures.measure import Direction
    from sfumato.search.guarantee import Guarantee
    from sfumato.search.result import MinimalRecodings
    from sfumato.study.runs.run import Run
    from sfumato.views.run.solution_view import SolutionView
    from sfumato.views.texts import Fact


@dataclass(frozen=True, kw_only=True)
class RunView:
    """What was searched and found.

    ``nodes`` is the number of recodings that there are, as a hexadecimal text where it is too
    large for readers of JSON. ``resumable`` says that the search was stopped and can go on,
    ``every_threshold`` that solutions differ in their thresholds of suppression too.
    """

    run: str
    facts: tuple[Fact, ...]
    objectives: Mapping[str, Direction]
    exact: bool
    finished: bool
    resumable: bool
    reason: str
    method: str
    evaluations: int
    nodes: int | str
    guarantee: Guarantee | None
    minimal: MinimalRecodings | None
    rows: int
    every_threshold: bool
    solutions: tuple[SolutionView, ...]


def run_view(run: Run) -> RunView:
    """Return what a search has found."""
    result = run.result
    return RunView(
        run=str(run.folder),
        facts=run_facts(run),
        objectives=result.front.objectives,
        exact=result.exact,
        finished=result.finished,
        resumable=result.state is not None,
        reason=result.reason,
        method=result.method,
        evaluations=result.evaluated,
        nodes=size_record(result.nodes),
        guarantee=result.guarantee,
        minimal=result.minimal,
        rows=run.source.rows,
        every_threshold=every_threshold(run),
        solutions=solution_views(run, result.front),
    )
