"""MinGen: of all recodings that are k-anonymous, those with the greatest precision.

Sweeney, *Achieving k-anonymity privacy protection using generalization and suppression*, Int. J.
of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002, section 3. It is exhaustive: the
source gives it as a definition of the optimum, for generalization by column.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.measures.loss.precision import Precision
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.methods.systems.samarati import minimal_result
from sfumato.search.result import Progress

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

NODES_A_STEP = 64


def mingen(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the nodes that meet the criteria with the greatest precision.

    Every node is tested. A step of generalization without suppression lowers the precision, so
    that without suppression all of them are minimal.
    """
    lattice = problem.tables.lattice
    judged = replace(problem, objectives=(Precision(),))
    tested = EvaluatedPoints(judged)
    greatest = -1.0
    found: list[tuple[int, ...]] = []
    going = True
    every = iter(lattice)
    while nodes := list(itertools.islice(every, NODES_A_STEP)):
        tested.evaluate(nodes)
        for node in nodes:
            meeting = tested.values(node)[tested.meets(node), 0]
            best = float(meeting.max()) if meeting.size else -1.0
            if best > greatest:
                greatest, found = best, []
            if meeting.size and best == greatest:
                found.append(node)
        going = control.goes_on(
            Progress(
                settled=len(tested),
                nodes=lattice.nodes,
                evaluated=len(tested),
                front_size=len(found),
            )
        )
        if not going:
            break
    finished = len(tested) == lattice.nodes
    if finished and not found:
        raise nothing_meets(problem)
    reason = (
        f"{counted(len(found), 'recoding')} of all {lattice.nodes:,} that meet the criteria have "
        f"the greatest precision, {greatest:.4f}"
        if finished
        else f"the search was stopped after {counted(len(tested), 'recoding')}; others may be more "
        "precise"
    )
    chosen = EvaluatedPoints(problem, earlier=tested.counted)
    chosen.evaluate(found)
    return minimal_result(problem, chosen, found, METHOD.name, finished=finished, reason=reason)


METHOD = SearchMethod(
    name="mingen",
    summary="Sweeney's MinGen: the most precise recodings that meet criteria, of all",
    search=mingen,
    capabilities=SearchCapabilities(criteria=CriteriaUse.NEEDED),
)
