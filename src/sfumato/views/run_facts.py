"""What a report says about the run itself."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from sfumato.classes.suppression import Policy, Threshold
from sfumato.errors.listing import counted
from sfumato.measures.measure import Direction
from sfumato.release.statement_question import published_statements
from sfumato.search.space_size import written_size
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.views.report_data import ReportFact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.classes.suppression import Suppression
    from sfumato.study.runs.run import Run


def source_name(run: Run) -> str:
    """Return the name of the source's file: the path to it tells about the publisher's machine."""
    return PurePath(run.source.path.replace("\\", "/")).name or "source"


def run_facts(run: Run) -> tuple[ReportFact, ...]:
    """Return the lines about the run."""
    result, front = run.result, run.result.front
    dropped = run.source.dropped_rows
    better = {Direction.HIGHER: "more is better", Direction.LOWER: "less is better"}
    objectives = ", ".join(f"{name} ({better[way]})" for name, way in front.objectives.items())
    exact = "exact" if result.exact else "not proved to be exact"
    others = "pruned" if result.finished else "not tested"
    facts = {
        "Source": f"{source_name(run)}, {counted(run.source.rows, 'row')}"
        + (f", {dropped:,} more dropped for missing values" if dropped else ""),
        "Quasi-identifiers": ", ".join(column.name for column in run.columns),
        "Objectives": objectives,
        **_criteria(run),
        "Suppression": suppression_in_words(run.study_file.study.policy),
        **_statements(run),
        "Front"
        if result.minimal is None
        else "Minimal recodings": f"{counted(len(front), 'solution')}, {exact}: {result.reason}",
        "Search": f"{result.method}; {result.evaluated:,} of {written_size(result.nodes)} "
        "recodings evaluated"
        + ("" if result.minimal is None else f", {result.minimal.pruned:,} {others}")
        + f" in {run.seconds:.1f} s",
    }
    return tuple(ReportFact(term=term, text=text) for term, text in facts.items())


def _criteria(run: Run) -> dict[str, str]:
    given = ", ".join(map(str, run.study_file.study.criteria))
    return {"Criteria": f"{given} in every class"} if given else {}


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


def suppression_in_words(suppression: Suppression) -> str:
    """Return what may be suppressed.

    >>> from sfumato.classes.suppression import limited
    >>> suppression_in_words(limited(0.01))
    'up to 1 % of the rows'
    """
    if suppression.policy is Policy.GIVEN_K:
        return f"every class of fewer than {suppression.k} rows"
    if suppression.policy is Policy.BELOW_WEIGHTED_K:
        return "every class smaller than the weighted-k of the recoding"
    limit = suppression.limit
    if suppression.policy is Policy.NONE or limit is None:
        return "none"
    amount = counted(limit, "row") if isinstance(limit, int) else f"{100 * limit:g} % of the rows"
    if suppression.criteria:
        return f"the classes that fail the criteria, up to {amount}"
    every = ", stopping earlier counts too" if suppression.threshold is Threshold.EVERY else ""
    return f"up to {amount}{every}"


def made(run: Run) -> str:
    """Return when and by what the run was made."""
    moment = datetime.fromisoformat(run.created)
    return f"run of {moment.day} {moment:%B %Y, %H:%M} UTC, sfumato {run.version}"
