"""Writing the report of a run: one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.threat_model import THREAT_MODEL
from sfumato.measures.measure import Direction
from sfumato.pages.frame import facts_list
from sfumato.report.page import (
    SHARED_SCRIPTS,
    PagePart,
    check_page_path,
    self_contained_page,
    write_page,
)
from sfumato.report.risk_sections import attacks_section, identifying_chart
from sfumato.views.run.report_computing import compute_report
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.front.decisions.picking import Pick
    from sfumato.study.runs.run import Run
    from sfumato.views.attack_view import AttackView
    from sfumato.views.run.freedoms_view import FreedomsView
    from sfumato.views.run.report_data import ReportData, ReportMetric


SCRIPTS = (
    *SHARED_SCRIPTS,
    "solution_metrics.js",
    "explained.js",
    "front_chart.js",
    "chart_zoom.js",
    "class_sizes.js",
    "risk.js",
    "solution.js",
    "table.js",
    "utility.js",
    "start.js",
)


def page(data: ReportData, *, attacks: AttackView | None = None) -> str:
    """Return the page that shows the report of a run, and the ``attacks`` on a file, if any."""
    return self_contained_page(report_part(data, attacks=attacks))


def report_part(data: ReportData, *, attacks: AttackView | None = None) -> PagePart:
    """Return the report of a run as a part of a page."""
    return PagePart(
        title=f"{data.source}: privacy and information loss",
        body="run.html",
        texts={
            "source": escape(data.source),
            "made": escape(data.made),
            "threat_model": escape(THREAT_MODEL),
            "facts": facts_list([(fact.term, fact.text) for fact in data.facts]),
            "sentences": _sentences([(s.text, s.end, s.flat) for s in data.sentences]),
            "regions": _sentences([(region.text, region.end, False) for region in data.regions]),
            "regions_hidden": "" if data.regions else " hidden",
            "sentences_hidden": "" if data.sentences else " hidden",
            "opening": escape(data.opening),
            "with_as_little": "" if data.freedoms is None else " with as little freedom",
            "freedoms": "" if data.freedoms is None else _freedoms(data.freedoms),
            "identifying": "" if data.identifying is None else identifying_chart(data.identifying),
            "identifying_hidden": "" if data.identifying is not None else " hidden",
            "attacks": "" if attacks is None else attacks_section(attacks),
            "attacks_hidden": "" if attacks is not None else " hidden",
            "words": _words(data),
            "freedoms_hidden": "" if data.freedoms is not None else " hidden",
        },
        styles=("report.css", "risk.css"),
        scripts=SCRIPTS,
        data=data,
    )


def _words(data: ReportData) -> str:
    """Return the glossary: the words of the page, then its metrics by name."""
    entries = [
        *((word.word, word.meaning) for word in data.words),
        *((each.name, _metric_in_words(each)) for each in data.metrics if each.meaning),
    ]
    return "\n".join(
        f'<div><dt tabindex="-1">{escape(word)}</dt><dd>{escape(meaning)}</dd></div>'
        for word, meaning in entries
    )


def _metric_in_words(metric: ReportMetric) -> str:
    unit = f" Unit: {metric.unit};" if metric.unit else ""
    better = "more" if metric.direction is Direction.HIGHER else "less"
    return f"{metric.meaning}{unit} {better if unit else better.capitalize()} is better."


def _freedoms(view: FreedomsView) -> str:
    """Return the least loss at the same k by freedom, as a table, and what it means."""
    marks = "".join(f'<th scope="col" class="number">k ≥ {mark:,}</th>' for mark in view.marks)
    rows = [
        f'<tr><th scope="row"><span class="key shape {each.freedom}"></span>{each.freedom}</th>'
        f"<td>{'exact' if each.exact else 'best found'}</td>{_losses(each.losses)}</tr>"
        for each in view.freedoms
    ]
    if view.bounds is not None:
        rows.append(
            '<tr class="note"><th scope="row">proved bound</th><td>no local recoding loses less'
            f"</td>{_losses(view.bounds)}</tr>"
        )
    costs = "".join(
        f"<li><strong>{each.freedom.capitalize()}</strong>: {escape(each.costs)}.</li>"
        for each in view.freedoms
    )
    return (
        f'<p>{escape(view.text)}</p><div class="scroll" data-name="Least loss by freedom">'
        '<table id="by-freedom"><thead><tr>'
        f'<th scope="col">freedom</th><th scope="col">front</th>{marks}</tr></thead><tbody>'
        f"{''.join(rows)}</tbody></table></div><h3>What it costs the analyst</h3><ul>{costs}</ul>"
    )


def _losses(losses: Sequence[float | None]) -> str:
    return "".join(
        f'<td class="number">{"–" if loss is None else share_text(loss, 1)}</td>' for loss in losses
    )


def _sentences(lines: list[tuple[str, int, bool]]) -> str:
    mark = '<span class="mark">flat</span>'
    return "\n".join(
        f'<li><button type="button" class="sentence" data-solution="{solution}">{escape(text)}'
        f"{mark if flat else ''}</button></li>"
        for text, solution, flat in lines
    )


def check_report_path(run: Run, path: Path, *, force: bool) -> None:
    """Refuse a place that a report must not take: a folder, the run's own files, other work.

    With ``force`` a file is replaced, and only one that is HTML: never data or a study.
    """
    kept = {
        Path(run.source.path): "the source of the run",
        run.study_file.path: "the study of the run",
    }
    check_page_path(path, force=force, kept=kept, what="report", option="-o")


def write_report(
    run: Run, path: Path, *, opening: Pick | None = None, attacks: AttackView | None = None
) -> None:
    """Write the report of a run, opening with a pick, or else with what the policy picks.

    ``attacks`` are those on a file that was released, for a section of their own.

    The file opens offline in any browser and asks nothing of any network. It holds metrics of
    the table before it was recoded, so only its owner may read it. It appears whole or not at
    all; a page that was there is replaced, any other file is not.
    """
    check_report_path(run, path, force=True)
    write_page(page(compute_report(run, opening=opening), attacks=attacks), path)
