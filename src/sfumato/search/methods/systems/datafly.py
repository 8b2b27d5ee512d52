"""Datafly: the column with the most distinct values is generalized until k rows are left over.

Sweeney, *Achieving k-anonymity privacy protection using generalization and suppression*, Int. J.
of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002, section 4 (core Datafly). Where
two columns have as many values, the first in the order of the study is taken; the source leaves
that open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.result import Progress, SearchResult
from sfumato.search.systems.asked_k import asked_k, check_allows

if TYPE_CHECKING:
    from sfumato.search.problem import Problem


def datafly(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the recoding of Datafly: one node of the lattice.

    While more than k rows lie in classes below k, the column with the most distinct values goes up
    one level. The rows that are left in such classes are suppressed: at most k, by its own rule.
    """
    k = asked_k(problem, method=METHOD.name)
    check_allows(problem, k, method=METHOD.name)
    tables = problem.tables
    lattice = tables.lattice
    node, tested = lattice.bottom, 0
    while True:
        batch = tables.group(np.array([node], dtype=np.int64))
        left = int(batch.sizes[batch.units < k].sum())
        tested += 1
        if left <= k or node == lattice.top:
            break
        going = control.goes_on(
            Progress(settled=tested, nodes=lattice.nodes, evaluated=tested, front_size=0)
        )
        if not going:
            return _result(problem, None, tested, f"the search was stopped with {left:,} rows left")
        distinct = [
            int(np.count_nonzero(book.block_rows[level])) if level < top else -1
            for book, level, top in zip(tables.level_books, node, lattice.top, strict=True)
        ]
        column = int(np.argmax(distinct))
        node = tuple(level + (q == column) for q, level in enumerate(node))
    if left == problem.table.rows:
        raise nothing_meets(problem)
    progress = Progress(settled=tested, nodes=lattice.nodes, evaluated=tested, front_size=1)
    control.goes_on(progress)
    return _result(
        problem,
        node,
        tested,
        f"Datafly generalized {tested - 1} times, until at most k = {k} rows were left in smaller "
        "classes; other recodings may lose less",
    )


def _result(
    problem: Problem, node: tuple[int, ...] | None, tested: int, reason: str
) -> SearchResult:
    found = EvaluatedPoints(problem)
    found.evaluate(() if node is None else (node,))
    return SearchResult(
        front=found.front(),
        method=METHOD.name,
        exact=False,
        evaluated=tested,
        nodes=problem.tables.lattice.nodes,
        reason=reason,
        finished=node is not None,
    )


METHOD = SearchMethod(
    name="datafly",
    summary="Sweeney's Datafly: the column with the most values goes up until few rows are left",
    search=datafly,
    capabilities=SearchCapabilities(criteria=CriteriaUse.NEEDED),
)
