"""PBG Table 1: the attributes, and CE and RR of PBG-EA for sets of properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.datasets.adult import adult
from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.against_paper import ratio_cells
from sfumato.papers.pbg.paper import ATTRIBUTES, SETS
from sfumato.papers.pbg.runs import (
    anytime_run,
    longer_ratios,
    mean,
    means_table,
    pbg_runs,
    variance,
)
from sfumato.papers.reproduced import Cell, Reproduced, ReproducedTable

if TYPE_CHECKING:
    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Conditions

COLUMNS = (
    ("objectives", ""),
    ("exact front", ","),
    ("RR", ".3f"),
    ("variance", ".1e"),
    ("RR, paper", ".2f"),
    ("difference", "+.3f"),
    ("its error", ".3f"),
    ("p", ".2g"),
    ("CE", ".1e"),
    ("CE a solution", ".1e"),
    ("CE, paper", ".1e"),
    ("evaluations, paper", ","),
    ("RR after these", ".3f"),
    ("anytime: RR after these", ".3f"),
    ("its ε", ".2g"),
)

REMARKS = (
    "The hierarchies are ours: the paper gives their lengths and not their groups, so the fronts "
    "differ in size.",
    "CE is a sum over the solutions, as printed; 'CE a solution' is its mean.",
    "The error of the difference counts both samples, with the paper's printed variance; p is that "
    "of Welch's test, two-sided.",
    "'RR after these' lets PBG-EA go on until it has evaluated as many different nodes as in the "
    "paper. The anytime search draws nothing at random, so it is one run.",
)


@reproduction("pbg-table-1", "PBG Table 1: the attributes; CE and RR for five sets of objectives")
def pbg_table_1(conditions: Conditions) -> Reproduced:
    """Return both halves of the table."""
    return Reproduced(
        tables=(
            _attributes(conditions),
            means_table("Table 1(b)", COLUMNS, SETS, _row, conditions),
        ),
        remarks=REMARKS,
    )


def _attributes(conditions: Conditions) -> ReproducedTable:
    hierarchies = adult(conditions.adult).hierarchies
    rows = []
    for name, (values, length) in ATTRIBUTES.items():
        ours = hierarchies[name]
        rows.append((name, ours.leaf_count, values, ours.height, length))
    return ReproducedTable(
        title="Table 1(a): attributes of Adult",
        columns=(
            ("attribute", ""),
            ("values", ","),
            ("values, paper", ","),
            ("DGH length", ","),
            ("DGH length, paper", ","),
        ),
        rows=tuple(rows),
    )


def _row(asked: PaperSet, conditions: Conditions) -> tuple[Cell, ...]:
    runs = pbg_runs(asked, conditions)
    stopped = anytime_run(runs, conditions)
    assert stopped.guarantee is not None
    ratio, *against = ratio_cells(runs.ratios, asked)
    return (
        asked.text,
        len(runs.true),
        ratio,
        variance(runs.ratios),
        *against,
        mean([error.total for error in runs.errors]),
        mean([error.mean for error in runs.errors]),
        asked.error,
        asked.evaluations,
        mean(longer_ratios(runs, conditions)),
        runs.ratio(stopped.front),
        stopped.guarantee.epsilon,
    )
