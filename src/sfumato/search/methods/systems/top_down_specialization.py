"""Top-down specialization: blocks are divided where the class label gains most.

Fung, Wang and Yu, *Top-down specialization for information and privacy preservation*, ICDE 2005.
Constrained columns are divided along their trees; an interval of any other column is divided where
it gains most, as the publication does for continuous ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.result import Progress, SearchResult
from sfumato.search.space import Space
from sfumato.search.systems.asked_k import asked_k
from sfumato.search.systems.labelled_steps import LabelledSteps, Step
from sfumato.search.systems.one_partition import one_partition

if TYPE_CHECKING:
    from sfumato.search.problem import Problem


def top_down_specialization(
    problem: Problem, *, control: SearchControl = DEFAULT_CONTROL
) -> SearchResult:
    """Return the recoding of TDS: from everything joined, the best division after the other.

    A division is valid if all classes keep k rows, and beneficial if its block has several labels.
    The one with the greatest InfoGain / (AnonyLoss + 1) is made, AnonyLoss being by how much the
    smallest class shrinks; of equal ones the first. Nothing is suppressed.
    """
    k = asked_k(problem, method=METHOD.name)
    steps = LabelledSteps(problem, method=METHOD.name)
    chosen, tested = 0, 1
    least = int(steps.least_classes([chosen])[0])
    if least < k:
        raise nothing_meets(problem)
    going, made = True, 0
    while going:
        open_steps = [step for step in steps.divisions(chosen) if step.mixed]
        sizes = steps.least_classes([step.chosen for step in open_steps]) if open_steps else ()
        tested += len(open_steps)
        best: tuple[float, Step, int] | None = None
        for step, size in zip(open_steps, map(int, sizes), strict=True):
            score = step.gain / (least - size + 1)
            if size >= k and (best is None or score > best[0]):
                best = score, step, size
        going = control.goes_on(
            Progress(settled=made, nodes=problem.partitions.size, evaluated=tested, front_size=1)
        )
        if best is None:
            break
        if going:
            _, step, least = best
            chosen, made = step.chosen, made + 1
    reason = (
        f"TDS divided {made} blocks, until every other division that tells of the label made a "
        f"class smaller than {k}; other recodings may lose less"
    )
    return one_partition(
        problem,
        steps.variables.string(chosen),
        method=METHOD.name,
        tested=tested,
        reason=reason if going else f"the search was stopped after {made} divisions",
        finished=going,
    )


METHOD = SearchMethod(
    name="tds",
    summary="top-down specialization: blocks are divided where a class label gains most",
    search=top_down_specialization,
    capabilities=SearchCapabilities(spaces=(Space.PARTITIONS,), criteria=CriteriaUse.NEEDED),
)
