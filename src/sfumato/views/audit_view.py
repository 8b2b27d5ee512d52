"""A table as ``sfumato audit`` shows it, and whether it meets what is required."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.constrained_front import check_constraint_names
from sfumato.release.audit.audit import undecided_of, unmet_of
from sfumato.views.finding_view import finding_views
from sfumato.views.texts import shown_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.decisions.metric import Metric
    from sfumato.front.decisions.pick_rule import PickRule
    from sfumato.release.audit.audit import Audit
    from sfumato.views.finding_view import FindingView


@dataclass(frozen=True, kw_only=True)
class AuditView:
    """The metrics of a table, whose classes are the rows with equal ``quasi_identifiers``.

    ``values`` are those of the ``basis``: of the whole table where the suppressed rows are known,
    else of the ``kept_rows``. ``requirements`` says of every bound whether it is met, ``unmet``
    has those that are not. ``undecided`` are parts of the policy that count people, of whom this
    file does not tell: they may be met or not.
    """

    file: str
    quasi_identifiers: tuple[str, ...]
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
    undecided: tuple[str, ...]

    @property
    def passes(self) -> bool:
        """Whether no requirement is known to be missed, and no column is identifying or unknown.

        What is ``undecided`` does not count; a bound that was asked for explicitly always does.
        """
        return not (self.unmet or self.identifying or self.unknown)


def audit_view(file: str, audit: Audit, *, required: PickRule | None = None) -> AuditView:
    """Return what is shown of an audited table; ``required`` is asked of it beside the policy."""
    requirements = audit.requirements
    if required is not None:
        names = check_constraint_names(required, [*audit.values, *audit.not_measured])
        asked = zip(required.constraints, names, strict=True)
        requirements |= {str(each): audit.asked(each, name) for each, name in asked}
    return AuditView(
        file=file,
        quasi_identifiers=tuple(audit.levels),
        rows=audit.rows,
        starred=audit.starred,
        classes=audit.classes,
        basis="kept rows" if audit.whole_table is None else "whole table",
        values=audit.values,
        kept_rows=audit.metrics,
        whole_table=audit.whole_table,
        metrics=shown_metrics(audit.metrics, people=audit.counts_people),
        levels=audit.levels,
        statistics=audit.statistics,
        not_measured=audit.not_measured,
        identifying=audit.identifying,
        unknown=audit.unknown,
        findings=finding_views(audit.findings),
        requirements=requirements,
        unmet=unmet_of(requirements),
        undecided=undecided_of(requirements),
    )
