"""A table as ``sfumato audit`` shows it, and whether it meets what is required."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.constrained_front import check_constraint_names
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.views.finding_view import finding_views
from sfumato.views.texts import shown_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.front.decisions.metric import Metric
    from sfumato.front.decisions.pick_rule import PickRule
    from sfumato.release.audit.audit import Audit
    from sfumato.views.finding_view import FindingView

MET = "met"


@dataclass(frozen=True, kw_only=True)
class AuditView:
    """The metrics of a table.

    ``values`` are those of the ``basis``: of the whole table where the suppressed rows are known,
    else of the ``kept_rows``. ``requirements`` says of every bound whether it is met, ``unmet``
    has those that are not.
    """

    file: str
    rows: int
    starred: int
    classes: int
    basis: str
    values: Mapping[str, float]
    kept_rows: Mapping[str, float]
    whole_table: Mapping[str, float] | None
    metrics: tuple[Metric, ...]
    levels: Mapping[str, int | None]
    statistics: Mapping[str, str]
    not_measured: Mapping[str, str]
    identifying: tuple[str, ...]
    unknown: tuple[str, ...]
    findings: tuple[FindingView, ...]
    requirements: Mapping[str, str]
    unmet: tuple[str, ...]

    @property
    def passes(self) -> bool:
        """Whether all requirements are met and no column is identifying or unknown."""
        return not (self.unmet or self.identifying or self.unknown)


def audit_view(
    file: str,
    audit: Audit,
    *,
    required: PickRule | None = None,
    policy: Sequence[ClassCriterion] = (),
) -> AuditView:
    """Return what is shown of an audited table; ``policy`` is required of it too."""
    values = audit.whole_table or audit.metrics
    requirements = {str(each): _met(each, audit, values) for each in policy}
    requirements |= {} if required is None else _requirements(required, audit, values)
    return AuditView(
        file=file,
        rows=audit.rows,
        starred=audit.starred,
        classes=audit.classes,
        basis="kept rows" if audit.whole_table is None else "whole table",
        values=values,
        kept_rows=audit.metrics,
        whole_table=audit.whole_table,
        metrics=shown_metrics(audit.metrics),
        levels=audit.levels,
        statistics=audit.statistics,
        not_measured=audit.not_measured,
        identifying=audit.identifying,
        unknown=audit.unknown,
        findings=finding_views(audit.findings),
        requirements=requirements,
        unmet=tuple(bound for bound, verdict in requirements.items() if verdict != MET),
    )


def _met(required: ClassCriterion, audit: Audit, values: Mapping[str, float]) -> str:
    """Say whether a part of the policy is met."""
    assert isinstance(required, MeasureCriterion)
    name = str(required.measure)
    if name not in values:
        reason = audit.not_measured.get(name, "it is not known how")
        return f"cannot be measured: {reason}"
    return MET if required.met_by(values[name]) else f"not met: it is {values[name]:.10g}"


def _requirements(rule: PickRule, audit: Audit, values: Mapping[str, float]) -> dict[str, str]:
    """Return for every required bound whether it is met; a metric may not be measurable."""
    names = check_constraint_names(rule, [*values, *audit.not_measured])
    verdicts = {}
    for constraint, name in zip(rule.constraints, names, strict=True):
        if name not in values:
            verdict = f"cannot be measured: {audit.not_measured[name]}"
        elif constraint.holds(values[name]):
            verdict = MET
        else:
            verdict = f"not met: it is {values[name]:.10g}"
        verdicts[str(constraint)] = verdict
    return verdicts
