"""k-Optimize: the partition that costs least at a given k, proved.

Bayardo and Agrawal, *Data privacy through optimal k-anonymization*, ICDE 2005. Sets of cuts are
enumerated; classes below k are suppressed. As published, a set is bounded from its own classes and
from those of all cuts that may still be added, cuts whose bound is no better than the best cost
leave the tail, and the cut that divides the most classes comes first. Column bounds are ours
(docs/method.md): they settle problems that the published ones do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import numpy as np

from sfumato.classes.suppression import Policy
from sfumato.errors import SettingsError
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, pack
from sfumato.search.guarantee import Guarantee
from sfumato.search.operators.partition_crossover import random_strings
from sfumato.search.partitions.box_bounds import ColumnBounds, PublishedBounds
from sfumato.search.partitions.cut_arrays import MEASURES
from sfumato.search.partitions.least_cost import LeastCost, LeastSoFar
from sfumato.search.result import Progress, SearchResult
from sfumato.search.setting_checks import check_choice, check_whole
from sfumato.search.space import Space, written_size
from sfumato.search.systems.asked_k import asked_k

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

BoundsOf = Literal["columns", "published"]


@dataclass(frozen=True, kw_only=True)
class KOptimizeSettings:
    """Which bounds prune, and from how many random partitions a first best one is looked for.

    >>> KOptimizeSettings().bounds
    'columns'
    """

    bounds: Annotated[
        BoundsOf,
        "Bounds of single columns, the best first; or those of the publication, depth first.",
    ] = "columns"
    starts: Annotated[
        int, "From so many random partitions a first best one is looked for, column by column."
    ] = 20

    def __post_init__(self) -> None:
        check_choice("bounds", self.bounds, get_args(BoundsOf))
        check_whole("starts", self.starts, least=0)


DEFAULT_SETTINGS = KOptimizeSettings()


def k_optimize(
    problem: Problem,
    *,
    settings: KOptimizeSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return a partition of least cost, or the best one and how much better another can be.

    The cost is the first objective among loss, dm and cm. Partitions that cost the same are not
    looked for.
    """
    k, measure = _asked(problem)
    rows = problem.table.rows
    budget = rows if problem.budget is None else problem.budget
    family = ColumnBounds if settings.bounds == "columns" else PublishedBounds
    bounds = family(problem, measure, k, budget)
    search = LeastCost(bounds, best_first=settings.bounds == "columns")
    rng = np.random.Generator(np.random.PCG64(control.seed))
    starts = random_strings(problem.partitions, settings.starts, rng=rng)
    evaluated = EvaluatedStrings(problem, threads=1)
    size, finished = problem.partitions.size, True
    for state in search.run(starts):
        if np.isfinite(state.cost):
            evaluated.evaluate(pack(state.string[None]))
        if not control.goes_on(
            Progress(
                settled=state.settled,
                nodes=size,
                evaluated=len(evaluated),
                front_size=len(evaluated.best),
            )
        ):
            finished = state.settled == size
            break
    if finished and not evaluated.best:
        raise nothing_meets(problem)
    scale = rows if measure == "cm" else 1
    proved = search.proved()
    guarantee = _guarantee(problem, state, proved, scale)
    return SearchResult(
        front=evaluated.front(),
        method=METHOD.name,
        exact=False,
        evaluated=len(evaluated),
        nodes=size,
        reason=_reason(measure, state, proved, scale, size, finished=finished),
        finished=finished,
        guarantee=guarantee,
    )


def _asked(problem: Problem) -> tuple[int, str]:
    """Return the k below which classes are suppressed, and the measure of cost."""
    measure = next((str(o) for o in problem.objectives if str(o) in MEASURES), None)
    if measure is None:
        raise SettingsError(
            f"method {METHOD.name!r} minimizes one of {', '.join(MEASURES)}, and the objectives "
            f"are {', '.join(problem.names)}",
            code="missing-setting",
            key="objectives",
            found=", ".join(problem.names),
            expected=tuple(MEASURES),
            remedy="add one of them, or choose the method 'nsga-ii'",
        )
    if problem.table.people is not None:
        raise SettingsError(
            f"method {METHOD.name!r} counts rows, and the study has a person key",
            code="conflicting-settings",
            key="person",
            found="a person key",
            remedy="choose the method 'genitor' or 'nsga-ii'",
        )
    suppression = problem.suppression
    if suppression.policy is Policy.BELOW_WEIGHTED_K:
        raise SettingsError(
            f"method {METHOD.name!r} suppresses classes below a given k, and the suppression "
            f"policy is {suppression.policy.value!r}",
            code="conflicting-settings",
            key="policy",
            found=repr(suppression.policy.value),
            expected="'given-k' with a k, like 5; or 'limit' with criteria, like k>=5",
        )
    if suppression.policy is not Policy.GIVEN_K:
        return asked_k(problem, method=METHOD.name), measure
    assert suppression.k is not None, "the policy has checked that there is a k"
    if suppression.criteria and asked_k(problem, method=METHOD.name) > suppression.k:
        raise SettingsError(
            f"classes of {suppression.k} rows are kept by the suppression policy, and refused by "
            f"the criterion k>={suppression.least_size}",
            code="conflicting-settings",
            key="criteria",
            found=f"k>={suppression.least_size}",
            expected=f"at most k>={suppression.k}, or no criteria",
        )
    return suppression.k, measure


def _reason(
    measure: str, state: LeastSoFar, proved: float, scale: int, size: int, *, finished: bool
) -> str:
    least = state.cost / scale
    looked = f"{state.boxes:,} boxes of the {written_size(size)} partitions were bounded"
    if finished:
        return f"no partition has a {measure} below {least:.10g}, others may be as good; {looked}"
    if not np.isfinite(least):
        return f"the search was stopped before anything met the criteria; {looked}"
    gap = f"{(state.cost - proved) / state.cost:.2%}" if state.cost else "0 %"
    return (
        f"the search was stopped with a {measure} of {least:.10g}; no partition has one below "
        f"{max(0.0, proved / scale):.10g}, so that the best can be {gap} lower at most; {looked}"
    )


def _guarantee(problem: Problem, state: LeastSoFar, proved: float, scale: int) -> Guarantee | None:
    """Return what is proved, where the cost is the only objective."""
    if len(problem.objectives) > 1:
        return None
    name = problem.names[0]
    slack = max(0.0, state.cost - max(0.0, proved)) / scale
    return Guarantee(
        epsilon=slack / (state.cost / scale) if state.cost else 0.0,
        scales={name: state.cost / scale},
        slacks={name: slack},
        single_slacks={name: slack},
        settled=state.settled,
        nodes=problem.partitions.size,
    )


METHOD = SearchMethod(
    name="k-optimize",
    summary="the partition that costs least at a given k, proved; or how far the best can be",
    search=k_optimize,
    settings=KOptimizeSettings,
    capabilities=SearchCapabilities(spaces=(Space.PARTITIONS,), criteria=CriteriaUse.KEPT),
)
