"""Utility for analysts on many rows: distributions, associations, groups and 1,000 queries.

``python -m benchmarks.utility --rows 1000000 --columns 8`` takes a generated table with so many
quasi-identifiers, recodes it globally and locally, and says how long it takes, and how much memory.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from pathlib import Path

import numpy as np

from benchmarks.generated import generate, generated_study
from benchmarks.measuring import Result, Timed, peak_memory_in_megabytes, timed
from sfumato.recoding.local import Local
from sfumato.study.analysed_study import AnalysedStudy, UtilityQuestion

CLASS = 10
"""Neighbouring cells that are a class of the local recoding."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--local", action="store_true", help="a local recoding, not a global one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        generate(path, rows=given.rows, columns=given.columns)
        study = generated_study(path, columns=given.columns, objectives=("k", "normalized-loss"))
        counted = timed(lambda: study.count_table)
        tell("counting the cells, as every command does", counted)
        table = counted.result
        levels = {name: min(1, h.height) for name, h in study.hierarchies.items()}
        if given.local:
            classes = np.arange(table.cells) // CLASS
            outputs = {each.name: each.output for each in table.quasi_identifiers}
            chosen: object = Local.of(table, classes, outputs)
        else:
            chosen = levels
        question = UtilityQuestion.of(workload=None, targets=(), learning=None, by=None)
        analysed = timed(lambda: AnalysedStudy.of(study, question))
        tell("counting all columns and drawing 1,000 queries", analysed)
        # What is answered first includes the compilation of the kernel, unless it was done before.
        shown = timed(lambda: analysed.result.released(chosen))  # type: ignore[arg-type]
        tell("the labels of all rows", shown)
        found = timed(lambda: analysed.result.utility(shown.result))
        tell("distributions, associations, groups, 1,000 queries", found)
        utility = found.result
        print(f"{utility.rows:,} rows, {table.cells:,} cells, {len(utility.columns)} columns")
        print(f"groups of equal rows: {analysed.result.table.counts.shape[0]:,}")
        print(f"median query error: {utility.random}")
        whole = sum(each.wall for each in (counted, analysed, shown, found))
        print(f"together {whole:.1f} s, peak {peak_memory_in_megabytes():,.0f} MB")


def tell(what: str, work: Timed[Result]) -> None:
    print(f"{what}: {work.wall:.2f} s ({work.cpu:.2f} s of CPU)", flush=True)


if __name__ == "__main__":
    main()
