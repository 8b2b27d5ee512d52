"""The page of a run's report: its parts put together into one text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sfumato.report.self_contained_page import SHARED_SCRIPTS, facts_list, self_contained_page

if TYPE_CHECKING:
    from sfumato.views.run.report_data import ReportData

SCRIPTS = (
    *SHARED_SCRIPTS,
    "solution_metrics.js",
    "front_chart.js",
    "chart_zoom.js",
    "class_sizes.js",
    "solution.js",
    "table.js",
    "start.js",
)


def page(data: ReportData) -> str:
    """Return the page that shows the report of a run."""
    return self_contained_page(
        data,
        title=f"{data.source}: privacy and information loss",
        body="run.html",
        texts={
            "source": escape(data.source),
            "made": escape(data.made),
            "facts": facts_list([(fact.term, fact.text) for fact in data.facts]),
            "sentences": _sentences([(s.text, s.end, s.flat) for s in data.sentences]),
            "regions": _sentences([(region.text, region.end, False) for region in data.regions]),
            "regions_hidden": "" if data.regions else " hidden",
            "sentences_hidden": "" if data.sentences else " hidden",
        },
        styles=("report.css",),
        scripts=SCRIPTS,
    )


def _sentences(lines: list[tuple[str, int, bool]]) -> str:
    mark = '<span class="mark">flat</span>'
    return "\n".join(
        f'<li><button type="button" class="sentence" data-solution="{solution}">{escape(text)}'
        f"{mark if flat else ''}</button></li>"
        for text, solution, flat in lines
    )
