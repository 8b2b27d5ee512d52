"""NSGA-II 200 × 250 on Adult with nine quasi-identifiers against direct grouping with NumPy.

Prints the evaluations a second beside those of NumPy on strings that the search itself met, the
share of the time that the search spends outside evaluation, the whole time and the memory.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from tests.adult_wheel import fetch_adult

from benchmarks.measuring import peak_memory_in_megabytes, quickest, timed
from benchmarks.numpy_regrouping import group_blocks
from sfumato.classes.suppression import limited
from sfumato.papers.moea.runs import moea_adult
from sfumato.search.control import usable_threads
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, unpack
from sfumato.search.methods.nsga_ii import NsgaIISettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.measuring import Timed
    from sfumato.arrays import Counts, Flags
    from sfumato.recoding.partition_space import PartitionSpace
    from sfumato.search.result import SearchResult
    from sfumato.study.study import Study

SAMPLE = 200
CHECKED = 50
TIMES = 3


def watched(
    study: Study, threads: int | None = None
) -> tuple[Timed[SearchResult], float, list[bytes]]:
    """Search once; return it timed, the seconds spent in evaluation, and all strings."""
    evaluate = EvaluatedStrings.evaluate
    spent = 0.0
    met: list[bytes] = []

    def watching(self: EvaluatedStrings, keys: Iterable[bytes]) -> list[bytes]:
        nonlocal spent
        started = time.perf_counter()
        fresh = evaluate(self, keys)
        spent += time.perf_counter() - started
        met.extend(fresh)
        return fresh

    with patch.object(EvaluatedStrings, "evaluate", watching):
        run = timed(
            lambda: study.search(method="nsga-ii", settings=NsgaIISettings(), threads=threads)
        )
    return run, spent, met


def blocks_of(space: PartitionSpace, string: Flags) -> list[Counts]:
    """Return the block of every leaf of every quasi-identifier."""
    return [
        np.concatenate(([0], np.cumsum(string[column.start : column.end])))
        for column in space.columns
    ]


def main() -> None:
    study = moea_adult(fetch_adult(), objectives=("k", "loss"), suppression=limited(0.1))
    problem = study.problem
    table, space, budget = problem.table, problem.partitions, problem.budget
    assert budget is not None
    print(
        f"Adult: {table.rows:,} rows, {table.cells:,} cells, {len(space.columns)} "
        f"quasi-identifiers, {space.bits} bits"
    )
    study.search(method="nsga-ii", settings=NsgaIISettings(generations=2))  # kernels are there
    before = peak_memory_in_megabytes()
    # Shares of time are of one and the same run, the quickest: the least disturbed by neighbours.
    run, inside, met = min((watched(study) for _ in range(TIMES)), key=lambda each: each[0].wall)
    memory = peak_memory_in_megabytes()
    alone, alone_inside, _ = watched(study, threads=1)
    assert alone.result.front == run.result.front
    evaluated, threads = run.result.evaluated, usable_threads()
    print(
        f"NSGA-II 200 × 250, {threads} threads {run.wall:7.2f} s  (target: 10 s)  "
        f"{evaluated:,} evaluations, {len(run.result.front)} solutions, "
        f"{run.cpu / run.wall:.2f} cores busy"
    )
    print(f"  outside evaluation         {1 - inside / run.wall:7.1%}    (asked: under 15 %)")
    print(f"NSGA-II 200 × 250, 1 thread  {alone.wall:7.2f} s  ({alone.cpu:.2f} s of CPU)")
    print(f"  outside evaluation         {1 - alone_inside / alone.wall:7.1%}")
    print(f"peak memory                  {memory:7.0f} MB ({before:.0f} before)")
    print(f"search                       {1e6 * run.wall / evaluated:7.0f} µs a string")

    chosen = np.random.default_rng(1).choice(len(met), SAMPLE, replace=False)
    sample = unpack([met[place] for place in chosen.tolist()], space.bits)
    blocks = [blocks_of(space, string) for string in sample]
    row_codes = np.repeat(np.asarray(table.cell_codes), table.cell_sizes, axis=1)
    row_codes = row_codes[:, np.random.default_rng(2).permutation(table.rows)]
    one_each = np.ones(table.rows, dtype=np.int64)
    for name, codes, sizes, asked in (
        ("the rows", row_codes, one_each, "  (asked: at least 20 ×)"),
        ("our own cells", table.cell_codes, table.cell_sizes, ""),
    ):
        baseline = quickest(
            lambda codes=codes, sizes=sizes: [  # type: ignore[misc]
                group_blocks(codes, sizes, each, budget) for each in blocks
            ]
        )
        for string, (k, loss) in list(zip(sample, baseline.result, strict=True))[:CHECKED]:
            found = study.evaluate(space.recoding(string), measures=("k", "loss")).values
            assert k == found["k"]
            assert abs(loss - found["loss"]) <= 1e-9 * max(1.0, loss)
        direct, cpu = baseline.wall / SAMPLE, baseline.cpu / SAMPLE
        print(f"NumPy, grouping {name:13}{1e6 * direct:7.0f} µs a string  (sample of {SAMPLE})")
        print(f"  ratio, {threads} threads           {direct * evaluated / run.wall:7.1f} ×{asked}")
        print(f"  ratio, 1 thread            {direct * evaluated / alone.wall:7.1f} ×")
        print(f"  ratio of CPU seconds       {cpu * evaluated / alone.cpu:7.1f} ×  (1 thread)")


if __name__ == "__main__":
    main()
