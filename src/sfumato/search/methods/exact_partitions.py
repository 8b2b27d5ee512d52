"""Exact fronts of partitions: branch and bound over cuts, for all k at once.

k-Optimize (Bayardo and Agrawal, ICDE 2005) proves one optimum at one k by enumerating sets of cuts.
Here boxes of such sets are divided, with the bounds of all objectives, until the front of the whole
space is proved (docs/method.md, "Exact fronts of partitions"). A search that is stopped says how
far the truth can be from its front.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, pack
from sfumato.search.guarantee import gap, guaranteed
from sfumato.search.partitions.boxes_of_cuts import CutBox, CutEvidence, has_partition_bound
from sfumato.search.partitions.cut_variables import CutVariables
from sfumato.search.result import Progress, SearchResult
from sfumato.search.space import Space, written_size

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.search.problem import Problem


def exact_partitions(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front of the partitions, or what is proved when it is stopped.

    A box is discarded only if a point of the front is at least as good as all its bounds and
    better in one, so that ties are kept. The box with the greatest gap is divided first.
    """
    _check(problem)
    variables = CutVariables.of(problem.partitions)
    evidence = CutEvidence(problem, variables)
    evaluated = EvaluatedStrings(problem, threads=1)
    signs = np.array([-1.0 if d is Direction.HIGHER else 1.0 for d in problem.directions])
    scales = _scales(evidence, variables, problem.names)
    sides = np.array(list(scales.values()))
    size, settled = problem.partitions.size, 0
    whole = CutBox(0, variables.everything)
    # The greatest gap first; of equal ones the box that came first.
    heap: list[tuple[float, int, CutBox]] = [(-np.inf, 0, whole)]
    pushed, going = 1, True
    while heap and going:
        _, _, box = heapq.heappop(heap)
        evaluated.evaluate(pack(np.stack([variables.string(each) for each in set(box)])))
        costs = evaluated.best_values * signs
        if box.single or excluded(costs, evidence.bounds(box)):
            settled += variables.size(*box)
        else:
            for half in box.halves(variables, _dividing(box, variables)):
                bounds = evidence.bounds(half)
                heapq.heappush(heap, (-gap(costs, bounds, sides), pushed, half))
                pushed += 1
        going = control.goes_on(
            Progress(
                settled=settled,
                nodes=size,
                evaluated=len(evaluated),
                front_size=len(evaluated.best),
            )
        )
    if not heap and not evaluated.best:
        raise nothing_meets(problem)
    costs = evaluated.best_values * signs
    open_bounds = [evidence.bounds(box) for _, _, box in heap]
    bounds = np.array(open_bounds).reshape(-1, len(signs))
    proof = guaranteed(costs, bounds, scales, settled=settled, nodes=size)
    return SearchResult(
        front=evaluated.front(),
        method=METHOD.name,
        exact=not heap,
        evaluated=len(evaluated),
        nodes=size,
        reason="every partition that was not evaluated is excluded by a proved bound"
        if not heap
        else f"the search was stopped when {written_size(settled)} of {written_size(size)} "
        f"partitions were settled; {proof.in_words()}",
        finished=not heap,
        guarantee=None if not heap else proof,
    )


def excluded(costs: Floats, bounds: Floats) -> bool:
    """Say whether a point is at least as good as all bounds, and better in one."""
    return bool(((costs <= bounds).all(axis=1) & (costs < bounds).any(axis=1)).any())


def _dividing(box: CutBox, variables: CutVariables) -> int:
    """Return the open variable on which the most others depend; of equal ones the middle one."""
    free = box.allowed & ~box.fixed
    members = variables.members(free)
    weights = [(variables.with_dependent[v] & free).bit_count() for v in members]
    most = [v for v, weight in zip(members, weights, strict=True) if weight == max(weights)]
    return most[len(most) // 2]


def _scales(
    evidence: CutEvidence, variables: CutVariables, names: tuple[str, ...]
) -> dict[str, float]:
    """Return how far apart the bounds at the two ends of the space are, by objective."""
    ends = [evidence.bounds(CutBox(end, end)) for end in (0, variables.everything)]
    apart = np.abs(ends[0] - ends[1])
    return {
        name: float(side) if np.isfinite(side) and side > 0 else 1.0
        for name, side in zip(names, apart, strict=True)
    }


def _check(problem: Problem) -> None:
    lacking = [str(o) for o in problem.objectives if not has_partition_bound(o, problem)]
    if lacking:
        raise SettingsError(
            f"method {METHOD.name!r} needs a bound for every objective, and none is proved for "
            f"{', '.join(map(repr, lacking))} under suppression policy "
            f"{problem.suppression.policy.value!r}",
            code="no-bound",
            key="objectives",
            found=", ".join(lacking),
            remedy="use method 'nsga-ii', or the suppression policy 'none' or 'limit'",
        )


METHOD = SearchMethod(
    name="exact-partitions",
    summary="the exact front of partitions, or how far it can be when the search is stopped",
    search=exact_partitions,
    capabilities=SearchCapabilities(spaces=(Space.PARTITIONS,), criteria=CriteriaUse.KEPT),
)
