"""docs/spark.md lists what the engines declare; run this file as a program to write it anew."""

from __future__ import annotations

from pathlib import Path

from sfumato.engines.duckdb.dialect import GAPS as DUCKDB
from sfumato.engines.gaps import Capability
from sfumato.engines.spark.dialect import GAPS as SPARK

PAGE = Path(__file__).parents[2] / "docs" / "spark.md"
BEGIN, END = "<!-- gaps: written by tests/engines/test_gap_table.py -->\n", "<!-- end of gaps -->\n"


def gap_table() -> str:
    """Return what some engine cannot do as a table, with what to do instead."""
    lines = ["| an engine can | DuckDB | Spark | otherwise |", "|---|---|---|---|"]
    for capability in Capability:
        engines = (DUCKDB, SPARK)
        cells = ["–" if capability in gaps.instead else "yes" for gaps in engines]
        instead = [gaps.instead[capability] for gaps in engines if capability in gaps.instead]
        lines.append(f"| {capability} | {' | '.join(cells)} | {'; '.join(instead)} |")
    return "\n".join(lines) + "\n"


def page_with_table(text: str) -> str:
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{gap_table()}\n{END}{rest.split(END)[1]}"


def test_the_page_lists_the_gaps_that_are_declared() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page_with_table(text), (
        f"run: python {Path(__file__).relative_to(PAGE.parents[1])}"
    )


if __name__ == "__main__":
    PAGE.write_text(page_with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
