"""PBG Table 2: discretization vectors (a), and evaluated nodes (b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.front.box_dominance import nondominated_boxes
from sfumato.front.indicators.objective_values import values_of
from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.against_paper import ratio_cells
from sfumato.papers.pbg.paper import SETS, WIDTHS
from sfumato.papers.pbg.runs import anytime_run, mean, means_table, pbg_runs, variance
from sfumato.papers.reproduced import Cell, Reproduced

if TYPE_CHECKING:
    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Conditions


BY_WIDTHS = (
    ("objectives", ""),
    ("ε", ""),
    ("true boxes", ","),
    ("RR", ".3f"),
    ("variance", ".1e"),
    ("RR, paper", ".2f"),
    ("difference", "+.3f"),
    ("its error", ".3f"),
    ("p", ".2g"),
    ("CE", ".1e"),
    ("CE, paper", ".1e"),
    ("evaluations", ",.0f"),
    ("anytime: RR", ".3f"),
    ("its evaluations", ","),
    ("all boxes proved", ""),
)


@reproduction("pbg-table-2a", "PBG Table 2(a): CE and RR by the discretization vector")
def pbg_table_2a(conditions: Conditions) -> Reproduced:
    """Return the table."""
    return Reproduced(
        tables=(means_table("Table 2(a)", BY_WIDTHS, WIDTHS, _by_widths, conditions),),
        remarks=(
            "The ε of the row marked '?' is lost in our text of the paper; it is a guess.",
            "The anytime search keeps an archive with the same ε, and is stopped at the paper's "
            "number of evaluations for these objectives if it has not ended before.",
        ),
    )


def _by_widths(asked: PaperSet, conditions: Conditions) -> tuple[Cell, ...]:
    runs = pbg_runs(asked, conditions)
    found = anytime_run(runs, conditions)
    sides = tuple(runs.epsilon.values())
    boxes = nondominated_boxes(values_of(runs.true), runs.study.problem.directions, sides)
    widths = ", ".join(f"{width:g}" for width in sides)
    ratio, *against = ratio_cells(runs.ratios, asked)
    return (
        asked.text,
        widths + (" ?" if asked.widths_are_a_guess else ""),
        len(boxes),
        ratio,
        variance(runs.ratios),
        *against,
        mean([error.total for error in runs.errors]),
        asked.error,
        mean(runs.evaluations),
        runs.ratio(found.front),
        found.evaluated,
        "yes" if found.finished else "no",
    )


BY_NODES = (
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
        tables=(means_table("Table 2(b)", BY_NODES, SETS, _by_nodes, conditions),),
        remarks=(
            "A node is counted once, however often it comes up. The anytime search ends when "
            "every other node is excluded by proof.",
        ),
    )


def _by_nodes(asked: PaperSet, conditions: Conditions) -> tuple[Cell, ...]:
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
