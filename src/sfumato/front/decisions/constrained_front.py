"""The part of a front that satisfies constraints, and how near it comes if nothing does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, UnmetError
from sfumato.errors.listing import counted
from sfumato.errors.suggestions import closest
from sfumato.front.decisions.criterion import MeasureCriterion, read_criteria
from sfumato.front.decisions.metric import SUPPRESSED, Metric, metric_named
from sfumato.front.decisions.pick_rule import Choice
from sfumato.measures.catalogue import measure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.front.decisions.pick_rule import Constraint, PickRule
    from sfumato.front.front import Front, Solution

LOSS = "loss"
NORMALIZED = "normalized-loss"


def check_constraint_names(rule: PickRule, known: Collection[str]) -> tuple[str, ...]:
    """Return, for every constraint of a rule, the name of its metric as ``known`` has it.

    ``known`` are the names of all metrics that can be asked about: the keys of a mapping of
    metrics, with ``suppressed`` if that is known. Any other name is an error that
    points at it and suggests the closest. Look values up by the returned names and not by those
    of the constraints, which may be written in another way (``recursive-l(c=3.0)``):

    >>> from sfumato.front.decisions.pick_rule import read_constraints
    >>> rule, metrics = read_constraints("k>=5, recursive-l(c=3.0)>=2"), {"k": 7.0}
    >>> metrics["recursive-l(c=3)"] = 1.0
    >>> names = check_constraint_names(rule, metrics)
    >>> [str(c) for c, name in zip(rule.constraints, names) if not c.holds(metrics[name])]
    ['recursive-l(c=3.0)>=2']
    """
    return tuple(_known_name(rule, constraint, known) for constraint in rule.constraints)


def _known_name(rule: PickRule, constraint: Constraint, known: Collection[str]) -> str:
    name = constraint.name
    if name in known:
        return name
    expected = tuple(sorted(known))
    try:
        name = str(measure(name))
    except SettingsError as error:
        written_out = "(" in name
        raise rule.fault(
            constraint.place,
            f"there is no metric {name!r}{f': {error}' if written_out else ''}",
            code="unknown-metric",
            found=repr(name),
            expected=expected,
            suggestion=None if written_out else closest(name, known, cutoff=0.5),
        ) from None
    if name not in known:
        raise rule.fault(
            constraint.place,
            f"there is no metric {name!r} here",
            code="unmeasured-metric",
            found=repr(name),
            expected=expected,
            remedy="or add it to the objectives of the study",
        )
    return name


@dataclass(frozen=True, kw_only=True)
class ConstrainedFront:
    """A front with all metrics of its solutions, and the constraints that a rule puts on them.

    ``metrics`` are by the ids of the solutions. ``names`` has, for every constraint, the name of
    its value as the front writes it. ``policy`` is what solutions must meet too, if the rule asks
    for the policy of the study.
    """

    rule: PickRule
    front: Front
    metrics: Mapping[int, Mapping[str, float]]
    names: tuple[str, ...]
    policy: tuple[MeasureCriterion, ...] = ()

    @classmethod
    def of(
        cls,
        rule: PickRule,
        front: Front,
        metrics: Sequence[Mapping[str, float]],
        *,
        policy: Sequence[ClassCriterion | str] = (),
    ) -> ConstrainedFront:
        """Look up the metrics that the constraints name, and the policy if the rule names it."""
        if len(metrics) != len(front):
            raise SettingsError(
                f"a front of {counted(len(front), 'solution')} needs as many sets of metrics, and "
                f"{len(metrics)} were given",
                code="wrong-length",
                key="metrics",
                found=str(len(metrics)),
                expected=str(len(front)),
            )
        if not front.solutions:
            raise UnmetError(
                "the front is empty: there is nothing to pick from", code="empty-front"
            )
        known = tuple(dict.fromkeys((*metrics[0], *front.objectives, SUPPRESSED)))
        names = check_constraint_names(rule, known)
        asked = _policy(rule, policy, known) if rule.choice is Choice.POLICY else ()
        by_id = {solution.id: own for solution, own in zip(front, metrics, strict=True)}
        return cls(rule=rule, front=front, metrics=by_id, names=names, policy=asked)

    @property
    def said(self) -> str:
        """The constraints and the policy in words."""
        policy = " and ".join(map(str, self.policy))
        parts = [*([f"the policy ({policy})"] if policy else []), self.rule.said]
        return " and ".join(part for part in parts if part)

    @property
    def constrained(self) -> tuple[Metric, ...]:
        """The metrics that the constraints name."""
        return tuple(
            metric_named(name, direction=self.front.objectives.get(name, constraint.wanted))
            for constraint, name in zip(self.rule.constraints, self.names, strict=True)
        )

    def fitting(self) -> tuple[Solution, ...]:
        """Return the solutions that satisfy all constraints: UnmetError if there are none."""
        asked = self.front.solutions if self.rule.id is None else (self.front[self.rule.id],)
        if self.rule.freedom is not None:
            asked = tuple(each for each in asked if each.freedom == self.rule.freedom)
        found = self._satisfying(asked, range(len(self.names)))
        if not found:
            raise UnmetError(
                self._how_near(asked),
                code="no-such-solution",
                found=self.rule.said,
                remedy=self._as_share(),
            )
        meeting = tuple(each for each in found if self._meets_policy(each))
        if not meeting:
            raise UnmetError(
                f"no solution has {self.said}",
                code="no-such-solution",
                found=self.said,
                remedy="search again: a search looks among recodings that meet the policy",
            )
        return meeting

    def _as_share(self) -> str | None:
        """Return what a share of loss is called, where a bound on the loss in cells is one."""
        for name, constraint in zip(self.names, self.rule.constraints, strict=True):
            measured = all(NORMALIZED in self.metrics[each.id] for each in self.front)
            if name == LOSS and 0 < constraint.bound < 1 and measured:
                share = f"{NORMALIZED}{constraint.comparison}{constraint.bound:.15g}"
                return f"{LOSS} counts cells; as a share of all cells that is {share}"
        return None

    def _meets_policy(self, solution: Solution) -> bool:
        return all(each.met_by(self._value(solution, str(each.measure))) for each in self.policy)

    def _value(self, solution: Solution, name: str) -> float:
        own = self.metrics[solution.id]
        if name in own:
            return own[name]
        return float(solution.suppressed) if name == SUPPRESSED else solution.values[name]

    def _satisfying(
        self, solutions: Sequence[Solution], places: Sequence[int]
    ) -> tuple[Solution, ...]:
        constraints = self.rule.constraints
        return tuple(
            solution
            for solution in solutions
            if all(constraints[p].holds(self._value(solution, self.names[p])) for p in places)
        )

    def _how_near(self, solutions: Sequence[Solution]) -> str:
        places = range(len(self.names))
        whole = "no solution has" if self.rule.id is None else f"solution {self.rule.id} lacks"
        said = [f"{whole} {self.rule.said}"]
        hopeless = [place for place in places if not self._satisfying(solutions, [place])]
        for place in hopeless or places:
            others = [] if hopeless else [other for other in places if other != place]
            said.append(self._nearest(place, self._satisfying(solutions, others), others))
        return "; ".join(part for part in said if part)

    def _nearest(self, place: int, solutions: Sequence[Solution], others: Sequence[int]) -> str:
        if not solutions:
            return ""
        name, constraint = self.names[place], self.rule.constraints[place]
        sign = -1 if constraint.at_least else 1
        near = min(solutions, key=lambda s: (sign * self._value(s, name), s.id))
        value = _written(self._value(near, name), constraint)
        if self.rule.id is not None:
            return f"its {name} is {value}"
        given = " and ".join(str(self.rule.constraints[other]) for other in others)
        return (
            f"{f'with {given} ' if given else ''}the {'largest' if sign < 0 else 'least'} {name} "
            f"is {value} (solution {near.id})"
        )


def _policy(
    rule: PickRule, policy: Sequence[ClassCriterion | str], known: Collection[str]
) -> tuple[MeasureCriterion, ...]:
    """Return the policy that a rule asks for; refuse the rule where there is none."""
    criteria = read_criteria(policy, key="require")
    measured = [each for each in criteria if isinstance(each, MeasureCriterion)]
    if not criteria:
        raise rule.fault(
            rule.text.find(Choice.POLICY),
            "the study has no policy",
            code="no-policy",
            found=Choice.POLICY.value,
            expected='require = ["k>=5"] under [release] of the study, or others like it',
            remedy="or pick by a constraint like k>=5",
        )
    unknown = [str(each) for each in criteria if each not in measured]
    unknown += [str(each) for each in measured if str(each.measure) not in known]
    if unknown:
        raise SettingsError(
            f"{', '.join(unknown)} was not measured",
            code="unmeasured-metric",
            key="require",
            found=", ".join(unknown),
            expected=tuple(sorted(known)),
        )
    return tuple(measured)


def _written(value: float, constraint: Constraint) -> str:
    if not math.isfinite(value):
        return "infinite" if value > 0 else str(value)
    written = f"{int(value)}" if value == int(value) else f"{value:.6g}"
    # Rounding must not hide that the value falls short.
    return repr(value) if constraint.holds(float(written)) else written
