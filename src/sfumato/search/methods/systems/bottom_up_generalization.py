"""Bottom-up generalization: blocks are joined where the class label loses least for privacy.

Wang, Yu and Chakraborty, *Bottom-up generalization: a data mining solution to privacy protection*,
ICDM 2004. The children of a node of a constrained column are joined together; in any other column
two neighbouring blocks are.
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


def bottom_up_generalization(
    problem: Problem, *, control: SearchControl = DEFAULT_CONTROL
) -> SearchResult:
    """Return the recoding of BUG: from everything apart, the best union after the other.

    Until all classes have k rows, the union with the least IP = I / P is made, I being the
    information about the label that it loses and P by how much the smallest class grows; IP = I
    where P is 0, which it is unless all smallest classes have a value of the block. Of equal ones
    the first is made. Nothing is suppressed.
    """
    k = asked_k(problem, method=METHOD.name)
    steps = LabelledSteps(problem, method=METHOD.name)
    chosen, tested, made, going = steps.variables.everything, 1, 0, True
    least = int(steps.least_classes([chosen])[0])
    if problem.table.rows < k or int(steps.least_classes([0])[0]) < k:
        raise nothing_meets(problem)
    while True:
        going = control.goes_on(
            Progress(settled=made, nodes=problem.partitions.size, evaluated=tested, front_size=0)
        )
        if least >= k or not going:
            break
        open_steps = steps.unions(chosen)
        critical = steps.critical(chosen, open_steps)
        tried = [step.chosen for step, it in zip(open_steps, critical, strict=True) if it]
        grown = iter(steps.least_classes(tried).tolist() if tried else ())
        tested += len(tried)
        best: tuple[float, Step, int] | None = None
        for step, it in zip(open_steps, critical, strict=True):
            size = next(grown) if it else least
            score = step.gain / (size - least) if size > least else step.gain
            if best is None or score < best[0]:
                best = score, step, size
        assert best is not None, "everything joined has k rows in its class"
        _, step, least = best
        chosen, made = step.chosen, made + 1
    reason = (
        f"BUG joined blocks {made} times, until every class had {k} rows; other recodings may "
        "lose less"
    )
    finished = least >= k and going
    return one_partition(
        problem,
        steps.variables.string(chosen),
        method=METHOD.name,
        tested=tested,
        reason=reason if finished else f"the search was stopped after {made} unions",
        finished=finished,
    )


METHOD = SearchMethod(
    name="bug",
    summary="bottom-up generalization: blocks are joined where a class label loses least",
    search=bottom_up_generalization,
    capabilities=SearchCapabilities(spaces=(Space.PARTITIONS,), criteria=CriteriaUse.NEEDED),
)
