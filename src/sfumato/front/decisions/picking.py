"""Picking a solution of a front by a rule (docs/picking.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, UnmetError
from sfumato.errors.listing import counted
from sfumato.front.decisions.constrained_front import ConstrainedFront
from sfumato.front.decisions.flat_regions import flat_regions
from sfumato.front.decisions.knee import balances, knee, knee_weighs
from sfumato.front.decisions.metric import objective_metrics
from sfumato.front.decisions.pick_rule import Choice, read_pick_rule
from sfumato.measures.measure import Direction, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.front.decisions.flat_regions import FlatRegion
    from sfumato.front.decisions.pick_rule import PickRule
    from sfumato.front.front import Front, Solution


NO_POLICY = "the study has no policy (require under [release])"
"""What is said where there is nothing to start from."""


@dataclass(frozen=True, kw_only=True)
class Pick:
    """A solution and, in words, why it is the one."""

    solution: Solution
    reason: str


def pick(
    rule: str | None,
    front: Front,
    metrics: Sequence[Mapping[str, float]] | None = None,
    *,
    policy: Sequence[ClassCriterion | str] = (),
) -> Pick:
    """Return the solution that a rule picks; without a rule, the one that ``policy`` does.

    ``metrics`` has all metrics of every solution, in order; unless given, a rule may ask for the
    objectives of the front. ``policy`` is what the rule ``policy``
    asks for: the ``require`` of the study. Of the solutions that satisfy the
    constraints of the rule, the one with the least loss is picked; if the constraints are about
    loss only, the one with the most privacy. If none satisfies them, UnmetError says how near the
    front comes.
    """
    read = read_rule(rule, policy=policy)
    measured = _objectives(front) if metrics is None else metrics
    asked = ConstrainedFront.of(read, front, measured, policy=policy)
    fitting = asked.fitting()
    if asked.rule.id is not None:
        return _picked(fitting[0], "as asked")
    if asked.rule.choice is Choice.KNEE:
        weighed = knee_weighs(front, among=fitting)
        balance = f", the best balance of {weighed}" if weighed else ""
        return _picked(_knee(asked, fitting), f"the knee of {_whom(asked, fitting)}{balance}")
    if asked.rule.choice is Choice.FLAT:
        allowed = {solution.id for solution in fitting}
        ending = [region for region in _regions(asked) if region.end.id in allowed]
        if not ending:
            raise _not_flat(asked)
        return _picked(ending[0].end, f"the far end of the flat region {_described(ending[0])}")
    return _best(asked, fitting)


def read_rule(rule: str | None, *, policy: Sequence[ClassCriterion | str] = ()) -> PickRule:
    """Return a rule as it is read; refuse none where there is no policy to start from."""
    if rule is None and not policy:
        raise SettingsError(
            f"no rule picks a solution, and {NO_POLICY}",
            code="no-policy",
            key="rule",
            expected="a rule like 'k>=5' (--pick on the command line), or require = [\"k>=5\"] "
            "under [release] of the study",
        )
    return read_pick_rule(Choice.POLICY.value if rule is None else rule)


def opening(
    front: Front,
    metrics: Sequence[Mapping[str, float]],
    *,
    policy: Sequence[ClassCriterion | str] = (),
) -> Pick:
    """Return the solution that a page opens with: the least loss that meets the policy.

    Without a policy the reason says so, and it is the knee, or the best balanced solution if the
    front has no knee.
    """
    if policy:
        return pick(None, front, metrics, policy=policy)
    found = knee(front)
    if found is not None:
        chosen = pick(Choice.KNEE.value, front, metrics)
    else:
        balance = balances(front)
        best = front.solutions[balance.index(max(balance))]
        weighed = knee_weighs(front)
        chosen = _picked(best, f"the best balance{f' of {weighed}' if weighed else ''}")
    return Pick(solution=chosen.solution, reason=f"{chosen.reason}, because {NO_POLICY}")


def select(
    rule: str,
    front: Front,
    metrics: Sequence[Mapping[str, float]] | None = None,
    *,
    policy: Sequence[ClassCriterion | str] = (),
) -> tuple[Solution, ...]:
    """Return all solutions that a rule allows, by id: UnmetError if there are none.

    With constraints, those that satisfy them; with ``flat``, those of them in flat regions; with
    ``knee`` or an id, the one.
    """
    measured = _objectives(front) if metrics is None else metrics
    asked = ConstrainedFront.of(read_pick_rule(rule), front, measured, policy=policy)
    fitting = asked.fitting()
    if asked.rule.choice is Choice.KNEE:
        return (_knee(asked, fitting),)
    if asked.rule.choice is Choice.FLAT:
        flat = {solution.id for region in _regions(asked) for solution in region.solutions}
        found = tuple(solution for solution in fitting if solution.id in flat)
        if not found:
            raise _not_flat(asked)
        return found
    return fitting


def _objectives(front: Front) -> tuple[Mapping[str, float], ...]:
    return tuple(solution.values for solution in front)


def _picked(solution: Solution, why: str) -> Pick:
    return Pick(solution=solution, reason=f"solution {solution.id}: {why}")


def _whom(asked: ConstrainedFront, fitting: Sequence[Solution]) -> str:
    if not asked.rule.said:
        return "the front"
    return f"the {counted(len(fitting), 'solution')} with {asked.rule.said}"


def _knee(asked: ConstrainedFront, fitting: Sequence[Solution]) -> Solution:
    found = knee(asked.front, among=fitting)
    if found is None:
        raise UnmetError(
            f"there is no knee in {_whom(asked, fitting)}: no solution lies beyond the line "
            "between the extremes",
            code="no-knee",
            remedy="pick by a constraint like k>=5, or by id",
        )
    return found


def _regions(asked: ConstrainedFront) -> tuple[FlatRegion, ...]:
    freedom = asked.rule.freedom
    found = flat_regions(asked.front if freedom is None else asked.front.with_freedom(freedom))
    if not found:
        raise UnmetError(
            "the front has no flat region: nowhere is privacy much cheaper than on the whole with "
            "none of its objectives getting worse",
            code="no-flat-region",
            remedy="pick by a constraint like k>=5, or by id",
        )
    return found


def _not_flat(asked: ConstrainedFront) -> UnmetError:
    ends = ", ".join(str(region.end.id) for region in _regions(asked))
    return UnmetError(
        f"no flat region has {asked.rule.said}; the flat regions end at solution {ends}",
        code="no-flat-region",
        found=asked.rule.said,
    )


def _described(region: FlatRegion) -> str:
    name, start, end = region.privacy.name, region.start, region.end
    added = region.loss.written(region.loss_gain)
    if region.loss.percent:
        added = added.replace(" %", " percentage points")
    return (
        f"from {name} = {region.privacy.written(start.values[name])} (solution {start.id}) to "
        f"{name} = {region.privacy.written(end.values[name])}, which adds {added} of "
        f"{region.loss.name}"
    )


def _best(asked: ConstrainedFront, fitting: Sequence[Solution]) -> Pick:
    """Pick by the objectives in turn: those of the sought kind first, constrained ones later."""
    kinds = {metric.kind for metric in asked.constrained}
    sought = Kind.PRIVACY if kinds == {Kind.LOSS} else Kind.LOSS
    turns = sorted(
        objective_metrics(asked.front),
        key=lambda metric: (metric.kind is not sought, metric.name in asked.names),
    )
    costs = {s.id: [metric.cost(s.values[metric.name]) for metric in turns] for s in fitting}
    chosen = min(fitting, key=lambda solution: (costs[solution.id], solution.id))
    best = "greatest" if turns[0].direction is Direction.HIGHER else "least"
    tied = sum(cost == costs[chosen.id] for cost in costs.values())
    ties = f", the first of {tied} with the same objectives" if tied > 1 else ""
    return _picked(chosen, f"{best} {turns[0].name} among {len(fitting)} with {asked.said}{ties}")
