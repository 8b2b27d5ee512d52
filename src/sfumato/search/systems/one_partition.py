"""The result of a system that returns one partition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, pack
from sfumato.search.result import SearchResult

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.search.problem import Problem


def one_partition(
    problem: Problem, string: Flags, *, method: str, tested: int, reason: str, finished: bool
) -> SearchResult:
    """Return a result with one partition, if it meets the criteria, and how many were tested."""
    found = EvaluatedStrings(problem, threads=1)
    found.evaluate(pack(string[None]))
    return SearchResult(
        front=found.front(),
        method=method,
        exact=False,
        evaluated=tested,
        nodes=problem.partitions.size,
        reason=reason,
        finished=finished,
    )
