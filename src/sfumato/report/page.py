"""The page of a report: its parts put together into one text."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from sfumato.report.json_text import json_text

if TYPE_CHECKING:
    from sfumato.report.report_data import ReportData

# In the order in which the functions of one use those of another.
SCRIPTS = (
    "elements.js",
    "figures.js",
    "axes.js",
    "front_chart.js",
    "chart_zoom.js",
    "class_sizes.js",
    "solution.js",
    "table.js",
    "start.js",
)


def page(data: ReportData) -> str:
    """Return the page that shows ``data``: styles, scripts and data are inside it.

    Its content security policy allows exactly this style and this script, by their hashes, and
    no request at all. Every text of the data is escaped here, or set as text by the script.
    """
    style = _part("report.css")
    script = "'use strict';\n(() => {\n" + "\n".join(map(_part, SCRIPTS)) + "})();\n"
    facts = "\n".join(
        f"<div><dt>{escape(fact.term)}</dt><dd>{escape(fact.text)}</dd></div>"
        for fact in data.facts
    )
    return Template(_part("page.html")).substitute(
        policy=(
            f"default-src 'none'; style-src 'sha256-{_digest(style)}'; "
            f"script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'"
        ),
        source=escape(data.source),
        made=escape(data.made),
        facts=facts,
        sentences=_sentences([(s.text, s.end, s.flat) for s in data.sentences]),
        regions=_sentences([(region.text, region.end, False) for region in data.regions]),
        regions_hidden="" if data.regions else " hidden",
        sentences_hidden="" if data.sentences else " hidden",
        style=style,
        script=script,
        data=json_text(data),
    )


def _part(name: str) -> str:
    return (files("sfumato.report") / "parts" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _sentences(lines: list[tuple[str, int, bool]]) -> str:
    mark = '<span class="mark">bargain</span>'
    return "\n".join(
        f'<li><button type="button" class="sentence" data-solution="{solution}">{escape(text)}'
        f"{mark if flat else ''}</button></li>"
        for text, solution, flat in lines
    )
