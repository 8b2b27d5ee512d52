"""Runs made in memory, of small studies whose names try to break out of a page."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

import sfumato as sf
from sfumato.study.file.study_file import StudyFile
from sfumato.study.runs.run import Run, SourceRecord
from sfumato.study.runs.solution_details import detail_of_the_source, run_columns, solution_details

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.measures.measure import Measure

STATEMENT_FOLDER = "/home/somebody's confidential statement folder"
HOSTILE_COLUMN = "</script><b onclick=\"alert('x')\">town & 'land'"
HOSTILE_LABEL = "<img src=x onerror=alert(1)> \"north\" \u2028 & 'east'"
NAMES = [f"Person Number{row}" for row in range(300)]


def people() -> pd.DataFrame:
    rng = random.Random(3)
    return pd.DataFrame(
        {
            "name": NAMES,
            "age": [str(20 + int(40 * rng.random() ** 2)) for _ in range(300)],
            HOSTILE_COLUMN: [rng.choice(["Aachen", "Aachen", "Bonn", "Celle"]) for _ in range(300)],
            "zip": [f"521{int(40 * rng.random() ** 2):02}" for _ in range(300)],
            "illness": [rng.choice(["flu", "flu", "cold", "gout"]) for _ in range(300)],
        }
    )


def hostile_study(
    *, objectives: Sequence[Measure | str] = ("k", "loss"), limit: float = 0.05
) -> sf.Study:
    return sf.Study(
        source=people(),
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=59, widths=(5, 10, 20))),
            sf.quasi_identifying(
                HOSTILE_COLUMN,
                sf.Groups(levels=[{HOSTILE_LABEL: ["Aachen", "Bonn"], "south": ["Celle"]}]),
                weight=2.0,
            ),
            sf.quasi_identifying("zip", sf.Prefixes()),
            sf.sensitive("illness"),
        ],
        objectives=objectives,
        suppression=sf.limited(limit),
    )


def made_run(study: sf.Study, *, source: str = "patients.csv", folder: str = "first run") -> Run:
    """Return the run of a study, as if its source were a file in a folder of somebody's."""
    result = study.search()
    problem = study.problem
    return Run(
        folder=Path(STATEMENT_FOLDER) / folder,
        study_file=StudyFile(path=Path(STATEMENT_FOLDER) / "study.toml", text="", study=study),
        result=result,
        details=tuple(solution_details(problem, result.front.solutions)),
        before=detail_of_the_source(problem),
        columns=run_columns(problem.table),
        source=SourceRecord(
            path=f"{STATEMENT_FOLDER}/{source}",
            sha256="5ec7e7" * 10,
            bytes=12_345,
            rows=problem.table.rows,
            dropped_rows=problem.table.dropped_rows,
        ),
        version="0.1.0",
        created="2026-11-15T22:10:00+00:00",
        seconds=1.23,
    )
