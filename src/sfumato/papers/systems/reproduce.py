"""``sfumato reproduce systems``: the systems on Adult and on the hospital of the demo."""

from __future__ import annotations

import dataclasses
import tempfile
from typing import TYPE_CHECKING

from sfumato.datasets.hospital import hospital
from sfumato.microdata.roles import Role
from sfumato.papers.catalogue import reproduction
from sfumato.papers.reproduced import Reproduced
from sfumato.papers.systems.adult_of_92_bits import adult_of_92_bits
from sfumato.papers.systems.side_by_side import (
    EVALUATIONS,
    MOST_BOXES,
    System,
    SystemRun,
    run_system,
    side_by_side,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.microdata.count_table import CountTable
    from sfumato.papers.reproduced import Conditions, ReproducedTable

KS = (5, 10, 50)
HOSPITAL_LABEL = "diagnosis"
DATES = frozenset({"birth_date", "admission_date"})
"""Columns that are months at least: bottom-up generalization would start from 40,000 days."""

REMARKS = (
    "The loss is GL + SL as a share of all cells; suppressed rows lose everything. Of several "
    "recodings that a system returns, the one that loses least is shown.",
    "The optimum of a system is that of its own space and rule of suppression, proved by an exact "
    f"search; where k-Optimize was stopped after {MOST_BOXES:,} boxes, what no partition can be "
    "below stands for it. The best partition is that of k-Optimize with classes below k "
    "suppressed.",
    "μ-Argus looks at combinations of three columns: where its true k is below k, it misses what "
    "was asked, and its loss is not comparable.",
    f"Iyengar's population of 5,000 is run for {EVALUATIONS:,} evaluations.",
    "Top-down specialization and bottom-up generalization look at a class label, not at the loss: "
    "the salary class of Adult, the diagnosis of the hospital. Dates of the hospital are months at "
    "least.",
)


@reproduction("systems", "the systems that the papers cite, beside the exact optimum", runs=1)
def systems(conditions: Conditions) -> Reproduced:
    """Return a table of all systems for Adult and for the hospital of the demo."""
    adult = adult_of_92_bits("loss", min(KS), conditions.adult).table
    return Reproduced(
        tables=(
            side_by_side(
                "Adult, 30,162 rows, the eight quasi-identifiers of the Crossover paper",
                adult,
                KS,
                runs=_runner("Adult", adult, conditions),
            ),
            _of_hospital(conditions),
        ),
        remarks=REMARKS,
    )


def _runner(
    name: str, table: CountTable, conditions: Conditions
) -> Callable[[System, int], SystemRun]:
    def run(system: System, k: int) -> SystemRun:
        conditions.stage(f"{name}, k = {k}: {system.method}, {system.space.value}")
        return run_system(table, system, k, seed=conditions.seed)

    return run


def hospital_table() -> CountTable:
    """Return the discharges, their columns constrained to their trees, with the label."""
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        study = hospital(folder)
        attributes = [
            dataclasses.replace(
                each, constrained=True, minimum_level=1 if each.name in DATES else 0
            )
            if each.role is Role.QUASI_IDENTIFYING
            else dataclasses.replace(each, label=True)
            if each.name == HOSPITAL_LABEL
            else each
            for each in study.attributes
        ]
        return dataclasses.replace(study, attributes=attributes).problem.table


def _of_hospital(conditions: Conditions) -> ReproducedTable:
    table = hospital_table()
    return side_by_side(
        f"The hospital of the demo, {table.rows:,} rows",
        table,
        KS,
        runs=_runner("Hospital", table, conditions),
    )
