"""From a run to what its report shows."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.decisions.flat_regions import flat_regions
from sfumato.front.decisions.knee import knee, knee_weighs
from sfumato.front.decisions.metric import SUPPRESSED, metric_named, objective_metrics
from sfumato.front.decisions.staircase import staircase
from sfumato.front.decisions.trade_off import TradeOff, between, neighbours, trade_offs
from sfumato.measures.measure import Direction, Kind
from sfumato.risk.assessment.risk_distribution import people_by_band
from sfumato.study.runs.run_utility import read_utility
from sfumato.views.risk_rows import band_texts
from sfumato.views.run.freedoms_view import freedoms_view
from sfumato.views.run.loss_bound import loss_bound
from sfumato.views.run.report_data import (
    MOST_STEPS,
    ReportColumn,
    ReportData,
    ReportLevel,
    ReportMetric,
    ReportRegion,
    ReportSentence,
    ReportSolution,
    class_size_curve,
)
from sfumato.views.run.report_utility import report_utility
from sfumato.views.run.run_view import made, run_facts, source_name
from sfumato.views.run.solution_view import folded, folded_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.front.decisions.picking import Pick
    from sfumato.front.decisions.trade_off import Neighbours
    from sfumato.front.front import Front, Solution
    from sfumato.study.runs.run import Run, RunColumn, SolutionDetail

_FEWEST_STEPS = 16
_MOST_STEPS_TOGETHER = 60_000
_MOST_EXAMPLES = 6


def compute_report(run: Run, *, opening: Pick | None = None) -> ReportData:
    """Return what the report of a run shows; ``opening`` is the solution it opens with.

    Unless given, it opens with the least loss that meets the policy of the study.
    """
    front = run.result.front
    if not front.solutions:
        raise SettingsError(
            f"the front of {run.folder} is empty: there is nothing to report",
            code="empty-front",
            file=run.folder,
        )
    every = run.metrics
    shown = _metrics(run)
    names = [metric.name for metric in shown]
    stairs = staircase(front)
    found_knee = knee(front)
    opened = run.opening() if opening is None else opening
    axes = _axes(shown, front)
    sets = Counter(run.stands_for)
    listed = {each.id for each in folded(run, front.solutions, keep=opened.solution.id)}
    around = neighbours(front, every)
    utility = read_utility(run.folder)
    return ReportData(
        source=source_name(run),
        made=made(run),
        rows=run.source.rows,
        counts_people=run.counts_people,
        facts=run_facts(run),
        metrics=shown,
        columns=tuple(_column(column) for column in run.columns),
        solutions=tuple(
            _solution(
                run,
                s,
                names,
                around[s.id],
                equals=sets[run.stands_for[s.id]] - 1,
                listed=s.id in listed,
            )
            for s in front
        ),
        x=axes[0],
        y=axes[1],
        staircase=tuple(s.id for step in stairs.steps for s in step.solutions) if stairs else (),
        knee=None if found_knee is None else found_knee.id,
        knee_weighs=knee_weighs(front),
        chosen=opened.solution.id,
        opening=f"The report opens with {opened.reason}.",
        regions=tuple(
            ReportRegion(
                start=region.start.id,
                end=region.end.id,
                solutions=tuple(solution.id for solution in region.solutions),
                text=_capital(between(front, region.start, region.end, every).sentence),
            )
            for region in flat_regions(front)
        ),
        sentences=tuple(_sentence(trade_off) for trade_off in trade_offs(front, every)),
        alone_before=_alone(run.before),
        risk_bands=band_texts(),
        risk_before=_by_band(run.before),
        identifying=run.identifying or None,
        command=f"sfumato release {shlex.quote(run.folder.resolve().name)} --pick {{id}} "
        "-o released.csv",
        folded_text=folded_text(len(front) - len(listed)) if len(listed) < len(front) else "",
        freedoms=freedoms_view(run),
        utility=None if utility is None else report_utility(utility),
    )


def _alone(detail: SolutionDetail) -> float:
    """Return the share of kept rows that are unique in their quasi-identifiers."""
    return dict(detail.class_sizes).get(1, 0) / max(1, detail.kept_rows)


def _by_band(detail: SolutionDetail) -> tuple[float, ...]:
    """Return the share of kept rows in classes of each band of sizes."""
    return tuple(rows / max(1, detail.kept_rows) for rows in people_by_band(detail.class_sizes))


def _metrics(run: Run) -> tuple[ReportMetric, ...]:
    """Return the objectives, then the other measures, privacy first, then the suppressed rows."""
    objectives = run.result.front.objectives
    people = run.counts_people
    others = [
        metric_named(name, people=people) for name in run.before.metrics if name not in objectives
    ]
    others.sort(key=lambda metric: (metric.kind is not Kind.PRIVACY, metric.name))
    metrics = (*objective_metrics(run.result.front, people=people), *others)
    suppressed = metric_named(SUPPRESSED)
    return tuple(
        ReportMetric(
            name=metric.name,
            meaning=metric.meaning,
            kind=metric.kind,
            direction=metric.direction,
            unit=metric.unit,
            scale=metric.scale,
            objective=metric.name in objectives,
            before=0.0 if metric is suppressed else run.before.metrics.get(metric.name),
        )
        for metric in (*metrics, suppressed)
    )


def _axes(metrics: Sequence[ReportMetric], front: Front) -> tuple[int, int]:
    names = [metric.name for metric in metrics]
    objectives = [metric for metric in metrics if metric.objective]
    privacy = next((f.name for f in objectives if f.kind is Kind.PRIVACY), names[0])
    loss = next((f.name for f in objectives if f.kind is Kind.LOSS), names[min(1, len(names) - 1)])
    if loss == "loss" and "normalized-loss" in names:
        loss = "normalized-loss"  # the same order, as a share that people can read
    if privacy == loss:
        privacy = next(name for name in (*front.objectives, *names) if name != loss)
    return names.index(privacy), names.index(loss)


def _column(column: RunColumn) -> ReportColumn:
    return ReportColumn(
        name=column.name,
        weight=column.weight,
        values=column.leaf_count,
        on_levels=all(page.is_level for page in column.pages),
        levels=tuple(
            ReportLevel(
                blocks=page.blocks,
                name=page.name,
                on_level=page.is_level,
                # Level 0 is made of original values: none is shown, whatever the run holds.
                examples=page.examples[:_MOST_EXAMPLES] if place or not page.is_level else (),
            )
            for place, page in enumerate(column.pages)
        ),
    )


def _solution(
    run: Run,
    solution: Solution,
    names: Sequence[str],
    around: Neighbours,
    *,
    equals: int,
    listed: bool,
) -> ReportSolution:
    detail = run.details[solution.id]
    steps = _MOST_STEPS_TOGETHER // len(run.details)
    losses = {column.name: detail.column_losses[column.name] for column in run.columns}
    weighted = [column.weight * losses[column.name] for column in run.columns]
    whole = sum(weighted)
    values = {**solution.values, **detail.metrics, SUPPRESSED: float(detail.suppressed)}
    bound = loss_bound(run, solution)
    return ReportSolution(
        id=solution.id,
        freedom=solution.freedom,
        levels=tuple(column.place(solution.recoding) for column in run.columns),
        labels=tuple(detail.labels[c.name] for c in run.columns if c.name in detail.labels),
        bound=None if bound is None else _capital(bound.text),
        metrics=tuple(values.get(name) for name in names),
        suppressed=detail.suppressed,
        kept=detail.kept_rows,
        classes=detail.classes,
        alone=_alone(detail),
        risk=_by_band(detail),
        curve=class_size_curve(detail.class_sizes, most=max(_FEWEST_STEPS, min(MOST_STEPS, steps))),
        equals=equals,
        listed=listed,
        column_losses=tuple(losses.values()),
        loss_parts=tuple(part / whole if whole else 0.0 for part in weighted),
        up=None if around.up is None else _sentence(around.up),
        down=None if around.down is None else _sentence(around.down),
    )


def _sentence(trade_off: TradeOff) -> ReportSentence:
    more = "more" if trade_off.privacy.direction is Direction.HIGHER else "less"
    return ReportSentence(
        text=_capital(trade_off.sentence),
        start=trade_off.start,
        end=trade_off.end,
        flat=trade_off.flat,
        gain=f"{more} {trade_off.privacy.name}" if trade_off.falls else "more privacy",
    )


def _capital(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}."
