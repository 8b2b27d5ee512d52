"""Writing the page of a comparison: one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sfumato.pages.frame import facts_list
from sfumato.report.page import (
    SHARED_SCRIPTS,
    PagePart,
    check_page_path,
    self_contained_page,
    write_page,
)
from sfumato.views.comparison_data import compute_comparison

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.comparison import Comparison
    from sfumato.views.comparison_data import ComparisonData

SCRIPTS = (
    *SHARED_SCRIPTS,
    "compared_pair.js",
    "individuals_chart.js",
    "gains_chart.js",
    "compared_groups.js",
    "verdicts.js",
    "comparison_start.js",
)


def comparison_page(data: ComparisonData) -> str:
    """Return the page that shows a comparison."""
    return self_contained_page(comparison_part(data))


def comparison_part(data: ComparisonData) -> PagePart:
    """Return a comparison as a part of a page."""
    return PagePart(
        title=f"{data.names[0]} and {data.names[1]}: {data.source}",
        body="comparison.html",
        texts={
            "first": escape(data.names[0]),
            "second": escape(data.names[1]),
            "source": escape(data.source),
            "facts": facts_list([(fact.term, fact.text) for fact in data.facts]),
            "fewest": f"{data.fewest:,}",
            "together": escape(" and ".join(data.together_on)),
            "together_hidden": "" if data.together else " hidden",
        },
        styles=("report.css", "comparison.css"),
        scripts=SCRIPTS,
        data=data,
    )


def write_comparison(
    comparison: Comparison, path: Path, *, source: str = "the source", by: str | None = None
) -> None:
    """Write the page of a comparison, opening with the groups of the column ``by``.

    ``source`` is the name of the table, for its heading. The file opens offline in any browser
    and asks nothing of any network. It is computed from the rows of the source, so only its owner
    may read it. It appears whole or not at all; a page that was there is replaced, any other file
    is not.
    """
    check_page_path(path, force=True, kept={}, what="comparison", option="--report")
    write_page(comparison_page(compute_comparison(comparison, source=source, by=by)), path)
