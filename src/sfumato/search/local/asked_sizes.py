"""What local recodings are made for: sizes of classes, and bounds of other objectives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from sfumato.arrays import plain_numbers
from sfumato.classes.classes import Classes
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.front.decisions.trade_off import round_counts
from sfumato.measures.measure import Direction, Measure
from sfumato.measures.privacy.k import K
from sfumato.search.local.steering import grows_with_classes
from sfumato.search.setting_checks import check_whole

if TYPE_CHECKING:
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class AskedSizes:
    """The least and the largest k that recodings are made for."""

    least_k: Annotated[int, "The least k that recodings are made for."] = 2
    largest_k: Annotated[int, "The largest k that recodings are made for."] = 100

    def __post_init__(self) -> None:
        plain_numbers(self)
        check_whole("least_k", self.least_k, least=1)
        check_whole("largest_k", self.largest_k, least=1)
        if self.least_k > self.largest_k:
            raise SettingsError.wrong_setting(
                "largest_k",
                self.largest_k,
                f"at least {self.least_k}, the least k",
                code="out-of-range",
            )


def asked_sizes(problem: Problem, asked: AskedSizes) -> tuple[int, ...]:
    """Return every k to make recodings for: one only if no objective gains by larger classes."""
    suppression = problem.suppression
    # Under the policy of a given k no smaller class is kept.
    least = max(asked.least_k, suppression.least_size, suppression.k or 1)
    table = problem.table
    if least > max(table.units, AskedSizes.least_k):
        units = "rows" if table.people is None else "people"
        raise UnmetError(
            f"no class has {least:,} {units}: the table has {table.units:,}",
            code="criteria-unmet",
            key="least-k",
            found=str(least),
            expected=f"at most {table.units}",
            remedy="ask for less",
        )
    largest = min(max(asked.largest_k, least), table.units)
    least = min(least, largest)
    if "k" not in problem.names and not grows_with_classes(problem):
        return (least,)
    return tuple(range(least, largest + 1))


BOUNDS_OF_AN_OBJECTIVE = 6
"""For how many bounds of an objective other than k recodings are made."""


def asked_bounds(problem: Problem) -> tuple[MeasureCriterion, ...]:
    """Return criteria that spread the objectives other than k, from weak to strong ones.

    An objective by which classes are judged one by one is a criterion at every value between that
    of the original table and that of all rows as one class, which no recoding exceeds
    (the ε-constraint method: one objective is minimised, bounds on the others are raised). Bounds
    that the criteria of the problem imply are not asked for again.
    """
    found: list[MeasureCriterion] = []
    for objective in problem.objectives:
        if isinstance(objective, K) or type(objective).class_values is Measure.class_values:
            continue
        found += _ladder(problem, objective)
    return tuple(found)


def _ladder(problem: Problem, objective: Measure) -> list[MeasureCriterion]:
    tables = problem.tables
    ends = np.array([tables.lattice.bottom, tables.lattice.top], dtype=np.int64)
    worst, best = problem.points_of(Classes.of(tables.group(ends))).values[
        :, problem.names.index(str(objective))
    ]
    steps = np.arange(1, BOUNDS_OF_AN_OBJECTIVE + 1) / (BOUNDS_OF_AN_OBJECTIVE + 1)
    higher = objective.direction is Direction.HIGHER
    if higher and objective.counts:
        # What publishers ask for.
        values = [each for each in round_counts(float(best)) if each > worst]
    elif higher:
        low = max(float(worst), 1.0)
        values = list(low * (float(best) / low) ** steps)
    else:
        values = list(float(worst) + (float(best) - float(worst)) * steps)
        if objective.counts:
            values = list(np.unique(np.floor(values)))
    ladder = [
        MeasureCriterion(measure=objective, comparison=">=" if higher else "<=", bound=float(value))
        for value in values
        if value != worst
    ]
    required = [
        each.bound
        for each in problem.suppression.criteria
        if isinstance(each, MeasureCriterion) and each.measure == objective
    ]
    return [each for each in ladder if not any(map(each.met_by, required))][:BOUNDS_OF_AN_OBJECTIVE]
