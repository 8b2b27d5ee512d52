"""The contract of searches: what holds for every one, whatever it finds.

Every check takes a trial, a search method with settings on a small problem, and raises an
AssertionError if the search breaks a law. The caller chooses settings with which the search takes
less than a second.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.dominance import nondominated
from sfumato.front.indicators.objective_values import values_of
from sfumato.search.catalogue import CriteriaUse, SearchMethod, search_methods
from sfumato.search.control import SearchControl, after_evaluations
from sfumato.search.methods.sweep import sweep
from sfumato.search.space import Space
from sfumato.study.evaluation import evaluate_recoding
from sfumato.testing.member_text import check_frozen
from sfumato.testing.small_problems import small_problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.search.problem import Problem
    from sfumato.search.result import Progress, SearchResult


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class SearchTrial:
    """A method with its settings (the default ones if None) on a problem.

    The whole search and one that is stopped at its first report are run once for all laws.
    """

    method: SearchMethod
    problem: Problem
    settings: object | None = None

    def __str__(self) -> str:
        return f"{self.method.name}-{self.problem.space.value}"

    def run(self, control: SearchControl) -> SearchResult:
        """Run the search."""
        return self.method.run(self.problem, settings=self.settings, control=control)

    @cached_property
    def whole(self) -> SearchResult:
        """The result of the whole search."""
        return self.run(SearchControl())

    @cached_property
    def stopped(self) -> tuple[SearchResult, tuple[Progress, ...]]:
        """The result of a search that is told to stop at its first report, and its reports."""
        heard: list[Progress] = []
        control = SearchControl(should_stop=after_evaluations(1), listener=heard.append)
        return self.run(control), tuple(heard)


def trials_of(method: SearchMethod, *, settings: object | None = None) -> tuple[SearchTrial, ...]:
    """Return a trial in each space that a method searches itself, with criteria if needed."""
    able = method.capabilities
    criteria = ("k>=3",) if able.criteria is CriteriaUse.NEEDED else ()
    return tuple(
        SearchTrial(
            method=method,
            settings=settings,
            problem=small_problem(space, criteria=criteria, numbers_only=able.numbers_only),
        )
        for space in able.spaces
        if space not in method.instead
    )


def check_description(method: SearchMethod) -> None:
    """Check what the method says about itself, and that its function can be called."""
    assert isinstance(method, SearchMethod)
    assert re.fullmatch(r"[a-z][a-z0-9-]*", method.name), f"{method.name!r}: use lower case"
    assert method.summary
    assert method.summary == method.summary.strip().rstrip(".")
    parameters = inspect.signature(method.search).parameters
    assert "control" in parameters
    assert ("settings" in parameters) == (method.settings is not None)
    if method.settings is not None:
        check_frozen(method.settings)
        assert method.settings() == method.settings(), "all settings need defaults"


def check_front(trial: SearchTrial) -> None:
    """Check that a finished search returns a front, that its values are true, and exact if so."""
    found = trial.whole
    assert found.finished
    assert found.state is None
    assert found.reason
    assert found.evaluated > 0
    assert len(found.front) > 0
    check_solutions(found, trial.problem)
    if found.exact and found.minimal is None and trial.problem.space is not Space.PARTITIONS:
        assert found.front == sweep(trial.problem).front


def check_naming(trial: SearchTrial) -> None:
    """Check that a result names the method, or one that it left the search to: that finds the same.

    Write ``method=METHOD.name`` in a result, so that the name is written once.
    """
    name = trial.whole.method
    if name != trial.method.name:
        others = search_methods()
        assert name in others, f"the result of {trial.method.name!r} names the method {name!r}"
        assert others[name].run(trial.problem).front == trial.whole.front


def check_solutions(found: SearchResult, problem: Problem) -> None:
    """Check that solutions are non-dominated, or all meet the criteria, and have true values."""
    solutions = found.front.solutions
    assert [solution.id for solution in solutions] == list(range(len(solutions)))
    assert len({(s.recoding, s.threshold) for s in solutions}) == len(solutions)
    if found.minimal is None and solutions:
        directions = tuple(found.front.objectives.values())
        assert nondominated(values_of(found.front), directions).all()
    for solution in solutions:
        try:
            solution.recoding.check(problem.table)
        except SettingsError as error:
            raise AssertionError(f"solution {solution.id}: {error}") from None
        again = evaluate_recoding(
            problem,
            solution.recoding,
            measures=problem.objectives,
            threshold=solution.threshold,
        )
        assert again.values == solution.values, f"solution {solution.id}"
        assert again.suppressed == solution.suppressed, f"solution {solution.id}"
        assert again.meets, f"solution {solution.id} does not meet the criteria"


def check_stopping(trial: SearchTrial) -> None:
    """Check that a search stops when it is told to, says so, and returns what it has."""
    stopped, heard = trial.stopped
    assert len(heard) == 1, "it goes on after it was told to stop, or never tells its progress"
    assert not stopped.finished
    assert not stopped.exact
    assert stopped.evaluated == heard[0].evaluated < stopped.nodes
    assert stopped.reason != trial.whole.reason
    assert stopped.state is None or trial.method.capabilities.resumable
    if stopped.minimal is None:
        # What needs criteria may have found nothing that meets them yet.
        needed = trial.method.capabilities.criteria is CriteriaUse.NEEDED
        assert needed or len(stopped.front) > 0
    else:
        assert stopped.minimal.pruned == stopped.nodes - stopped.evaluated
    check_solutions(stopped, trial.problem)


def check_resuming(trial: SearchTrial) -> None:
    """Check that a search that is stopped and resumed equals one without a break."""
    state = trial.stopped[0].state
    if state is not None:
        # A run folder keeps the state as JSON.
        kept = json.loads(json.dumps(state))
        assert trial.run(SearchControl(resume=kept)) == trial.whole


def check_asking(trial: SearchTrial) -> None:
    """Check that asking whether to stop changes nothing, and that progress makes sense."""
    asked: list[Progress] = []

    def rule(progress: Progress) -> bool:
        asked.append(progress)
        return False

    assert trial.run(SearchControl(should_stop=rule)) == trial.whole
    assert asked
    assert all(0 <= each.settled <= each.nodes for each in asked)


def check_reproducibility(trial: SearchTrial) -> None:
    """Check that one seed gives one result for any number of threads; exact ones ignore it."""
    for threads in (1, 3):
        assert trial.run(SearchControl(threads=threads)) == trial.whole
    other = trial.run(SearchControl(seed=SearchControl().seed + 1))
    assert other == trial.whole or not trial.whole.exact


SEARCH_LAWS: tuple[Callable[[SearchTrial], None], ...] = (
    check_front,
    check_naming,
    check_stopping,
    check_resuming,
    check_asking,
    check_reproducibility,
)
"""All laws of running a search, for tests that name each of them."""


def check_search(method: SearchMethod, *, settings: object | None = None) -> None:
    """Check all laws, in every space that the method searches itself."""
    check_description(method)
    for trial in trials_of(method, settings=settings):
        for law in SEARCH_LAWS:
            law(trial)
