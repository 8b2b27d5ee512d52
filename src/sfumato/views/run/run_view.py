"""A run as ``sfumato search`` shows it: what was searched, how, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from sfumato.classes.suppression import Policy, Threshold
from sfumato.errors.listing import counted
from sfumato.front.decisions.metric import objective_metrics
from sfumato.release.statement_question import published_statements
from sfumato.search.space import size_record, written_size
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.views.finding_view import finding_views
from sfumato.views.run.freedoms_view import RECODINGS, exactness, freedoms_view
from sfumato.views.run.solution_view import every_threshold, solution_views
from sfumato.views.texts import Fact, class_size_text, how_to_read, share_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.findings.finding import Finding
    from sfumato.measures.measure import Direction
    from sfumato.search.guarantee import Guarantee
    from sfumato.search.result import MinimalRecodings, SpaceResult
    from sfumato.study.runs.run import Run
    from sfumato.views.finding_view import FindingView
    from sfumato.views.run.freedoms_view import FreedomsView
    from sfumato.views.run.solution_view import SolutionView


def source_name(run: Run) -> str:
    """Return the name of the source's file: the path to it tells about the publisher's machine."""
    return PurePath(run.source.path.replace("\\", "/")).name or "source"


def run_facts(run: Run) -> tuple[Fact, ...]:
    """Return the lines about a run that reports and terminals show."""
    result, front = run.result, run.result.front
    dropped = run.source.dropped_rows
    facts = {
        "Source": f"{source_name(run)}, {counted(run.source.rows, 'record')}"
        + (f", {dropped:,} more dropped for missing values" if dropped else ""),
        "Quasi-identifiers": ", ".join(column.name for column in run.columns),
        "Objectives": ", ".join(
            map(how_to_read, objective_metrics(front, people=run.counts_people))
        ),
        **_criteria(run),
        "Suppression": suppression_text(
            run.study_file.study.policy, run.source.rows, people=run.counts_people
        ),
        **_statements(run),
        **_search(run),
        "Front" if result.minimal is None else "Minimal recodings": (
            f"{counted(len(front), 'solution')}, {exactness(run)}"
            + ("" if result.spaces else f": {result.reason}")
        ),
    }
    return tuple(Fact(term=term, text=text) for term, text in facts.items())


def _search(run: Run) -> dict[str, str]:
    result, minimal = run.result, run.result.minimal
    if result.spaces:
        names = ", ".join(f"{RECODINGS[each.freedom]} by {each.method}" for each in result.spaces)
        return {
            "Search": f"{names} in {run.seconds:.1f} s",
            **{
                RECODINGS[each.freedom].capitalize(): f"{each.evaluated:,} of "
                f"{written_size(each.nodes)} evaluated: {each.reason}"
                for each in result.spaces
            },
        }
    text = (
        f"{result.method}, {result.evaluated:,} of {written_size(result.nodes)} recodings evaluated"
    )
    if minimal is not None:
        others = "pruned" if result.finished else "not tested"
        text += (
            f" ({minimal.partial:,} of them with some quasi-identifiers only), "
            f"{minimal.pruned:,} {others}"
        )
    return {"Search": f"{text} in {run.seconds:.1f} s"}


def _criteria(run: Run) -> dict[str, str]:
    given = ", ".join(map(str, run.study_file.study.criteria))
    required = ", ".join(map(str, run.policy))
    return {
        "Policy": f"{required} in every released class"
        if required
        else "none: nothing is required of a release",
        **({"Criteria": f"{given} in every class"} if given else {}),
    }


def _statements(run: Run) -> dict[str, str]:
    """Return what people protect; a rule that names people is not shown."""
    study = run.study_file.study
    if study.statements is None:
        return {}
    rules = published_statements(ConfidentialStatements.of(study.statements), study.attributes)
    return {"Confidential statements": "; ".join(_rule(rule) for rule in rules)}


def _rule(rule: Mapping[str, object]) -> str:
    where = f", where {rule['where']}" if "where" in rule else ""
    damage = f" (damage {rule['damage']:g})" if "damage" in rule else ""
    return f"{rule['protect']}{where}{damage}"


def made(run: Run) -> str:
    """Return when and by what the run was made."""
    moment = datetime.fromisoformat(run.created)
    return f"run of {moment.day} {moment:%B %Y, %H:%M} UTC, sfumato {run.version}"


def suppression_text(suppression: Suppression, rows: int, *, people: bool = False) -> str:
    """Return what a policy allows to be suppressed in a table of so many records.

    Limits count records; with ``people``, sizes of classes count those.

    >>> from sfumato.classes.suppression import limited
    >>> suppression_text(limited(0.01), 30162)
    'at most 301 records (0.998 %), smallest classes first'
    """
    if suppression.policy is Policy.NONE:
        return "none"
    if suppression.policy is Policy.GIVEN_K:
        return f"every class of fewer than {class_size_text(suppression.k or 0, people=people)}"
    if suppression.policy is Policy.BELOW_WEIGHTED_K:
        return "every class smaller than the weighted-k of the recoding"
    budget = suppression.budget(rows) or 0
    amount = f"at most {counted(budget, 'record')} ({share_text(budget, rows)})"
    if suppression.failing:
        return f"classes that do not meet the criteria, {amount}"
    least, every = suppression.least_size, suppression.threshold is Threshold.EVERY
    tried = ", all thresholds within it tried" if every else ""
    if least:
        size = class_size_text(least, people=people)
        below = f"below a threshold of {size} or more" if every else f"of fewer than {size}"
        return f"classes {below}, {amount}{tried}"
    return f"{amount}, smallest classes first{tried}"


@dataclass(frozen=True, kw_only=True)
class RunView:
    """What was searched and found.

    ``nodes`` is the number of recodings that there are, as a hexadecimal text where it is too
    large for readers of JSON. ``resumable`` says that the search was stopped and can go on,
    ``every_threshold`` that solutions differ in their thresholds of suppression too. ``spaces``
    says what was done in each of several spaces, ``freedoms`` what each freedom loses, and
    ``loss_bounds`` has the least normalized loss that a local recoding can have, by k.
    ``findings`` are those of the source, where they were asked for.
    """

    run: str
    facts: tuple[Fact, ...]
    objectives: Mapping[str, Direction]
    exact: bool
    finished: bool
    resumable: bool
    reason: str
    method: str
    evaluations: int
    nodes: int | str
    guarantee: Guarantee | None
    minimal: MinimalRecodings | None
    rows: int
    every_threshold: bool
    spaces: tuple[SpaceResult, ...]
    freedoms: FreedomsView | None
    loss_bounds: Mapping[int, float] | None
    solutions: tuple[SolutionView, ...]
    findings: tuple[FindingView, ...]


def run_view(run: Run, *, findings: Sequence[Finding] = ()) -> RunView:
    """Return what a search has found, and what there is to look at before a release."""
    result = run.result
    return RunView(
        run=str(run.folder),
        facts=run_facts(run),
        objectives=result.front.objectives,
        exact=result.exact,
        finished=result.finished,
        resumable=result.state is not None,
        reason=result.reason,
        method=result.method,
        evaluations=result.evaluated,
        nodes=size_record(result.nodes),
        guarantee=result.guarantee,
        minimal=result.minimal,
        rows=run.source.rows,
        every_threshold=every_threshold(run),
        spaces=result.spaces,
        freedoms=freedoms_view(run),
        loss_bounds=result.loss_bounds,
        solutions=solution_views(run, result.front.solutions),
        findings=finding_views(findings),
    )
