"""The page of a risk: one HTML file without a script, to read and to print."""

from __future__ import annotations

from html import escape
from string import Template
from typing import TYPE_CHECKING

from sfumato.documents.threat_model import THREAT_MODEL
from sfumato.errors.listing import counted
from sfumato.pages.frame import facts_list, framed_page, part
from sfumato.report.page import check_page_path, write_page
from sfumato.report.risk_sections import (
    distribution_chart,
    figures_table,
    population_section,
    special_section,
    subsets_chart,
)
from sfumato.views.risk_view import risk_view

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.risk_assessment import RiskAssessment
    from sfumato.views.risk_view import RiskView, TableRiskView


def risk_page(view: RiskView) -> str:
    """Return the page that shows a risk."""
    body = Template(part("sfumato.report", "risk.html")).substitute(
        source=escape(view.source),
        what=escape(_what(view)),
        facts=facts_list(_facts(view)),
        answer=escape(_answer(view)),
        threat_model=escape(THREAT_MODEL),
        figures=figures_table(view),
        distribution=distribution_chart(view),
        population=population_section(view),
        subsets=subsets_chart(view),
        largest=view.largest,
        special=special_section(view),
        findings="".join(
            f"<li><strong>{escape(each.severity.value)}</strong>: {escape(each.message)}</li>"
            for each in view.findings
        )
        or "<li>Nothing was found.</li>",
    )
    styles = [part("sfumato.report", name) for name in ("report.css", "risk.css")]
    return framed_page(title=f"{view.source}: risk of re-identification", body=body, styles=styles)


def write_risk(assessment: RiskAssessment, path: Path, *, source: str = "the source") -> None:
    """Write the page of a risk, which only its owner may read; it appears whole or not at all.

    ``source`` is the name of the table, for its heading. The file opens offline, needs no script
    and asks nothing of any network. A page that was there is replaced, any other file is not.
    """
    check_page_path(path, force=True, kept={}, what="page", option="-o")
    write_page(risk_page(risk_view(assessment, source=source)), path)


def _what(view: RiskView) -> str:
    return "Risk of re-identification" + (
        "" if view.after is None else f": the source, and {view.after.label}"
    )


def _facts(view: RiskView) -> list[tuple[str, str]]:
    facts = [
        (side.label.capitalize() if side is view.before else side.label, _size(side))
        for side in view.sides
    ]
    return [
        *facts,
        ("An intruder knows", ", ".join(view.columns)),
        ("Risks are those of", "people" if view.counts_people else "rows"),
        ("Population", view.population),
    ]


def _size(side: TableRiskView) -> str:
    gone = f", {counted(side.suppressed, 'row')} suppressed" if side.suppressed else ""
    return (
        f"{counted(side.rows, 'row')} in {counted(side.classes, 'class', 'classes')} of equal "
        f"quasi-identifiers{gone}"
    )


def _answer(view: RiskView) -> str:
    """Return the answer in a sentence or two, for whoever reads nothing else."""
    who = ("person", "people") if view.counts_people else ("row", "rows")
    before = view.before.prosecutor
    said = (
        f"In the source {counted(before.at_highest, *who)} of {before.everybody:,} can be found "
        f"with a probability of {100 * before.highest:.3g} %, by somebody who knows that they are "
        "in it."
    )
    if view.after is None:
        return said
    after = view.after.prosecutor
    return (
        f"{said} In {view.after.label} the most exposed can be found with a probability of "
        f"{100 * after.highest:.3g} %, and on average with {100 * after.mean:.3g} %."
    )
