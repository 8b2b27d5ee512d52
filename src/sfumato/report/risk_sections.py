"""The parts of a page about risk: tables and bars for before and after."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sfumato.report.static_parts import bars, table
from sfumato.risk.identifying.column_subsets import ranked
from sfumato.views.risk_rows import (
    band_rows,
    figure_rows,
    population_rows,
    risk_text,
    subset_rows,
)
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk.identifying.column_subsets import IdentifyingSubset
    from sfumato.views.attack_view import AttackView
    from sfumato.views.risk_view import RiskView, TableRiskView

KINDS = ("before", "after")


def figures_table(view: RiskView) -> str:
    """Return the risks of the intruders as a table."""
    return table(("risk", *_labels(view)), figure_rows(view), caption="Risks", name="risks")


def distribution_chart(view: RiskView) -> str:
    """Return how many are in classes of each band of sizes, as bars."""
    rows = []
    for place, (name, *texts) in enumerate(band_rows(view)):
        shares = [
            side.prosecutor.by_band[place] / max(1, side.prosecutor.everybody)
            for side in view.sides
        ]
        rows.append((name, list(zip(shares, texts, strict=True))))
    return bars(
        rows,
        list(zip(KINDS, _labels(view), strict=False)),
        caption="People by the size of the class that they are in",
        name="distribution",
    )


def subsets_chart(view: RiskView) -> str:
    """Return how many rows columns single out, as bars, and a table with the exact values."""
    by_columns = [{each.columns: each for each in side.subsets} for side in view.sides]
    chart = bars(
        [
            (
                " + ".join(each.columns),
                [
                    (found[each.columns].unique, risk_text(found[each.columns].unique))
                    for found in by_columns
                    if each.columns in found
                ],
            )
            for each in ranked(view.before.subsets)
        ],
        list(zip(KINDS, _labels(view), strict=False)),
        caption="Rows that columns single out",
        name="subsets",
    )
    heads = [
        f"{name}, {label}" if len(view.sides) > 1 else name
        for label in _labels(view)
        for name in ("unique", "distinction", "separation")
    ]
    exact = table(
        ("columns", *heads), subset_rows(view), caption="How identifying columns are", name="exact"
    )
    return f"{chart}<details open><summary>Distinction and separation</summary>{exact}</details>"


def identifying_chart(subsets: Sequence[IdentifyingSubset]) -> str:
    """Return how many rows of the source columns single out, as bars."""
    return bars(
        [(" + ".join(each.columns), [(each.unique, risk_text(each.unique))]) for each in subsets],
        [("before", "before")],
        caption="Records that columns single out",
        name="identifying",
    )


def population_section(view: RiskView) -> str:
    """Return what is estimated of the population, and how sure it is."""
    rows = population_rows(view)
    said = f"<p>{escape(view.population)}</p>"
    if not rows:
        return said
    return said + table(
        ("estimate", *_labels(view)), rows, caption="The population", name="population-table"
    )


def special_section(view: RiskView) -> str:
    """Return the special uniques of both tables."""
    return "".join(_special(side) for side in view.sides)


def _special(side: TableRiskView) -> str:
    special = side.special
    title = f"<h3>{escape(side.label[:1].upper() + side.label[1:])}</h3>"
    if not special.rows:
        return f"{title}<p>No row is singled out by {special.largest} columns or fewer.</p>"
    columns = bars(
        [
            (name, [(share, risk_text(share))])
            for name, share in sorted(special.by_column.items(), key=lambda each: -each[1])
        ],
        [("before" if side.label == "the source" else "after", "share of all scores")],
        caption="Columns by their share of all scores",
    )
    scores = table(
        ("SUDA2 score", "rows", "fewest columns that single them out"),
        [
            (f"{each.score:,}", f"{each.rows:,}", f"{each.fewest_columns}")
            for each in special.scores
        ],
        caption="The highest scores",
    )
    sets = table(
        ("smallest sets that single out rows", "rows"),
        [(" + ".join(names), f"{rows:,}") for names, rows in special.by_set],
        caption="Sets of columns",
    )
    match = (
        ""
        if special.dis is None
        else f" A match with a unique row is right with a probability of {risk_text(special.dis)}."
    )
    return (
        f"{title}<p>{special.rows:,} of {side.rows:,} rows "
        f"({share_text(special.rows, side.rows)}) are singled out by {special.largest} columns or "
        f'fewer.{match}</p>{columns}<div class="pair"><div>{scores}</div><div>{sets}</div></div>'
    )


def attacks_section(view: AttackView) -> str:
    """Return the attacks on a file: whom they are right about, and what chance alone gives."""
    rows = [
        (
            f"{line.attack} ({line.sensitive})",
            [
                (line.share, f"{line.learnt:,} ({share_text(line.learnt, line.rows)})"),
                (
                    line.by_chance / max(1, line.rows),
                    f"{line.by_chance:,.1f} ({share_text(line.by_chance, line.rows)})",
                ),
            ],
        )
        for line in view.attacks
    ]
    chart = bars(
        rows,
        [("before", "right about"), ("chance", "by chance alone")],
        caption="Rows that attacks are right about",
        name="attack-bars",
    )
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in view.sentences)
    return (
        f"<p>{escape(view.file)}: {view.rows:,} rows in {view.classes:,} classes. Intruders know "
        f"{escape(', '.join(view.known))}.</p>{chart}" + (f"<ul>{said}</ul>" if said else "")
    )


def _labels(view: RiskView) -> Sequence[str]:
    return [side.label for side in view.sides]
