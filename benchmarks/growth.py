"""How the cost grows with rows, with quasi-identifiers and with the lattice: tables for docs/."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from tests.adult_wheel import fetch_adult

from benchmarks.finer_adult import finer_adult
from benchmarks.generated import generate, generated_study
from benchmarks.measuring import timed
from sfumato.datasets.adult import adult
from sfumato.search.methods.branch_and_bound import branch_and_bound
from sfumato.search.methods.sweep import sweep

SAMPLE = 100


def by_rows(folder: Path) -> None:
    print("| rows | cells | nodes | count (s) | k-loss: evaluated | k-loss (s) | sweep (s) |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for rows in (30_000, 1_000_000, 10_000_000):
        path = folder / f"rows-{rows}.parquet"
        generate(path, rows=rows, columns=8)
        study = generated_study(path, columns=8, objectives=("k", "loss"))
        counted = timed(lambda study=study: study.count_table)  # type: ignore[misc]
        found = timed(lambda study=study: branch_and_bound(study.problem))  # type: ignore[misc]
        swept = timed(lambda study=study: sweep(study.problem))  # type: ignore[misc]
        assert swept.result.front == found.result.front
        print(
            f"| {rows:,} | {counted.result.cells:,} | {found.result.nodes:,} | {counted.wall:.2f} "
            f"| {found.result.evaluated:,} | {found.wall:.2f} | {swept.wall:.2f} |",
            flush=True,
        )


def by_quasi_identifiers(folder: Path) -> None:
    print("| QIs | cells | key words | nodes | count (s) | a node, direct (ms) |")
    print("|---:|---:|---:|---:|---:|---:|")
    path = folder / "wide.parquet"
    generate(path, rows=1_000_000, columns=15)
    for columns in (4, 6, 8, 10, 12, 15):
        study = generated_study(path, columns=columns, objectives=("k", "loss", "distinct-l"))
        object.__setattr__(study, "unlisted_insensitive", True)
        counted = timed(lambda study=study: study.count_table)  # type: ignore[misc]
        problem = study.problem
        lattice = problem.tables.lattice
        numbers = np.random.default_rng(1).integers(0, lattice.nodes, SAMPLE)
        nodes = lattice.all_levels(numbers)
        problem.points(problem.tables.group(nodes[:1]))
        direct = timed(
            lambda problem=problem, nodes=nodes: [  # type: ignore[misc]
                problem.points(problem.tables.group(nodes[i : i + 1])) for i in range(SAMPLE)
            ]
        )
        print(
            f"| {columns} | {counted.result.cells:,} | {problem.tables.layout.words} "
            f"| {lattice.nodes:,} | {counted.wall:.2f} | {1e3 * direct.wall / SAMPLE:.1f} |",
            flush=True,
        )


def by_lattice() -> None:
    print("| lattice | nodes | sweep (s) | sweep, µs a node | evaluated by proof | k-loss (s) |")
    print("|---|---:|---:|---:|---:|---:|")
    path = fetch_adult()
    for name, study in (
        ("Adult, salary class as label", adult(path, salary_as_label=True)),
        ("Adult", adult(path)),
        ("Adult, 9 QIs, finer hierarchies", finer_adult(path)),
    ):
        swept = timed(lambda study=study: sweep(study.problem))  # type: ignore[misc]
        found = timed(lambda study=study: branch_and_bound(study.problem))  # type: ignore[misc]
        nodes = found.result.nodes
        print(
            f"| {name} | {nodes:,} | {swept.wall:.2f} | {1e6 * swept.wall / nodes:.0f} "
            f"| {found.result.evaluated:,} ({100 * found.result.evaluated / nodes:.1f} %) "
            f"| {found.wall:.2f} |",
            flush=True,
        )


def main() -> None:
    sweep(adult(fetch_adult()).problem)  # kernels compiled
    with tempfile.TemporaryDirectory() as folder:
        by_rows(Path(folder))
        print()
        by_quasi_identifiers(Path(folder))
    print()
    by_lattice()


if __name__ == "__main__":
    main()
