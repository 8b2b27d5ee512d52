"""Counting and releasing through Spark on this machine, beside DuckDB, in one run.

Each engine is a process of its own. Spark runs as ``local[*]``: its driver and its executors are
one Java process with the heap of a driver, 1 GB, so that what it takes bounds the driver's share.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.generated import attributes, generate
from benchmarks.measuring import peak_memory_in_megabytes
from sfumato.classes.suppression import limited
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.spark.engine import SparkEngine
from sfumato.sources.source import ParquetFile
from sfumato.study.study import Study

SIZES = (1_000_000, 10_000_000)
QUASI_IDENTIFIERS = 5
LEVELS = {"age": 2, "sex": 0, "region": 1, "marital": 0, "education": 1}
STAGES = ("start", "count", "rewrite", "verify")


def released(folder: Path, engine: str) -> dict[str, float]:
    """Count, release and verify; return the seconds of each and the peak memory in MB."""
    started = time.perf_counter()
    spark = SparkEngine(master="local[*]")
    java = spark.connected().sparkContext._gateway.proc.pid if engine == "spark" else None  # type: ignore[union-attr]
    begun = time.perf_counter()
    study = Study(
        source=ParquetFile(path=folder / "rows.parquet"),
        attributes=attributes(QUASI_IDENTIFIERS),
        suppression=limited(0.01),
        engine=spark if engine == "spark" else DuckDBEngine(),
    )
    table = study.count_table
    counted = time.perf_counter()
    # What the kernels take to be loaded is no part of it.
    study.evaluate(LEVELS)
    release = study.release(LEVELS, folder / f"{engine}.parquet", force=True)
    return {
        "start": begun - started,
        "count": counted - begun,
        "rewrite": release.rewrite_seconds,
        "verify": release.verify_seconds,
        "cells": table.cells,
        "combinations": int(table.entry_counts.shape[0]),
        "rows": release.rows,
        "python": peak_memory_in_megabytes(),
        "java": _peak_of(java) if java else 0.0,
    }


def _peak_of(process: int) -> float:
    """Return the greatest resident memory of another process so far, in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def in_a_process(what: str, folder: Path, rows: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.spark", what, str(folder), str(rows)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    metrics: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return metrics


def main() -> None:
    if len(sys.argv) > 3:
        what, folder, rows = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
        if what == "prepare":
            generate(folder / "rows.parquet", rows=rows, columns=QUASI_IDENTIFIERS)
            print(json.dumps({}))
        else:
            print(json.dumps(released(folder, what)))
        return
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    print(
        "| rows | engine | "
        + " | ".join(f"{s} (s)" for s in STAGES)
        + " | Python (MB) | Java (MB) |"
    )
    print("|---:|---|" + "---:|" * (len(STAGES) + 2))
    for rows in sizes:
        with tempfile.TemporaryDirectory() as name:
            in_a_process("prepare", Path(name), rows)
            found = {e: in_a_process(e, Path(name), rows) for e in ("duckdb", "spark")}
        assert found["duckdb"]["rows"] == found["spark"]["rows"]
        assert found["duckdb"]["combinations"] == found["spark"]["combinations"]
        for engine, run in found.items():
            seconds = " | ".join(f"{run[stage]:.1f}" for stage in STAGES)
            print(
                f"| {rows:,} | {engine} | {seconds} | {run['python']:,.0f} | {run['java']:,.0f} |"
            )
        ratios = " | ".join(
            f"{found['spark'][stage] / found['duckdb'][stage]:.1f} ×" for stage in STAGES[1:]
        )
        print(f"| {rows:,} | ratio | – | {ratios} | | |", flush=True)
        told = found["spark"]
        print(
            f"{rows:,} rows: {told['combinations']:,.0f} combinations, {told['cells']:,.0f} cells, "
            f"{told['rows']:,.0f} rows released",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
