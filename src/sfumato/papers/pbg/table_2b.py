"""PBG Table 2(b): how many nodes PBG-EA evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.paper import SETS
from sfumato.papers.pbg.runs import anytime_run, mean, means_table, pbg_runs
from sfumato.papers.reproduced import Cell, Reproduced

if TYPE_CHECKING:
    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Conditions

COLUMNS = (
    ("objectives", ""),
    ("nodes", ","),
    ("evaluations", ",.0f"),
    ("share", ".1%"),
    ("evaluations, paper", ","),
    ("share, paper", ".1%"),
    ("anytime, to the proved exact front", ","),
    ("its share", ".1%"),
    ("RR, PBG-EA", ".3f"),
)


@reproduction("pbg-table-2b", "PBG Table 2(b): the number of nodes that are evaluated")
def pbg_table_2b(conditions: Conditions) -> Reproduced:
    """Return the table."""
    return Reproduced(
        tables=(means_table("Table 2(b)", COLUMNS, SETS, _row, conditions),),
        remarks=(
            "A node is counted once, however often it comes up. The anytime search ends when "
            "every other node is excluded by proof.",
        ),
    )


def _row(asked: PaperSet, conditions: Conditions) -> tuple[Cell, ...]:
    runs = pbg_runs(asked, conditions)
    proved = anytime_run(runs, conditions, evaluations=runs.nodes)
    assert proved.front == runs.true
    evaluations = mean(runs.evaluations)
    return (
        asked.text,
        runs.nodes,
        evaluations,
        evaluations / runs.nodes,
        asked.evaluations,
        asked.evaluations / runs.nodes,
        proved.evaluated,
        proved.evaluated / runs.nodes,
        mean(runs.ratios),
    )
