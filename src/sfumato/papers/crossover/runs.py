"""The settings of GENITOR that the Crossover paper compares, run once each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.papers.crossover.adult import crossover_problem
from sfumato.papers.crossover.paper import EVALUATIONS
from sfumato.papers.crossover.trials import genitor_trials
from sfumato.papers.extra import require
from sfumato.search.methods.genitor.settings import GenitorSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.papers.crossover.trials import Trials
    from sfumato.papers.reproduced import Conditions
    from sfumato.search.methods.genitor.settings import Operator
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class CrossoverRuns:
    """A problem, and the trials of every setting in the order that was asked for."""

    problem: Problem
    trials: tuple[Trials, ...]


def genitor_setting(
    operator: Operator, population: int, *, duplicates: bool = False
) -> GenitorSettings:
    """Return the paper's settings with one of its operators and populations."""
    return GenitorSettings(
        operator=operator, population=population, evaluations=EVALUATIONS, duplicates=duplicates
    )


def crossover_runs(settings: Sequence[GenitorSettings], conditions: Conditions) -> CrossoverRuns:
    """Run all trials of every setting; what compares them needs scipy, so that it must be there."""
    require("scipy", purpose="The rank sum tests")
    conditions.stage("counting 15,000 rows of Adult")
    problem = crossover_problem(conditions.adult)
    found = []
    for each in settings:
        duplicates = ", duplicates allowed" if each.duplicates else ""
        conditions.stage(
            f"{each.operator.upper()}, population {each.population:,}{duplicates}: "
            f"{conditions.runs} trials of {each.evaluations:,} evaluations"
        )
        found.append(genitor_trials(problem, each, conditions.seeds))
    return CrossoverRuns(problem=problem, trials=tuple(found))
