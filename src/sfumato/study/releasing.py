"""From a study and a chosen recoding to a verified release."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.recoded import recode
from sfumato.classes.suppression import NO_SUPPRESSION, given_k
from sfumato.engines.messages.rewrite_plan import FileFormat
from sfumato.errors import UnmetError
from sfumato.findings.suppression_findings import threshold_findings
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.front.front import Solution
from sfumato.hierarchies.hierarchy import tree_of
from sfumato.measures.measure import Measure
from sfumato.plugins.offers import plugins_among, refuse_plugins
from sfumato.recoding.written_column import ColumnBlocks
from sfumato.recoding.written_columns import written_columns
from sfumato.release.destinations import target_of
from sfumato.release.kept_labels import kept_leaves, with_kept_labels
from sfumato.release.release import Release, write_release
from sfumato.release.release_request import ReleaseOptions, ReleaseRequest
from sfumato.sources.source import Source, path_of, source_of
from sfumato.sources.source_stamp import table_sha256
from sfumato.statements.counted_statements import StatementPatterns
from sfumato.study.evaluation import Evaluation, evaluate_node, evaluate_recoding
from sfumato.study.examining import study_findings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.classes.anonymization import Anonymization
    from sfumato.classes.recoded import Recoded
    from sfumato.microdata.count_table import Carried
    from sfumato.recoding.recoding import Recoding
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.study.description import StudyDescription


def release_recoding(
    study: StudyDescription,
    chosen: Mapping[str, int] | Recoding | Solution,
    options: ReleaseOptions,
    *,
    threshold: int | None = None,
) -> Release:
    """Write one recoding of a study's source; see `Study.release`."""
    if not options.plugins:
        refuse_plugins(study.members)
    if isinstance(chosen, Solution) and threshold is None:
        threshold = chosen.threshold
    unsuppressed = replace(study.problem, suppression=NO_SUPPRESSION)
    before = evaluate_node(unsuppressed, study.lattice.bottom)
    planned = replace(options, provenance=_provenance(study, options))
    asked = study.recoding(chosen)
    options.stage("examining the columns")
    findings = study_findings(
        study,
        recoding=asked,
        threshold=threshold,
        formulas_run=target_of(options.destination)[1] is FileFormat.CSV
        and not options.escape_formulas,
    )
    options.found(findings)

    def request_of(recoding: Recoding) -> ReleaseRequest:
        _check_policy(study, recoding, threshold)
        promised = evaluate_recoding(study.problem, recoding, threshold=threshold)
        if isinstance(chosen, Solution) and recoding == chosen.recoding:
            _check_solution(chosen, promised)
        if not promised.meets:
            given = [] if study.policy.k is None else [f"k>={study.policy.k}"]
            limit = "the suppression limit"
            missed = " and ".join([*given, *map(str, study.policy.criteria)]) or limit
            raise UnmetError(
                f"this recoding does not meet {missed} with the rows that may be suppressed",
                code="criteria-not-met",
                expected=missed,
                remedy="choose a coarser one, or one of a search",
            )
        recoded = _recoded(study, recoding, threshold)
        anonymization = recoded.anonymization()
        return ReleaseRequest(
            source=source_of(study.source),
            columns=study.source_columns,
            stamp=study.source_stamp,
            engine=study.engine,
            attributes=tuple(study.attributes),
            missing=study.missing,
            coarser=study.released_values,
            recoding=recoding,
            batch=recoded.classes.batch,
            kept=recoded.classes.kept_of(recoded.position),
            anonymization=anonymization,
            blocks=_blocks(study, recoding, anonymization),
            threshold=promised.threshold,
            suppression=study.policy,
            required=study.required,
            objectives=tuple(m for m in study.objectives if isinstance(m, Measure)),
            promised=promised.values,
            before=before.values,
            findings=(*findings, *threshold_findings(recoded.classes, recoded.position)),
            options=planned,
            remade=request_of,
            # A local recoding suppresses cells, not classes.
            by_size=recoded.local is None and not study.policy.failing,
        )

    return write_release(request_of(asked))


def _check_policy(study: StudyDescription, recoding: Recoding, threshold: int | None) -> None:
    """Refuse to release a recoding that misses the policy; the error says what it has.

    A solution is taken as it was found: with the classes that its threshold keeps.
    """
    required = study.required
    if not required:
        return
    problem = study.problem
    if threshold is not None and not study.policy.failing:
        problem = replace(problem, suppression=given_k(max(1, threshold)))
    measures = [each.measure for each in required if isinstance(each, MeasureCriterion)]
    has = evaluate_recoding(problem, recoding, measures=measures)
    missed = [
        each
        for each in required
        if has.empty
        or not isinstance(each, MeasureCriterion)
        or not each.met_by(has.values[str(each.measure)])
    ]
    if missed:
        said = ", ".join(f"{name} = {value:.6g}" for name, value in has.values.items())
        raise UnmetError(
            f"the policy of the study requires {' and '.join(map(str, required))}, and this "
            f"recoding misses {' and '.join(map(str, missed))}: it has {said}",
            code="policy-not-met",
            key="require",
            found=said,
            expected=" and ".join(map(str, required)),
            remedy="choose another solution, or change the policy",
        )


def _recoded(study: StudyDescription, recoding: Recoding, threshold: int | None) -> Recoded:
    """Return the classes of a recoding, with the counts that a release needs."""
    table = study.count_table
    carries: tuple[Carried, ...] = (*table.columns, *study.policy.carries(table))
    if table.statements is not None:
        carries = (*carries, StatementPatterns())
    tables = ClassTables(table=table, carries=tuple(dict.fromkeys(carries)))
    (recoded,) = recode(tables, [recoding], thresholds=[threshold], suppression=study.policy)
    return recoded


def _provenance(study: StudyDescription, options: ReleaseOptions) -> Mapping[str, object]:
    """Return what the private certificate remembers: the source, and members of other packages."""
    provenance = options.provenance
    if "source" not in provenance:
        provenance = {"source": _described(source_of(study.source)), **provenance}
    own = {text: str(origin) for text, origin in plugins_among(study.members).items()}
    recorded = provenance.get("plugins")
    if own or recorded:
        provenance = {**provenance, "plugins": {**(recorded or {}), **own}}  # type: ignore[dict-item]
    return provenance


def _blocks(
    study: StudyDescription, recoding: Recoding, anonymization: Anonymization
) -> tuple[WrittenColumn, ...]:
    """Return the columns with the labels to write, which tell of kept rows only."""
    table = study.count_table
    columns = written_columns(table, recoding)
    if not recoding.labels_of_kept_rows:
        return columns
    return tuple(
        with_kept_labels(
            column, tree_of(identifier.hierarchy, column=column.name), identifier, leaves
        )
        if isinstance(column, ColumnBlocks)
        else column
        for column, identifier, leaves in zip(
            columns, table.quasi_identifiers, kept_leaves(anonymization), strict=True
        )
    )


def _check_solution(solution: Solution, found: Evaluation) -> None:
    """Refuse a solution whose metrics are not those of this study."""
    same = solution.suppressed == found.suppressed and all(
        math.isclose(value, found.values[name], rel_tol=1e-9, abs_tol=1e-12)
        or value == found.values[name]
        for name, value in solution.values.items()
        if name in found.values
    )
    if not same:
        raise UnmetError(
            f"solution {solution.id} does not have the metrics that it was found with: the "
            "source, the hierarchies or the settings are not those of its search",
            code="other-metrics",
            found=str(solution.id),
            remedy="search again",
        )


def _described(source: Source) -> dict[str, object]:
    path = path_of(source)
    if path is None:
        return {"table": str(source)}
    return {"path": str(path.absolute()), "sha256": table_sha256(path)}
