"""Where a search of several spaces was stopped: what is finished, and where the others are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from sfumato.classes.recoded import recode
from sfumato.errors import SettingsError
from sfumato.front.front import Front, Solution
from sfumato.recoding.recoding import read_recoding, stored_recoding
from sfumato.search.result import SearchResult
from sfumato.search.resuming import reading_state, resumed_state, state_of
from sfumato.search.space import recorded_size, size_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.recoding.recoding import Recoding
    from sfumato.search.problem import Problem

NOTHING: Mapping[str, object] = {}
"""The place in a space in which nothing was found, or that cannot go on: it begins again."""


def place_in_space(found: SearchResult) -> Mapping[str, object]:
    """Return where the search of one space is, as JSON has it.

    Of a finished one that is its front, as recodings and thresholds: they are measured again.
    """
    if not found.finished:
        return NOTHING if found.state is None else {"stopped": dict(found.state)}
    return {
        "finished": {
            "front": [
                {**stored_recoding(each.recoding), "threshold": each.threshold}
                for each in found.front
            ],
            "method": found.method,
            "exact": found.exact,
            "evaluated": found.evaluated,
            "nodes": size_record(found.nodes),
            "reason": found.reason,
            "loss_bounds": None
            if found.loss_bounds is None
            else {str(k): loss for k, loss in found.loss_bounds.items()},
        }
    }


def spaces_state(
    problems: Sequence[Problem],
    places: Sequence[Mapping[str, object]],
    *,
    method: str,
    seed: int,
    settings: Sequence[object],
) -> dict[str, object]:
    """Return the state of a search of several spaces: that of each, and what it was about."""
    return {
        "spaces": [
            state_of(problem, place, method=method, seed=seed, settings=own)
            for problem, place, own in zip(problems, places, settings, strict=True)
        ]
    }


def resumed_places(
    problems: Sequence[Problem],
    state: Mapping[str, object],
    *,
    method: str,
    seed: int,
    settings: Sequence[object],
) -> list[Mapping[str, object]]:
    """Return the place in every space, or refuse a state that is of another search."""
    kept = state.get("spaces")
    if not isinstance(kept, list) or not all(isinstance(each, Mapping) for each in kept):
        raise SettingsError(
            "this is not the state of a search of several spaces",
            code="broken-state",
            key="resume",
            expected="the state of a result of this study that is not finished",
        )
    if len(kept) != len(problems):
        raise SettingsError(
            f"the search that was stopped ran in {len(kept)} spaces, and the study has "
            f"{len(problems)}",
            code="other-search",
            key="resume",
            found="space",
            remedy="continue with what it ran with, or start again",
        )
    return [
        resumed_state(problem, each, method=method, seed=seed, settings=own)
        for problem, each, own in zip(problems, kept, settings, strict=True)
    ]


def finished_in_space(problem: Problem, place: Mapping[str, object]) -> SearchResult | None:
    """Return the result in a space that was finished, measured again; None in others."""
    if "finished" not in place:
        return None
    with reading_state():
        known = cast("Mapping[str, Any]", place["finished"])
        recodings = [read_recoding(each) for each in known["front"]]
        thresholds = [each["threshold"] for each in known["front"]]
        bounds = known["loss_bounds"]
        return SearchResult(
            front=_front(problem, recodings, thresholds),
            method=known["method"],
            exact=known["exact"],
            evaluated=known["evaluated"],
            nodes=recorded_size(known["nodes"]),
            reason=known["reason"],
            loss_bounds=None if bounds is None else {int(k): loss for k, loss in bounds.items()},
        )


def stopped_in_space(place: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the state of a search that was stopped in a space; None where it begins."""
    stopped = place.get("stopped")
    return stopped if isinstance(stopped, Mapping) else None


def _front(problem: Problem, recodings: Sequence[Recoding], thresholds: Sequence[int]) -> Front:
    """Return the front of some recodings in the order that they have; one in memory at a time."""
    solutions = []
    for number, (recoding, threshold) in enumerate(zip(recodings, thresholds, strict=True)):
        recoding.check(problem.table)
        (recoded,) = recode(
            problem.tables, [recoding], thresholds=[threshold], suppression=problem.suppression
        )
        points = problem.points_of(recoded.classes)
        values = map(float, points.values[recoded.position])
        solutions.append(
            Solution(
                id=number,
                recoding=recoding,
                values=dict(zip(problem.names, values, strict=True)),
                suppressed=int(points.suppressed[recoded.position]),
                threshold=int(points.thresholds[recoded.position]),
            )
        )
    objectives = dict(zip(problem.names, problem.directions, strict=True))
    return Front(objectives=objectives, solutions=tuple(solutions))
