"""The files of a run as texts: the models of its ``.json`` files, and the front as a table."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Annotated, Literal, cast

from pydantic import BeforeValidator, PlainSerializer, StrictBool

from sfumato.documents.record import Record
from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.plugins.offers import plugins_among
from sfumato.release.certificates.public import StoredRecoding
from sfumato.risk.identifying.column_subsets import IdentifyingSubset
from sfumato.search.catalogue import method_named
from sfumato.search.guarantee import Guarantee
from sfumato.search.result import MinimalRecodings, SearchResult, SpaceResult
from sfumato.search.space import Space, recorded_size, size_record
from sfumato.study.runs.run import Run, RunColumn, SolutionDetail, SourceRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.plugins.offers import Origin
    from sfumato.recoding.recoding import Recoding
    from sfumato.search.catalogue import SearchMethod
    from sfumato.study.runs.run import Run


FORMAT: Literal[2] = 2
"""The version of the run folder; another one is refused."""

KIND: Literal["sfumato run"] = "sfumato run"

Size = Annotated[int, BeforeValidator(recorded_size), PlainSerializer(size_record)]
"""A number that can have thousands of digits."""


class RunFile(Record):
    """A ``.json`` file of a run folder."""

    kind: Literal["sfumato run"]
    format: Literal[2]


class GuaranteeRecord(Record):
    """What a search has proved about all recodings."""

    epsilon: float
    scales: dict[str, float]
    slacks: dict[str, float]
    single_slacks: dict[str, float]
    settled: int
    nodes: Size

    @classmethod
    def of(cls, guarantee: Guarantee | None) -> GuaranteeRecord | None:
        """Return the record of a guarantee."""
        return None if guarantee is None else cls(**vars(guarantee))

    def guarantee(self) -> Guarantee:
        """Return the guarantee."""
        return Guarantee(**{name: getattr(self, name) for name in type(self).model_fields})


class SpaceRecord(Record):
    """What a search of several spaces did in one of them."""

    space: Space
    freedom: str
    method: str
    exact: StrictBool
    finished: StrictBool
    evaluated: int
    nodes: Size
    reason: str

    @classmethod
    def of(cls, result: SpaceResult) -> SpaceRecord:
        """Return the record of what was done in a space."""
        return cls(**vars(result))

    def result(self) -> SpaceResult:
        """Return what was done in the space."""
        return SpaceResult(**{name: getattr(self, name) for name in type(self).model_fields})


class RunRecord(RunFile):
    """``run.json``: where a run comes from and how it was made.

    ``files`` has the SHA-256 of the study and the hierarchies: metrics hold for these alone.
    ``plugins`` has the package and version of every member of another package that took part.
    """

    version: str
    created: str
    source: SourceRecord
    method: str
    exact: StrictBool
    finished: StrictBool
    reason: str
    evaluated: int
    nodes: Size
    guarantee: GuaranteeRecord | None = None
    minimal: MinimalRecodings | None = None
    loss_bounds: dict[int, float] | None = None
    spaces: tuple[SpaceRecord, ...] = ()
    seed: int
    seconds: float
    versions: dict[str, str]
    plugins: dict[str, str]
    files: dict[str, str]
    columns: tuple[RunColumn, ...]
    identifying: tuple[IdentifyingSubset, ...] = ()

    @classmethod
    def of(cls, run: Run, *, versions: Mapping[str, str], files: Mapping[str, str]) -> RunRecord:
        """Return the record of a run."""
        result = run.result
        return cls(
            kind=KIND,
            format=FORMAT,
            version=run.version,
            created=run.created,
            source=run.source,
            method=result.method,
            exact=result.exact,
            finished=result.finished,
            reason=result.reason,
            evaluated=result.evaluated,
            nodes=result.nodes,
            guarantee=GuaranteeRecord.of(result.guarantee),
            minimal=result.minimal,
            loss_bounds=None if result.loss_bounds is None else dict(result.loss_bounds),
            spaces=tuple(map(SpaceRecord.of, result.spaces)),
            seed=run.study_file.search.seed,
            seconds=run.seconds,
            versions=dict(versions),
            plugins={text: str(origin) for text, origin in plugins_of(run).items()},
            files=dict(files),
            columns=run.columns,
            identifying=run.identifying,
        )

    def result(self, front: Front, state: Mapping[str, object] | None) -> SearchResult:
        """Return the result of the search, with its state if it was stopped."""
        return SearchResult(
            front=front,
            method=self.method,
            exact=self.exact,
            evaluated=self.evaluated,
            nodes=self.nodes,
            reason=self.reason,
            finished=self.finished,
            guarantee=None if self.guarantee is None else self.guarantee.guarantee(),
            state=state,
            minimal=self.minimal,
            loss_bounds=self.loss_bounds,
            spaces=tuple(each.result() for each in self.spaces),
        )


class SolutionRecord(Record):
    """A solution of a front, with its recoding and its details."""

    id: int
    recoding: StoredRecoding
    values: dict[str, float]
    suppressed: int
    threshold: int
    detail: SolutionDetail

    @classmethod
    def of(cls, solution: Solution, detail: SolutionDetail) -> SolutionRecord:
        """Return the record of a solution."""
        return cls(
            id=solution.id,
            recoding=solution.recoding,
            values=dict(solution.values),
            suppressed=solution.suppressed,
            threshold=solution.threshold,
            detail=detail,
        )

    def solution(self) -> Solution:
        """Return the solution."""
        return Solution(
            id=self.id,
            recoding=cast("Recoding", self.recoding),
            values=self.values,
            suppressed=self.suppressed,
            threshold=self.threshold,
        )


class FrontRecord(RunFile):
    """``front.json``: the objectives and the solutions with their details."""

    objectives: dict[str, Direction]
    before: SolutionDetail
    solutions: tuple[SolutionRecord, ...]

    @classmethod
    def of(cls, run: Run) -> FrontRecord:
        """Return the record of a front."""
        return cls(
            kind=KIND,
            format=FORMAT,
            objectives=dict(run.result.front.objectives),
            before=run.before,
            solutions=tuple(map(SolutionRecord.of, run.result.front, run.details)),
        )

    def front(self) -> Front:
        """Return the front."""
        solutions = tuple(each.solution() for each in self.solutions)
        return Front(objectives=self.objectives, solutions=solutions)


class StateRecord(RunFile):
    """``state.json``: what a search that was stopped needs to go on."""

    state: dict[str, object]


def plugins_of(run: Run) -> dict[str, Origin]:
    """Return the members of other packages that took part in a run, by their texts."""
    return plugins_among((*run.study_file.study.members, *methods_of(run)))


def methods_of(run: Run) -> tuple[SearchMethod, ...]:
    """Return the methods that took part in a run."""
    result = run.result
    return tuple(
        map(method_named, dict.fromkeys((result.method, *(s.method for s in result.spaces))))
    )


def run_record(run: Run, *, versions: Mapping[str, str], files: Mapping[str, str]) -> str:
    """Return the text of ``run.json``."""
    return RunRecord.of(run, versions=versions, files=files).text(indent=2) + "\n"


def front_record(run: Run) -> str:
    """Return the text of ``front.json``, with a line for each solution."""
    record = FrontRecord.of(run).plain()
    lines = [
        json.dumps(each, ensure_ascii=False, allow_nan=False)
        for each in record.pop("solutions")  # type: ignore[attr-defined]
    ]
    opening = json.dumps(record, ensure_ascii=False, allow_nan=False)[:-1]
    return f'{opening}, "solutions": [\n' + ",\n".join(lines) + "\n]}\n"


def state_record(state: Mapping[str, object]) -> str:
    """Return the text of ``state.json``."""
    return StateRecord(kind=KIND, format=FORMAT, state=dict(state)).text() + "\n"


def front_table(run: Run) -> str:
    """Return the front for a spreadsheet: a line for each solution, with all metrics."""
    columns = run.result.front.columns()
    objectives = run.result.front.objectives
    for name in run.before.metrics:
        if name not in objectives:
            columns[name] = [detail.metrics[name] for detail in run.details]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return stream.getvalue()
