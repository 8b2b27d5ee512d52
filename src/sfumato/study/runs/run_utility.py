"""The utility of solutions of a run: of one in full, and of others along the front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import Field, ValidationError

from sfumato.documents.nesting import parsed_json
from sfumato.documents.record import Record
from sfumato.documents.whole_file import write_whole
from sfumato.errors import SettingsError
from sfumato.recoding.recoding import FREEDOMS
from sfumato.release.release_request import ReleasedValues
from sfumato.study.analysed_study import AnalysedStudy, UtilityQuestion
from sfumato.study.runs.run_files import UTILITY, broken_run
from sfumato.utility.count_queries import answers, query_errors
from sfumato.utility.distributions import column_pictures
from sfumato.utility.learning import Score, Told, silent
from sfumato.utility.utility import Utility

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run

KIND: Literal["sfumato utility 1"] = "sfumato utility 1"


class CurvePoint(Record):
    """A solution along the front: the least loss with at least so large a k.

    A recoding with less freedom is also one with more, so that more freedom never loses more.
    """

    mark: int = Field(description="The k that was asked for.")
    freedom: str = Field(description="How freely it may choose labels.")
    solution: int = Field(description="The solution.")
    k: float = Field(description="Its k.")
    loss: float = Field(description="Its normalized loss.")
    suppressed: int = Field(description="How many rows it suppresses.")
    total_variation: float = Field(
        description="The mean total variation of the quasi-identifiers, 0 to 1."
    )
    query_error: float | None = Field(
        default=None, description="The median relative error of the random queries."
    )
    scores: dict[str, tuple[Score, ...]] = Field(
        default={}, description="What is learnt from it, by target."
    )


class RunUtility(Record):
    """What analysts can still do with a solution of a run, and with others along the front."""

    kind: Literal["sfumato utility 1"] = Field(description="The kind and its version.")
    solution: int = Field(description="The solution that is looked at in full.")
    reason: str = Field(description="Why it was picked.")
    values: ReleasedValues = Field(description="What stands in the cells.")
    utility: Utility = Field(description="Its utility.")
    curve: tuple[CurvePoint, ...] = Field(default=(), description="Solutions along the front.")
    unreached: tuple[str, ...] = Field(
        default=(), description="What no solution along the front reaches."
    )


@dataclass(frozen=True, kw_only=True)
class Along:
    """Which solutions are looked at along the front: those with the least loss at some k."""

    marks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for mark in self.marks:
            if not isinstance(mark, int) or isinstance(mark, bool) or mark < 1:
                raise SettingsError.wrong_setting(
                    "along", mark, "whole numbers from 1 up, like 2,5,10", code="out-of-range"
                )

    def solutions(self, run: Run) -> list[tuple[int, str, Solution | None]]:
        """Return every k and freedom that is looked at, with the solution that loses least."""
        searched = {each.freedom for each in run.result.spaces}
        searched = searched or {solution.freedom for solution in run.result.front}
        return [
            (mark, freedom, _least_loss(run, mark, FREEDOMS[: FREEDOMS.index(freedom) + 1]))
            for freedom in FREEDOMS
            if freedom in searched
            for mark in sorted(set(self.marks))
        ]


def _least_loss(run: Run, mark: int, freedoms: Sequence[str]) -> Solution | None:
    """Return the solution with the least loss that reaches a k, None if there is none."""
    reached = [
        (run.details[solution.id].metrics["normalized-loss"], solution.id)
        for solution in run.result.front
        if solution.freedom in freedoms and run.details[solution.id].metrics["k"] >= mark
    ]
    return run.result.front[min(reached)[1]] if reached else None


def utility_of_run(
    run: Run,
    question: UtilityQuestion,
    *,
    rule: str | None = None,
    values: ReleasedValues | None = None,
    along: Along | None = None,
    told: Told = silent,
) -> RunUtility:
    """Return the utility of the solution that a rule picks, and of others along the front."""
    picked = run.pick(rule)
    told("checking that the source is still the one that was searched")
    run.check_source()
    study_file = run.study_file
    shown = ReleasedValues(study_file.released_values) if values is None else values
    analysed = AnalysedStudy.of(study_file.study, question, told=told)
    released = analysed.released(picked.solution, values=shown)
    whole = analysed.utility(released, told=told, what=f"solution {picked.solution.id}")
    curve: list[CurvePoint] = []
    unreached: list[str] = []
    known: dict[int, CurvePoint] = {}
    for mark, freedom, solution in (Along() if along is None else along).solutions(run):
        if solution is None:
            unreached.append(f"k ≥ {mark} ({freedom})")
            continue
        if solution.id not in known:
            known[solution.id] = _point(run, analysed, solution, values=shown, told=told)
        update = {"mark": mark, "freedom": freedom}
        curve.append(known[solution.id].model_copy(update=update))
    return RunUtility(
        kind=KIND,
        solution=picked.solution.id,
        reason=picked.reason,
        values=shown,
        utility=whole,
        curve=tuple(curve),
        unreached=tuple(unreached),
    )


def _point(
    run: Run,
    analysed: AnalysedStudy,
    solution: Solution,
    *,
    values: ReleasedValues,
    told: Told,
) -> CurvePoint:
    """Return what a solution along the front leaves to analysts, in short."""
    released = analysed.released(solution, values=values)
    what = f"solution {solution.id} ({solution.freedom})"
    moved = [each.total_variation for each in column_pictures(released) if each.recoded]
    detail = run.details[solution.id]
    errors = query_errors(answers(released, analysed.drawn)) if analysed.drawn else None
    return CurvePoint(
        mark=1,
        freedom=solution.freedom,
        solution=solution.id,
        k=detail.metrics["k"],
        loss=detail.metrics["normalized-loss"],
        suppressed=detail.suppressed,
        total_variation=sum(moved) / len(moved),
        query_error=None if errors is None else errors.median,
        scores={
            each.target: each.released for each in analysed.scores(released, told=told, what=what)
        },
    )


def write_utility(run: Run, found: RunUtility) -> Path:
    """Write a utility into the folder of its run, where the report finds it."""
    path = run.folder / UTILITY
    try:
        write_whole(path, found.text(indent=1) + "\n")
    except OSError as error:
        raise SettingsError.unwritable(
            path, error, remedy="leave it out of the run with --no-save"
        ) from None
    return path


def read_utility(folder: Path) -> RunUtility | None:
    """Return the utility in a run folder, None if nobody computed one."""
    path = folder / UTILITY
    if not path.is_file():
        return None
    try:
        return RunUtility.model_validate(parsed_json(path.read_bytes()))
    except (OSError, ValueError, ValidationError):
        raise broken_run(
            folder, f"{UTILITY} was changed, or is of another version; run sfumato utility again"
        ) from None
