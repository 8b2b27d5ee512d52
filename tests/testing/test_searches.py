"""Every search keeps the laws of searches, and searches that break one are found."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.testing.own_members import CLIMB, climb

from sfumato.errors import SettingsError
from sfumato.recoding.levels import Levels
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod, search_methods
from sfumato.search.control import DEFAULT_CONTROL
from sfumato.search.methods.aog_ga import AogGaSettings
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.methods.nsga_ii import NsgaIISettings
from sfumato.search.methods.systems.iyengar import IyengarSettings
from sfumato.search.space import Space
from sfumato.testing.searches import (
    SEARCH_LAWS,
    SearchTrial,
    check_asking,
    check_description,
    check_front,
    check_naming,
    check_reproducibility,
    check_search,
    check_stopping,
    trials_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.search.control import SearchControl
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

SMALL = {
    "nsga-ii": NsgaIISettings(population=20, generations=12),
    "genitor": GenitorSettings(population=20, evaluations=160),
    "iyengar": IyengarSettings(population=20, evaluations=160),
    "aog-ga": AogGaSettings(fitness="k", population=10, generations=6),
}
"""Settings for methods that take long with the default ones, or need other objectives."""

ELSEWHERE = {"exact-partitions", "tds", "bug"}
"""They need other objectives, or a class label: their own tests have their trials."""

METHODS = [*search_methods().values(), CLIMB]
TRIALS = [
    trial
    for each in METHODS
    if each.name not in ELSEWHERE
    for trial in trials_of(each, settings=SMALL.get(each.name))
]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_description(method: SearchMethod) -> None:
    check_description(method)


@pytest.mark.parametrize("law", SEARCH_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("trial", TRIALS, ids=str)
def test_law(law: Callable[[SearchTrial], None], trial: SearchTrial) -> None:
    law(trial)


def test_what_can_be_resumed_has_a_state() -> None:
    without = {
        trial.method.name
        for trial in TRIALS
        if trial.method.capabilities.resumable and trial.stopped[0].state is None
    }
    assert not without


def test_what_needs_criteria_is_tried_with_some() -> None:
    for trial in TRIALS:
        needed = trial.method.capabilities.criteria is CriteriaUse.NEEDED
        assert bool(trial.problem.suppression.criteria) == needed
    spaces = {trial.problem.space for trial in TRIALS if trial.method.name == "auto"}
    assert spaces == {Space.LATTICE, Space.ADMISSIBLE}


def deaf(problem: Problem, *, control: SearchControl) -> SearchResult:
    """Go on whatever the listener says."""
    control.goes_on  # noqa: B018
    return climb(problem, control=DEFAULT_CONTROL)


def boastful(problem: Problem, *, control: SearchControl) -> SearchResult:
    """Say that the front is exact."""
    return dataclasses.replace(climb(problem, control=control), exact=True)


def moody(problem: Problem, *, control: SearchControl) -> SearchResult:
    """Return something else for another number of threads."""
    found = climb(problem, control=control)
    return dataclasses.replace(found, reason=f"{found.reason}, {control.threads} threads")


def untrue(problem: Problem, *, control: SearchControl) -> SearchResult:
    """Return values that are not those of the recodings."""
    found = climb(problem, control=control)
    best = tuple(
        dataclasses.replace(each, values={name: value + 1 for name, value in each.values.items()})
        for each in found.front
    )
    return dataclasses.replace(found, front=dataclasses.replace(found.front, solutions=best))


def too_fine(problem: Problem, *, control: SearchControl) -> SearchResult:
    """Return a recoding below the minimum level of a column."""
    found = climb(problem, control=control)
    first, *others = found.front
    finer = dataclasses.replace(first, recoding=Levels.of({**first.levels, "zip": 0}))
    front = dataclasses.replace(found.front, solutions=(finer, *others))
    return dataclasses.replace(found, front=front)


@pytest.mark.parametrize(
    ("law", "search"),
    [
        (check_stopping, deaf),
        (check_asking, deaf),
        (check_front, boastful),
        (check_reproducibility, moody),
        (check_front, untrue),
        (check_front, too_fine),
        (check_naming, climb),
    ],
)
def test_what_breaks_a_law_is_found(
    law: Callable[[SearchTrial], None], search: Callable[..., SearchResult]
) -> None:
    wrong = SearchMethod(name="wrong", summary="breaks a law", search=search)
    (trial,) = trials_of(wrong)
    with pytest.raises(AssertionError):
        law(trial)
    with pytest.raises(AssertionError):
        check_search(wrong)


def test_a_description_is_checked() -> None:
    settings = NsgaIISettings
    for wrong in (
        SearchMethod(name="Climb", summary="one way up", search=climb),
        SearchMethod(name="climb", summary="", search=climb),
        SearchMethod(name="climb", summary="one way up", search=climb, settings=settings),
        SearchMethod(name="climb", summary="one way up", search=lambda problem: problem),
    ):
        with pytest.raises(AssertionError):
            check_description(wrong)


def test_capabilities_are_checked() -> None:
    able = SearchCapabilities(spaces=("partitions",), criteria="kept")  # type: ignore[arg-type]
    assert able == SearchCapabilities(spaces=(Space.PARTITIONS,), criteria=CriteriaUse.KEPT)
    with raises(SettingsError, code="missing-setting", key="spaces"):
        SearchCapabilities(spaces=())
    with raises(SettingsError, code="unknown-choice", key="criteria", found="'liked'"):
        SearchCapabilities(criteria="liked")  # type: ignore[arg-type]
