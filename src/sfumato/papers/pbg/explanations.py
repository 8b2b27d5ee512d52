"""What could explain the differences from the PBG paper: its hierarchies, or how it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.datasets.adult import adult
from sfumato.front.indicators.representation_ratio import representation_ratio
from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.against_paper import count_cells, ratio_cells
from sfumato.papers.pbg.algorithm_2 import LITERAL, READINGS, Reading, run_reading
from sfumato.papers.pbg.made_up_hierarchies import GROUPS, made_up_study
from sfumato.papers.pbg.paper import SETS
from sfumato.papers.plot import require
from sfumato.papers.reproduced import Reproduced, ReproducedTable
from sfumato.search.bounds.discretization import discretization
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.study.study import Study

COLUMNS = (
    ("objectives", ""),
    ("exact front", ","),
    ("RR", ".3f"),
    ("RR, paper", ".2f"),
    ("difference", "+.3f"),
    ("its error", ".3f"),
    ("p", ".2g"),
    ("evaluations", ",.0f"),
    ("evaluations, paper", ","),
    ("missing", ".0%"),
    ("p ", ".2g"),
)

REMARKS = (
    "Errors are those of both samples' means, and p is that of Welch's test, two-sided. The paper "
    "prints no variance of its evaluations: they are taken to vary as ours do.",
    "The paper prints two digits of RR, so that its means may be off by another 0.005.",
)


@reproduction(
    "pbg-hierarchies", "PBG Tables 1(b), 2(b): with ours and three made-up sets of hierarchies"
)
def pbg_hierarchies(conditions: Conditions) -> Reproduced:
    """Return RR and evaluations by the groups of the hierarchies."""
    require("scipy", purpose="The tests")
    rows: dict[str, list[tuple[Cell, ...]]] = {}
    for asked in SETS:
        ours = _study(asked, conditions)
        studies = {"ours": ours} | {name: made_up_study(ours, name) for name in GROUPS}
        for name, study in studies.items():
            conditions.stage(f"{asked.text}: hierarchies {name!r}")
            row = _rows(study, asked, (LITERAL,), conditions)[0]
            rows.setdefault(name, []).append((asked.text, *row))
    return Reproduced(
        tables=tuple(
            ReproducedTable(
                title=f"Hierarchies: {name}, {conditions.runs} runs",
                columns=COLUMNS,
                rows=tuple(found),
            )
            for name, found in rows.items()
        ),
        remarks=(
            *REMARKS,
            "All sets have the values and the lengths of Table 1(a), so that the lattice has as "
            "many nodes. Even: runs of values of about the same length. Growing: the last values "
            "together, ever more of them. Random: cuts drawn.",
        ),
    )


@reproduction("pbg-readings", "PBG Tables 1(b), 2(b): by how Algorithm 2 is read")
def pbg_readings(conditions: Conditions) -> Reproduced:
    """Return RR and evaluations by reading."""
    require("scipy", purpose="The tests")
    tables = []
    for asked in SETS:
        conditions.stage(f"{asked.text}: {len(READINGS)} readings, {conditions.runs} runs each")
        found = _rows(_study(asked, conditions), asked, READINGS, conditions)
        tables.append(
            ReproducedTable(
                title=f"{asked.text}: {conditions.runs} runs",
                columns=(("reading", ""), *COLUMNS[1:]),
                rows=tuple(
                    (reading.described, *row) for reading, row in zip(READINGS, found, strict=True)
                ),
            )
        )
    return Reproduced(tables=tuple(tables), remarks=REMARKS)


def _study(asked: PaperSet, conditions: Conditions) -> Study:
    return adult(conditions.adult, objectives=asked.objectives, salary_as_label=asked.labelled)


def _rows(
    study: Study, asked: PaperSet, readings: Sequence[Reading], conditions: Conditions
) -> list[tuple[Cell, ...]]:
    """Return a row for each reading, from the size of the exact front on."""
    problem = study.problem
    epsilon = discretization(problem, {})
    true = study.search(method="exact").front
    evaluated = EvaluatedPoints(problem)
    rows: list[tuple[Cell, ...]] = []
    for reading in readings:
        runs = [
            run_reading(problem, reading, seed=seed, evaluated=evaluated, epsilon=epsilon)
            for seed in conditions.seeds
        ]
        ratios = [representation_ratio(run.front, true, epsilon=epsilon) for run in runs]
        counts = [float(run.evaluations) for run in runs]
        rows.append((len(true), *ratio_cells(ratios, asked), *count_cells(counts, asked)))
    return rows
