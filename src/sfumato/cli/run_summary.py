"""A run in a few sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import Policy, Threshold
from sfumato.cli.metric_text import share_text
from sfumato.errors.listing import counted
from sfumato.front.decisions.metric import objective_metrics
from sfumato.search.space_size import written_size

if TYPE_CHECKING:
    from sfumato.classes.suppression import Suppression
    from sfumato.search.result import SearchResult
    from sfumato.study.runs.run import Run


def run_summary(run: Run) -> str:
    """Return what was searched, how, and whether the front is the exact one."""
    result, source = run.result, run.source
    metrics = objective_metrics(result.front)
    objectives = ", ".join(
        f"{metric.name} ({metric.unit}, {metric.direction.value} is better)" for metric in metrics
    )
    dropped = f", {source.dropped_rows:,} left out with missing values"
    rows = f"{source.rows:,} of {source.path}{dropped if source.dropped_rows else ''}"
    exact = "exact" if result.exact else "not proved exact"
    return "\n".join(
        (
            f"rows         {rows}",
            f"objectives   {objectives}",
            f"suppression  {suppression_text(run.study_file.study.policy, source.rows)}",
            *_criteria(run),
            f"search       {result.method}, {result.evaluated:,} of {written_size(result.nodes)} "
            f"recodings evaluated{_pruned(result)}",
            f"{_found(result)} {counted(len(result.front), 'solution')}, {exact}: {result.reason}",
        )
    )


def _criteria(run: Run) -> list[str]:
    given = ", ".join(map(str, run.study_file.study.criteria))
    return [f"criteria     {given}"] if given else []


def _pruned(result: SearchResult) -> str:
    """Return what a search for minimal recodings did not have to test."""
    if result.minimal is None:
        return ""
    some = "of them with some quasi-identifiers only"
    others = "pruned" if result.finished else "not tested"
    return f" ({result.minimal.partial:,} {some}), {result.minimal.pruned:,} {others}"


def _found(result: SearchResult) -> str:
    """Return what the solutions are: a front, or all that is minimal, dominated or not."""
    return "minimal     " if result.minimal is not None else "front       "


def suppression_text(suppression: Suppression, rows: int) -> str:
    """Return what a suppression policy allows.

    >>> from sfumato.classes.suppression import limited
    >>> suppression_text(limited(0.01), 30162)
    'at most 301 rows (0.998 %), the smallest classes first'
    """
    if suppression.policy is Policy.NONE:
        return "none"
    if suppression.policy is Policy.GIVEN_K:
        return f"every class of fewer than {counted(suppression.k or 0, 'row')}"
    if suppression.policy is Policy.BELOW_WEIGHTED_K:
        return "every class smaller than the recoding's weighted-k"
    budget = suppression.budget(rows) or 0
    if suppression.criteria:
        return (
            f"the classes that fail, at most {counted(budget, 'row')} ({share_text(budget, rows)})"
        )
    every = ", every threshold within it tried" if suppression.threshold is Threshold.EVERY else ""
    return (
        f"at most {counted(budget, 'row')} ({share_text(budget, rows)}), the smallest classes "
        f"first{every}"
    )
