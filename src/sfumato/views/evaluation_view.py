"""One recoding as ``sfumato evaluate`` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.study.runs.solution_details import column_labels, run_columns
from sfumato.views.run.column_view import column_views
from sfumato.views.texts import shown_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.decisions.metric import Metric
    from sfumato.study.evaluation import Evaluation
    from sfumato.study.study import Study
    from sfumato.views.run.column_view import ColumnView


@dataclass(frozen=True, kw_only=True)
class EvaluationView:
    """The values of every metric of a recoding, what it keeps, and what it makes of the columns.

    ``freedom`` says how freely it chooses; only global recodings have ``levels``.
    ``meets`` says whether the ``criteria`` of the study are met, None if it has none, ``failing``
    that classes are suppressed because they fail one. ``counts_people`` says that sizes of classes,
    like the ``threshold``, are in people. ``empty`` says that everything is suppressed, so that the
    values say nothing about a release.
    """

    freedom: str
    levels: Mapping[str, int]
    values: Mapping[str, float]
    rows: int
    counts_people: bool
    kept: int
    suppressed: int
    classes: int
    threshold: int
    empty: bool
    criteria: tuple[str, ...]
    failing: bool
    meets: bool | None
    columns: tuple[ColumnView, ...]
    metrics: tuple[Metric, ...]


def evaluation_view(study: Study, evaluation: Evaluation) -> EvaluationView:
    """Return what is shown of a recoding."""
    criteria = tuple(map(str, evaluation.suppression.criteria))
    columns = run_columns(study.count_table, [evaluation.recoding])
    return EvaluationView(
        freedom=evaluation.recoding.freedom,
        levels=evaluation.levels,
        values=evaluation.values,
        rows=evaluation.rows,
        counts_people=study.counts_people,
        kept=evaluation.rows - evaluation.suppressed,
        suppressed=evaluation.suppressed,
        classes=evaluation.classes,
        threshold=evaluation.threshold,
        empty=evaluation.empty,
        criteria=criteria,
        failing=evaluation.suppression.failing,
        meets=evaluation.meets if criteria else None,
        columns=column_views(
            columns,
            evaluation.recoding,
            study,
            labels=column_labels(study.count_table, evaluation.recoding),
        ),
        metrics=shown_metrics(evaluation.values, people=study.counts_people),
    )
